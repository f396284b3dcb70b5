import * as v from 'valibot';
import { parseJson } from '../base/json.ts';
import { ChunkTemplate } from './chunkTemplate.ts';
import { kindOfRefusal } from './errorKinds.ts';
import { ApiError } from './errors.ts';
import { checkSessionId, MAX_TOOL_CALLS } from './limits.ts';
import { readQuestion } from './question.ts';
import { chunkSchema, toolCallSchema, usageSchema, type Chunk } from './schemas.ts';
import type { StreamFacts } from './serviceClient.ts';
import type { ChatEvent, MalformedProblem, Usage } from './types.ts';

/** The data of the event that ends a stream. */
const DONE = '[DONE]';
/** What the service reports as the model where the intern reports none. */
const PLACEHOLDER_MODEL = 'service/intern';

/** Chunks of text that are parsed in full before their surroundings are learned again. */
const TEMPLATE_REFRESH_INTERVAL = 32;

/** Longer ids say no more: they are not kept. */
const MAX_COMPLETION_ID_CHARACTERS = 256;

/** A chunk of which nothing is known yet. */
interface LooseChunk {
  readonly id?: unknown;
  readonly choices?: unknown;
  readonly error?: unknown;
}

interface LooseChoice {
  readonly delta?: unknown;
  readonly finish_reason?: unknown;
}

interface LooseDelta {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: unknown;
}

/** Turns the data of events into {@link ChatEvent}s, and remembers how far the response has come. */
export class ChunkReader {
  readonly #redact: (text: string) => string;
  #events: ChatEvent[] = [];
  #template: ChunkTemplate | null = null;
  #readInFullCount = 0;
  #begun = false;
  #finished = false;
  #ended = false;
  #done = false;
  #calls = 0;
  #completionId: string | null = null;
  #failure: ApiError | null = null;
  readonly #skipped = new Map<MalformedProblem, number>();

  /** @param redact takes secrets out of what the service says about a failure */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Whether `[DONE]` came. What follows it is not read. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether the finish chunk and the final chunk came. */
  get complete(): boolean {
    return this.#finished && this.#ended;
  }

  /** Whether the response holds more tool calls than {@link MAX_TOOL_CALLS}. The rest is not read. */
  get hasTooManyCalls(): boolean {
    return this.#calls > MAX_TOOL_CALLS;
  }

  /** What a log may tell of the stream. */
  get facts(): StreamFacts {
    return { completionId: this.#completionId, skipped: Object.fromEntries(this.#skipped) };
  }

  /** Returns the events that were read since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  /** How the run failed, by the finish chunk; null if that names no failure. */
  get failure(): ApiError | null {
    return this.#failure;
  }

  /** Reads the data of one event; {@link take} returns what it says. Never throws. */
  read(data: string): void {
    if (this.#done || this.hasTooManyCalls) return;
    if (data === DONE) {
      this.#done = true;
      return;
    }
    const text = this.#template?.textOf(data) ?? '';
    if (text === '') this.#readInFull(data);
    else this.#events.push({ kind: 'text', text });
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

  /** Now and then only: where every chunk differs in more than its text, learning would cost and never pay. */
  #refreshTemplate(text: string, data: string): void {
    if (this.#readInFullCount++ % TEMPLATE_REFRESH_INTERVAL !== 0) return;
    this.#template = ChunkTemplate.learn(text, data, (json) => {
      const event = readPlainDelta(parseJson(json));
      return event?.kind === 'text' ? event.text : null;
    });
  }

  /** Each data line is a chunk of its own, even where a sender left out the blank lines between them. */
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
    if (chunk.choices.length === 0 && isFinal) this.#readEnd(chunk);
  }

