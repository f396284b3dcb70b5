import * as v from 'valibot';
import { isObject, parseJson } from '../base/json.ts';
import { createTemplate, type ChunkTemplate } from './chunkTemplate.ts';
import { ApiError } from './errors.ts';
import { checkSessionId, MAX_TOOL_CALLS } from './limits.ts';
import { refusalError } from './responses.ts';
import { chunkSchema, toolCallSchema, usageSchema, type Chunk } from './schemas.ts';
import type { StreamSummary } from './transport.ts';
import type { ChatEvent, MalformedProblem } from './types.ts';

/** The data of the event that ends a stream. */
const DONE = '[DONE]';
/** The model that the service reports if the intern reports none. */
const PLACEHOLDER_MODEL = 'service/intern';

/** Chunks of text that are parsed in full before the template is made again. */
const TEMPLATE_REFRESH_INTERVAL = 32;

const MAX_COMPLETION_ID_CHARACTERS = 256;

/**
 * Turns the data of events into {@link ChatEvent}s, and tracks the state of the response.
 *
 * The number of events of a chunk must not change: a record counts them, and another version may continue to read.
 */
export class ChunkReader {
  readonly #redact: (text: string) => string;
  #events: ChatEvent[] = [];
  #template: ChunkTemplate | null = null;
  #readInFullCount = 0;
  #hasRole = false;
  #hasFinish = false;
  #hasFinal = false;
  #isDone = false;
  #calls = 0;
  #completionId: string | null = null;
  #failure: ApiError | null = null;
  readonly #skipped = new Map<MalformedProblem, number>();

  /** @param redact removes secrets from what the service says about a failure */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** True once `[DONE]` came. Later data is ignored. */
  get done(): boolean {
    return this.#isDone;
  }

  /** True once the finish chunk and the final chunk came. */
  get complete(): boolean {
    return this.#hasFinish && this.#hasFinal;
  }

  /** True once there are more tool calls than {@link MAX_TOOL_CALLS}. Later data is ignored. */
  get hasTooManyCalls(): boolean {
    return this.#calls > MAX_TOOL_CALLS;
  }

