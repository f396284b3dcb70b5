import type { RequestLogEntry } from '../../../src/api/index.ts';
import type { Log } from '../../../src/platform/log/log.ts';

/** A log that keeps its entries. */
export class RecordingLog implements Log {
  readonly lines: string[] = [];
  readonly failures: unknown[] = [];
  readonly requests: RequestLogEntry[] = [];

  debug(message: string): void {
    this.lines.push(message);
  }

  info(message: string): void {
    this.lines.push(message);
  }

  warn(message: string, failure?: unknown, about?: string): void {
    this.lines.push(about === undefined ? message : `${message} [${about}]`);
    if (failure !== undefined) this.failures.push(failure);
  }

  error(message: string, failure?: unknown, about?: string): void {
    this.warn(message, failure, about);
  }

  request(entry: RequestLogEntry): void {
    this.requests.push(entry);
  }
}
