import * as vscode from 'vscode';
import { ApiError, type RequestLogEntry, type Route, type StreamSummary } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log, LogLevel } from './log.ts';
import { Redactor } from './redactor.ts';

const MAX_PROBLEMS = 20;

/** How many stack frames Copy Diagnostics shows of a failure. */
const MAX_FRAMES = 5;

/** The output of a log, such as a `vscode.LogOutputChannel`. */
export type LogSink = Readonly<Record<LogLevel, (line: string) => void>>;

type ProblemLevel = 'warn' | 'error';

/** A logged warning or error that may be published: it holds no ID, no name and no path. */
export interface LoggedProblem {
  /** Epoch ms. */
  readonly at: number;
  readonly level: ProblemLevel;
  /** One line, or a line and stack frames. */
  readonly text: string;
}

const ROUTE_PATHS: Readonly<Record<Route, string>> = {
  chat: '/interns/{id}/chat/completions',
  create: '/interns',
  key: '/key',
  secret: '/vault/secrets/{name}',
};

/** Writes to a sink through a redactor, and keeps the last problems. */
export class HostLog implements Log {
  readonly #sink: LogSink;
  readonly #redactor: Redactor;
  readonly #now: () => number;
  readonly #problems: LoggedProblem[] = [];

  /** @param now wall clock, epoch ms */
  constructor(sink: LogSink, redactor: Redactor, now: () => number = Date.now) {
    this.#sink = sink;
    this.#redactor = redactor;
    this.#now = now;
  }

  /** The last warnings and errors, oldest first. */
  get problems(): readonly LoggedProblem[] {
    return this.#problems;
  }

  debug(message: string): void {
    this.#write('debug', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string, failure?: unknown, about?: string): void {
    this.#writeProblem('warn', message, failure, about);
  }

  error(message: string, failure?: unknown, about?: string): void {
    this.#writeProblem('error', message, failure, about);
  }

  request(entry: RequestLogEntry): void {
    const { path, route, tag, kind, stream } = entry;
    const completion = stream === undefined ? '' : describeCompletion(stream);
    const line = withSubject(`${describeRequest(entry, path)}${completion}`, tag);
    if (kind === 'aborted') this.#write('debug', line);
    else if (kind === null && skippedParts(stream) === '') this.#write('info', line);
    else {
      this.#write('warn', line);
      this.#addProblem('warn', describeRequest(entry, ROUTE_PATHS[route]));
    }
  }

  #writeProblem(level: ProblemLevel, message: string, failure: unknown, about?: string): void {
    const line = withSubject(message, about);
    if (failure === undefined) {
      this.#write(level, line);
      this.#addProblem(level, message);
    } else {
      this.#write(level, `${line}: ${describeFailure(failure)}`);
      this.#addProblem(level, `${message}: ${describePublicly(failure)}`);
    }
  }

  #write(level: LogLevel, message: string): void {
    this.#sink[level](this.#redactor.redact(message));
  }

  #addProblem(level: ProblemLevel, text: string): void {
    this.#problems.push({ at: this.#now(), level, text });
    if (this.#problems.length > MAX_PROBLEMS) this.#problems.shift();
  }
}

export interface LogChannel extends Disposable {
  readonly log: HostLog;
  readonly redactor: Redactor;
  readonly show: () => void;
}

/** Creates the output channel `Interns`. The user sets its level in the editor. */
export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel('Interns', { log: true });
  const redactor = new Redactor();
  return {
    log: new HostLog(channel, redactor),
    redactor,
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}

function withSubject(text: string, subject: string | null | undefined): string {
  return typeof subject === 'string' ? `${text} [${subject}]` : text;
}

/** Returns a line such as `GET /key 401 signed-out in 34 ms, 0 B sent, 87 B received`. */
function describeRequest(entry: RequestLogEntry, path: string): string {
  const { method, status, reason, kind, durationMs, sentBytes, receivedBytes } = entry;
  const outcome = [status ?? 'no response', safeReason(reason), kind].filter(
    (part) => part !== null,
  );
  const size = `${sentBytes} B sent, ${receivedBytes} B received`;
  const skipped = skippedParts(entry.stream);
  return `${method} ${path} ${outcome.join(' ')} in ${Math.round(durationMs)} ms, ${size}${skipped}`;
}

/** Returns text such as `, skipped 2 not-json, 1 tool-call`; empty if nothing was skipped. */
function skippedParts(stream: StreamSummary | undefined): string {
  const parts = Object.entries(stream?.skipped ?? {});
  const counts = parts.map(([problem, count]) => `${count} ${problem}`);
  return counts.length === 0 ? '' : `, skipped ${counts.join(', ')}`;
}

/** Names the completion, so that the service's own log can be searched for it. */
function describeCompletion({ completionId: id }: StreamSummary): string {
  return id === null
    ? ', completion without id'
    : `, completion ${safeToken(id, 'an id in words')}`;
}

function safeReason(reason: string | null): string | null {
  return reason === null ? null : safeToken(reason, 'a reason in words');
}

/** Returns an ID or reason of the service, or a placeholder if it could quote a prompt or forge a log line. */
function safeToken(text: string, placeholder: string): string {
  return /^[\w.:-]{1,128}$/.test(text) ? text : `(${placeholder})`;
}

/** Describes a failure for the log. The message of an `ApiError` is left out: it may quote a prompt. */
function describeFailure(failure: unknown): string {
  if (failure instanceof ApiError) {
    const { route, kind, status, reason, code } = failure;
    return [route, kind, status, safeReason(reason), code]
      .filter((part) => part !== null)
      .join(' ');
  }
  if (failure instanceof Error) return failure.stack ?? `${failure.name}: ${failure.message}`;
  return `a ${typeof failure} was thrown`;
}

/** Describes a failure for diagnostics by name, code and stack frames. Its message may hold a path or a piece of a file. */
function describePublicly(failure: unknown): string {
  if (failure instanceof ApiError || !(failure instanceof Error)) return describeFailure(failure);
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : '';
  const frames = (failure.stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.replace(/^( {4}at )([^\\/]*? \()?.*[\\/]/, '$1$2'));
  return [`${failure.name} ${code}`.trim(), ...frames].join('\n');
}
