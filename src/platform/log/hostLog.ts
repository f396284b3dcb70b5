import * as vscode from 'vscode';
import { ApiError, type RequestLogEntry, type Route, type StreamFacts } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log, LogLevel } from './log.ts';
import { Redactor } from './redactor.ts';

/** Warnings and errors that are kept for diagnostics. */
const MAX_PROBLEMS = 20;

/** Where lines end up; a `vscode.LogOutputChannel` is one. */
export type LogSink = Readonly<Record<LogLevel, (line: string) => void>>;

/** A warning or an error that was logged, as everyone may read it: without an id, a name or a path. */
export interface LoggedProblem {
  /** Epoch ms. */
  readonly at: number;
  readonly level: 'warn' | 'error';
  /** One line, or a line and the places in the code that the failure came through. */
  readonly text: string;
}

/** The interface's routes, as it writes them. */
const routes: Readonly<Record<Route, string>> = {
  chat: '/interns/{id}/chat/completions',
  create: '/interns',
  key: '/key',
  secret: '/vault/secrets/{name}',
};

/** Places in the code that are told of a failure; those that it came from are the first. */
const MAX_PLACES = 5;

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
    const line = about(`${describeRequest(entry, path)}${completion}`, tag);
    if (kind === 'aborted') this.#write('debug', line);
    else if (kind === null && skippedParts(stream) === '') this.#write('info', line);
    else {
      this.#write('warn', line);
      this.#addProblem('warn', describeRequest(entry, routes[route]));
    }
  }

  #writeProblem(
    level: 'warn' | 'error',
    message: string,
    failure: unknown,
    subject: string | undefined,
  ): void {
    const what = about(message, subject);
    if (failure === undefined) {
      this.#write(level, what);
      this.#addProblem(level, message);
    } else {
      this.#write(level, `${what}: ${describeFailure(failure)}`);
      this.#addProblem(level, `${message}: ${describeForEveryone(failure)}`);
    }
  }

  #write(level: LogLevel, message: string): void {
    this.#sink[level](this.#redactor.redact(message));
  }

  #addProblem(level: 'warn' | 'error', text: string): void {
    this.#problems.push({ at: this.#now(), level, text });
    if (this.#problems.length > MAX_PROBLEMS) this.#problems.shift();
  }
}

/** The log as the host uses it and as the user sees it. */
export interface LogChannel extends Disposable {
  readonly log: HostLog;
  readonly redactor: Redactor;
  readonly show: () => void;
}

/** Makes the output channel `Interns`, whose level the user sets in the editor. */
export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel('Interns', { log: true });
  const redactor = new Redactor();
  return {
    log: new HostLog(channel, redactor),
    redactor,
    show: () => {
      channel.show();
    },
    dispose: () => {
      channel.dispose();
    },
  };
}

/** The text with what it is about in brackets. */
function about(text: string, subject: string | null | undefined): string {
  return typeof subject === 'string' ? `${text} [${subject}]` : text;
}

/** `GET /key 401 signed-out in 34 ms, 0 B sent, 87 B received`, and what was skipped of a stream. */
function describeRequest(entry: RequestLogEntry, path: string): string {
  const { method, status, reason, kind, durationMs, sentBytes, receivedBytes } = entry;
  const outcome = [status ?? 'no response', reasonWord(reason), kind].filter(
    (part) => part !== null,
  );
  const size = `${sentBytes} B sent, ${receivedBytes} B received`;
  const skipped = skippedParts(entry.stream);
  return `${method} ${path} ${outcome.join(' ')} in ${Math.round(durationMs)} ms, ${size}${skipped}`;
}

/** `, skipped 2 not-json, 1 tool-call`; empty where all was read. */
function skippedParts(stream: StreamFacts | undefined): string {
  const parts = Object.entries(stream?.skipped ?? {});
  const counts = parts.map(([problem, count]) => `${count} ${problem}`);
  return counts.length === 0 ? '' : `, skipped ${counts.join(', ')}`;
}

/** The id by which the service's own log can be searched. */
function describeCompletion({ completionId: id }: StreamFacts): string {
  return id === null ? ', completion without id' : `, completion ${word(id, 'an id in words')}`;
}

function reasonWord(reason: string | null): string | null {
  return reason === null ? null : word(reason, 'a reason in words');
}

/** A text of the service as ids and reasons are; one that is no word may quote what was sent, or forge a line. */
function word(text: string, otherwise: string): string {
  return /^[\w.:-]{1,128}$/.test(text) ? text : `(${otherwise})`;
}

/** A failure for the log. Of an `ApiError` its facts alone: the service's sentence may quote a prompt. */
function describeFailure(failure: unknown): string {
  if (failure instanceof ApiError) {
    const { route, kind, status, reason, code } = failure;
    return [route, kind, status, reasonWord(reason), code]
      .filter((part) => part !== null)
      .join(' ');
  }
  if (failure instanceof Error) return failure.stack ?? `${failure.name}: ${failure.message}`;
  return `a ${typeof failure} was thrown`;
}

/**
 * A failure for diagnostics. An error's message may hold a path, a name or a piece of a file: its kind, its code and the
 * places in our code that it came through are all that is told.
 */
function describeForEveryone(failure: unknown): string {
  if (failure instanceof ApiError || !(failure instanceof Error)) return describeFailure(failure);
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : '';
  const places = (failure.stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, MAX_PLACES)
    .map((line) => line.replace(/[^\s()]*[\\/]/g, ''));
  return [`${failure.name} ${code}`.trim(), ...places].join('\n');
}