  get summary(): StreamSummary {
    return { completionId: this.#completionId, skipped: Object.fromEntries(this.#skipped) };
  }

  /** Returns the events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  /** The failure in the finish chunk, if there is one. */
  get failure(): ApiError | null {
    return this.#failure;
  }

  /** Reads the data of one event. Never throws. */
  read(data: string): void {
    if (this.#isDone || this.hasTooManyCalls) return;
    if (data === DONE) {
      this.#isDone = true;
      return;
    }
    const text = this.#template?.(data);
    if (isText(text)) this.#events.push({ kind: 'text', text });
    else this.#readInFull(data);
  }

  #readInFull(data: string): void {
    const chunk = parseJson(data);
    this.#completionId ??= readCompletionId(chunk);
    const event = readPlainDelta(chunk);
    if (event !== null) {
      this.#events.push(event);
      if (event.kind === 'text') this.#refreshTemplate(event.text, data);
    } else if (chunk === undefined) this.#readLines(data);
    else this.#readChunk(chunk);
  }

  /** Runs for few chunks only: a template is no use if every chunk differs in more than its text. */
  #refreshTemplate(text: string, data: string): void {
    if (this.#readInFullCount++ % TEMPLATE_REFRESH_INTERVAL !== 0) return;
    this.#template = createTemplate(text, data, (json) => {
      const event = readPlainDelta(parseJson(json));
      return event?.kind === 'text' ? event.text : null;
    });
  }

  /** Reads each line as a chunk, for services that leave out the blank lines between events. */
  #readLines(data: string): void {
    const lines = data.split('\n');
    if (lines.length === 1) this.#skip('not-json');
    else for (const line of lines) if (line.trim() !== '') this.read(line);
  }

  #readChunk(value: unknown): void {
    const read = v.safeParse(chunkSchema, value);
    const chunk = read.success ? read.output : null;
    const isFinal = chunk?.session_id !== undefined || chunk?.usage !== undefined;
    if (chunk === null || (chunk.choices.length === 0 && chunk.error === null && !isFinal)) {
      this.#skip('not-a-chunk');
      return;
    }
    this.#readDelta(chunk);
    this.#readFinish(chunk);
    if (chunk.choices.length === 0 && isFinal) this.#readFinal(chunk);
  }

  #readDelta({ choices }: Chunk): void {
    const delta = choices[0]?.delta;
    if (delta === undefined) return;
    if (delta.role !== null && !this.#hasRole) {
      this.#hasRole = true;
      this.#events.push({ kind: 'role' });
    }
    if (isText(delta.reasoning)) this.#events.push({ kind: 'reasoning', text: delta.reasoning });
    if (isText(delta.content)) this.#events.push({ kind: 'text', text: delta.content });
    const calls: unknown = delta.tool_calls ?? [];
    for (const entry of Array.isArray(calls) ? (calls as unknown[]) : [calls]) {
      this.#calls += 1;
      if (this.hasTooManyCalls) return;
      const { success, output: call } = v.safeParse(toolCallSchema, entry);
      if (success) this.#events.push({ kind: 'interaction', call });
      else this.#skip('tool-call');
    }
    if (choices.length > 1) this.#skip('extra-choice');
  }

  #readFinish({ choices, error }: Chunk): void {
    const reason = error === null ? (choices[0]?.finish_reason ?? null) : 'error';
    if (reason === null) return;
    if (this.#hasFinish) {
      this.#skip('second-finish');
      return;
    }
    this.#hasFinish = true;
    if (reason === 'stop' || reason === 'tool_calls') {
      this.#events.push({ kind: 'finish', reason });
      return;
    }
    const isError = reason === 'error';
    this.#failure = isError ? this.#readFailure(error) : this.#unlistedFinish(reason);
    const listed = isError ? reason : 'unlisted';
    this.#events.push({ kind: 'finish', reason: listed, error: this.#failure });
  }

  #readFinal(chunk: Chunk): void {
    if (this.#hasFinal) {
      this.#skip('second-end');
      return;
    }
    this.#hasFinal = true;
    const { session_id: id = null, usage: reported = null } = chunk;
    const sessionId = typeof id === 'string' && checkSessionId(id) === null ? id : null;
    if (sessionId !== id) this.#skip('session-id');
    const read = v.safeParse(v.nullable(usageSchema), reported);
    const usage = read.success ? read.output : null;
    if (!read.success) this.#skip('usage');
    const model = chunk.model === PLACEHOLDER_MODEL ? null : chunk.model;
    const completionId = this.#completionId;
    this.#events.push({ kind: 'end', sessionId, usage, model, completionId });
  }

  #skip(problem: MalformedProblem): void {
    this.#skipped.set(problem, (this.#skipped.get(problem) ?? 0) + 1);
    this.#events.push({ kind: 'malformed', problem });
  }

  #unlistedFinish(reason: string): ApiError {
    return new ApiError({
      kind: 'unlisted-finish',
      route: 'chat',
      message: 'The API does not list this finish reason',
      reason: this.#redact(reason),
      inStream: true,
    });
  }

  #readFailure(error: Chunk['error']): ApiError {
    const { code: status = null, metadata, message = '' } = error ?? {};
    const reason = metadata?.reason ?? null;
    return refusalError({ route: 'chat', status, reason, message, inStream: true }, this.#redact);
  }
}

/**
 * Reads a chunk that carries only text or reasoning; returns null for any other.
 *
 * Nearly all chunks are of this kind. It is checked by hand, because a schema would cost more than parsing the JSON.
 */
function readPlainDelta(chunk: unknown): ChatEvent | null {
  if (!isObject(chunk)) return null;
  const { choices, error } = chunk;
  if (!Array.isArray(choices) || choices.length !== 1 || error !== undefined) return null;
  const choice: unknown = choices[0];
  if (!isObject(choice)) return null;
  const { delta, finish_reason: finishReason } = choice;
  if (finishReason !== null || !isObject(delta)) return null;
  const { role, content, reasoning, tool_calls: toolCalls } = delta;
  if (role !== undefined || toolCalls !== undefined) return null;
  if (reasoning === undefined && isText(content)) return { kind: 'text', text: content };
  if (content === undefined && isText(reasoning)) return { kind: 'reasoning', text: reasoning };
  return null;
}

function readCompletionId(chunk: unknown): string | null {
  const id = isObject(chunk) ? chunk['id'] : null;
  return isText(id) && id.length <= MAX_COMPLETION_ID_CHARACTERS ? id : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
