import type { RequestLogEntry } from '../../api/index.ts';

/** The levels of a log, the least important first. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/**
 * Where the host writes down what happens, in English, for whoever looks for a fault.
 *
 * Say what happened and to which id. Never a key, a secret value, a prompt, a reply or an answer: what is logged gets
 * attached to public issues. A redactor stands behind this as a second belt, not as the first.
 */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string, failure?: unknown): void;
  error(message: string, failure?: unknown): void;
  /** One finished request of a client. */
  request(entry: RequestLogEntry): void;
}