  #readDelta({ choices }: Chunk): void {
    const delta = choices[0]?.delta;
    if (delta === undefined) return;
    if (delta.role !== null && !this.#begun) {
      this.#begun = true;
      this.#events.push({ kind: 'role' });
    }
    if (isText(delta.reasoning)) this.#events.push({ kind: 'reasoning', text: delta.reasoning });
    if (isText(delta.content)) this.#events.push({ kind: 'text', text: delta.content });
    const calls: unknown = delta.tool_calls ?? [];
    for (const entry of Array.isArray(calls) ? (calls as unknown[]) : [calls]) {
      this.#calls += 1;
      if (this.hasTooManyCalls) return;
      const event = readToolCall(entry);
      if (event === null) this.#skip('tool-call');
      else this.#events.push(event);
    }
    if (choices.length > 1) this.#skip('extra-choice');
  }

  #readFinish({ choices, error }: Chunk): void {
    const reason = error === null ? (choices[0]?.finish_reason ?? null) : 'error';
    if (reason === null) return;
    if (this.#finished) {
      this.#skip('second-finish');
      return;
    }
    this.#finished = true;
    if (reason === 'stop' || reason === 'tool_calls') {
      this.#events.push({ kind: 'finish', reason });
      return;
    }
    const isListed = reason === 'error';
    this.#failure = isListed ? this.#readFailure(error) : this.#unlistedFinish(reason);
    this.#events.push({
      kind: 'finish',
      reason: isListed ? reason : 'unlisted',
      error: this.#failure,
    });
  }

  #readEnd(chunk: Chunk): void {
    if (this.#ended) {
      this.#skip('second-end');
      return;
    }
    this.#ended = true;
    const sessionId = readSessionId(chunk.session_id ?? null);
    if (sessionId === undefined) this.#skip('session-id');
    const usage = readUsage(chunk.usage ?? null);
    if (usage === undefined) this.#skip('usage');
    const model = chunk.model === PLACEHOLDER_MODEL ? null : chunk.model;
    const completionId = this.#completionId;
    this.#events.push({
      kind: 'end',
      sessionId: sessionId ?? null,
      usage: usage ?? null,
      model,
      completionId,
    });
  }

  #skip(problem: MalformedProblem): void {
    this.#skipped.set(problem, (this.#skipped.get(problem) ?? 0) + 1);
    this.#events.push({ kind: 'malformed', problem });
  }

  #unlistedFinish(reason: string): ApiError {
    return new ApiError({
      kind: 'unlisted-finish',
      route: 'chat',
      message: 'The finish reason is not one that the interface lists',
      reason: this.#redact(reason),
      inStream: true,
    });
  }

  #readFailure(error: Chunk['error']): ApiError {
    const status = error?.code ?? null;
    const reason = error?.metadata?.reason ?? null;
    return new ApiError({
      kind: kindOfRefusal({ route: 'chat', status, reason }),
      route: 'chat',
      message: this.#redact(error?.message ?? ''),
      status,
      reason: reason === null ? null : this.#redact(reason),
      inStream: true,
    });
  }
}

/**
 * Reads a chunk that carries a piece of text or reasoning and nothing else, null where it is any other.
 *
 * Nearly all chunks are of this kind, and a schema would cost more than parsing their JSON: checked by hand.
 */
function readPlainDelta(chunk: unknown): ChatEvent | null {
  if (typeof chunk !== 'object' || chunk === null) return null;
  const { choices, error } = chunk as LooseChunk;
  if (!Array.isArray(choices) || choices.length !== 1 || error !== undefined) return null;
  const choice: unknown = choices[0];
  if (typeof choice !== 'object' || choice === null) return null;
  const { delta, finish_reason: finishReason } = choice as LooseChoice;
  if (finishReason !== null || typeof delta !== 'object' || delta === null) return null;
  const { role, content, reasoning, tool_calls: toolCalls } = delta as LooseDelta;
  if (role !== undefined || toolCalls !== undefined) return null;
  if (reasoning === undefined && isText(content)) return { kind: 'text', text: content };
  if (content === undefined && isText(reasoning)) return { kind: 'reasoning', text: reasoning };
  return null;
}

/** Null where it lacks what every call has. */
function readToolCall(entry: unknown): ChatEvent | null {
  const read = v.safeParse(toolCallSchema, entry);
  if (!read.success) return null;
  const { index, id, function: called } = read.output;
  const call = { index, id, name: called.name, arguments: called.arguments };
  return { kind: 'interaction', call, question: readQuestion(call) };
}

function readCompletionId(chunk: unknown): string | null {
  const id = typeof chunk === 'object' && chunk !== null ? (chunk as LooseChunk).id : null;
  return isText(id) && id.length <= MAX_COMPLETION_ID_CHARACTERS ? id : null;
}

/** Undefined where there is an id that is none: it could not be sent back. */
function readSessionId(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === 'string' && checkSessionId(value) === null ? value : undefined;
}

function readUsage(value: unknown): Usage | null | undefined {
  if (value === null) return null;
  const read = v.safeParse(usageSchema, value);
  return read.success ? read.output : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
