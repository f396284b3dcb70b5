import { ApiError, type RequestLogEntry } from '../../api/index.ts';
import type { Log, LogLevel } from './log.ts';
import type { Redactor } from './redactor.ts';

/** Warnings and errors that are kept for diagnostics. */
const KEPT_PROBLEMS = 20;

/** Where lines end up; a `vscode.LogOutputChannel` is one. */
export type LogSink = Readonly<Record<LogLevel, (line: string) => void>>;

/** A warning or an error that was logged. */
export interface LoggedProblem {
  /** Epoch ms. */
  readonly at: number;
  readonly level: 'warn' | 'error';
  readonly line: string;
}

/** Writes to a sink through a redactor, and keeps the last problems. */
export class HostLog implements Log {
  readonly #sink: LogSink;
  readonly #redactor: Redactor;
  readonly #now: () => number;
  readonly #problems: LoggedProblem[] = [];

  /** @param now Wall clock, epoch ms. */
  constructor(sink: LogSink, redactor: Redactor, now: () => number = Date.now) {
    this.#sink = sink;
    this.#redactor = redactor;
    this.#now = now;
  }

  /** The last warnings and errors, the oldest first. */
  get problems(): readonly LoggedProblem[] {
    return this.#problems;
  }

  trace(message: string): void {
    this.#write('trace', message);
  }

  debug(message: string): void {
    this.#write('debug', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string, failure?: unknown): void {
    this.#writeProblem('warn', message, failure);
  }

  error(message: string, failure?: unknown): void {
    this.#writeProblem('error', message, failure);
  }

  request(entry: RequestLogEntry): void {
    const line = describeRequest(entry);
    if (entry.kind === null) this.#write('info', line);
    else if (entry.kind === 'aborted') this.#write('debug', line);
    else this.#writeProblem('warn', line, undefined);
  }

  #writeProblem(level: 'warn' | 'error', message: string, failure: unknown): void {
    const whole = failure === undefined ? message : `${message}: ${describeFailure(failure)}`;
    const line = this.#write(level, whole);
    this.#problems.push({ at: this.#now(), level, line });
    if (this.#problems.length > KEPT_PROBLEMS) this.#problems.shift();
  }

  #write(level: LogLevel, message: string): string {
    const line = this.#redactor.redact(message);
    this.#sink[level](line);
    return line;
  }
}

/** `GET /key 401 signed-out in 34 ms, 0 B sent, 87 B received`, with the tag of what asked in brackets. */
function describeRequest(entry: RequestLogEntry): string {
  const { method, path, status, reason, kind, durationMs, sentBytes, receivedBytes, tag } = entry;
  const outcome = [status ?? 'no response', reasonWord(reason), kind].filter(
    (part) => part !== null,
  );
  const size = `${sentBytes} B sent, ${receivedBytes} B received`;
  const line = `${method} ${path} ${outcome.join(' ')} in ${Math.round(durationMs)} ms, ${size}`;
  return tag === null ? line : `${line} [${tag}]`;
}

/** A reason as the interface's are; one that is no word may quote what was sent, or forge a line. */
function reasonWord(reason: string | null): string | null {
  return reason === null || /^[\w.-]{1,64}$/.test(reason) ? reason : '(a reason in words)';
}

/** A failure for the log. Of an `ApiError` its facts alone: the service's sentence may quote a prompt. */
export function describeFailure(failure: unknown): string {
  if (failure instanceof ApiError) {
    const { route, kind, status, reason, code } = failure;
    return [route, kind, status, reasonWord(reason), code]
      .filter((part) => part !== null)
      .join(' ');
  }
  if (failure instanceof Error) return failure.stack ?? `${failure.name}: ${failure.message}`;
  return `a ${typeof failure} was thrown`;
}
