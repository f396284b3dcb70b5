import type { RequestLogEntry } from '../../api/index.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The host's log, in English.
 *
 * Never log a key, a secret value, a prompt, a reply or an answer: logs get attached to public issues, and the redactor
 * is only the second line of defense. Copy Diagnostics repeats the messages of warnings and errors, so they must be
 * constant text. The intern, conversation or file concerned goes into `about`, which stays in the log.
 */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string, failure?: unknown, about?: string): void;
  error(message: string, failure?: unknown, about?: string): void;
  request(entry: RequestLogEntry): void;
}
