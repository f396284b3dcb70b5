import type { RequestLogEntry } from '../../api/index.ts';

/** The levels of a log, the least important first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Where the host writes down what happens, in English, for whoever looks for a fault.
 *
 * Never a key, a secret value, a prompt, a reply or an answer: what is logged gets attached to public issues. A redactor
 * is the second line of defence, not the first.
 *
 * The message of a warning or an error says what happened, in words of ours alone: Copy Diagnostics repeats it. To which
 * intern, conversation or file it happened is `about`, which stays in the log.
 */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string, failure?: unknown, about?: string): void;
  error(message: string, failure?: unknown, about?: string): void;
  /** One finished request of a client. */
  request(entry: RequestLogEntry): void;
}
