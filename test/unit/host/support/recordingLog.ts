import type { RequestLogEntry } from '../../../../src/api/index.ts';
import type { Log } from '../../../../src/host/log/log.ts';

/** A log that keeps what it is told. */
export class RecordingLog implements Log {
  readonly lines: string[] = [];
  readonly failures: unknown[] = [];
  readonly requests: RequestLogEntry[] = [];

  trace(message: string): void {
    this.lines.push(message);
  }

  debug(message: string): void {
    this.lines.push(message);
  }

  info(message: string): void {
    this.lines.push(message);
  }

  warn(message: string, failure?: unknown): void {
    this.lines.push(message);
    if (failure !== undefined) this.failures.push(failure);
  }

  error(message: string, failure?: unknown): void {
    this.warn(message, failure);
  }

  request(entry: RequestLogEntry): void {
    this.requests.push(entry);
  }
}
