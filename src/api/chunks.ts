import * as v from 'valibot';
import { Envelope } from './envelope.ts';
import { kindOfRefusal } from './errorKinds.ts';
import { ApiError } from './errors.ts';
import { checkSessionId } from './limits.ts';
import { readQuestion } from './question.ts';
import { chunkSchema, toolCallSchema, usageSchema, type Chunk } from './schemas.ts';
import type { ChatEvent, MalformedProblem, Usage } from './types.ts';

/** The data of the event that ends a stream. */
const DONE = '[DONE]';
/** What the service reports as the model where the intern reports none. */
const PLACEHOLDER_MODEL = 'service/intern';

/** Chunks of text that are parsed in full before their surroundings are learned again. */
const CHUNKS_A_LESSON = 32;

/** A chunk of which nothing is known yet. */
interface LooseChunk {
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
  #envelope: Envelope | null = null;
  #readInFullCount = 0;
  #begun = false;
  #finished = false;
  #ended = false;
  #done = false;

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

  /** Reads the data of one event and appends what it says to `out`. Never throws. */
  read(data: string, out: ChatEvent[]): void {
    if (this.#done) return;
    if (data === DONE) {
      this.#done = true;
      return;
    }
    const text = this.#envelope?.open(data) ?? '';
    if (text === '') this.#readInFull(data, out);
    else out.push({ kind: 'text', text });
  }

  #readInFull(data: string, out: ChatEvent[]): void {
    const chunk = parseJson(data);
    const event = readPlainDelta(chunk);
    if (event !== null) {
      out.push(event);
      if (event.kind === 'text') this.#learn(event.text, data);
    } else if (chunk === undefined) this.#readLines(data, out);
    else this.#readChunk(chunk, data.length, out);
  }

  /** Now and then only: where every chunk differs in more than its text, learning would cost and never pay. */
  #learn(text: string, data: string): void {
    if (this.#readInFullCount++ % CHUNKS_A_LESSON !== 0) return;
    this.#envelope = Envelope.around(text, data, (json) => {
      const event = readPlainDelta(parseJson(json));
      return event?.kind === 'text' ? event.text : null;
    });
  }

  /** Each data line is a chunk of its own, even where a sender left out the blank lines between them. */
  #readLines(data: string, out: ChatEvent[]): void {
    const lines = data.split('\n');
    if (lines.length === 1) out.push(malformed('not-json', data.length));
    else for (const line of lines) if (line.trim() !== '') this.read(line, out);
  }

  #readChunk(value: unknown, length: number, out: ChatEvent[]): void {
    const read = v.safeParse(chunkSchema, value);
    const chunk = read.success ? read.output : null;
    const isFinal = chunk?.session_id !== undefined || chunk?.usage !== undefined;
    if (chunk === null || (chunk.choices.length === 0 && chunk.error === null && !isFinal)) {
      out.push(malformed('not-a-chunk', length));
      return;
    }
    this.#readDelta(chunk, length, out);
    this.#readFinish(chunk, length, out);
    if (chunk.choices.length === 0 && isFinal) this.#readEnd(chunk, length, out);
  }

  #readDelta({ choices }: Chunk, length: number, out: ChatEvent[]): void {
    const delta = choices[0]?.delta;
    if (delta === undefined) return;
    if (delta.role !== null && !this.#begun) {
      this.#begun = true;
      out.push({ kind: 'role' });
    }
    if (isText(delta.reasoning)) out.push({ kind: 'reasoning', text: delta.reasoning });
    if (isText(delta.content)) out.push({ kind: 'text', text: delta.content });
    const calls = delta.tool_calls ?? [];
    if (!Array.isArray(calls)) out.push(malformed('tool-call', length));
    else for (const entry of calls as unknown[]) out.push(readToolCall(entry, length));
    if (choices.length > 1) out.push(malformed('extra-choice', length));
  }

  #readFinish({ choices, error }: Chunk, length: number, out: ChatEvent[]): void {
    const reason = error === null ? (choices[0]?.finish_reason ?? null) : 'error';
    if (reason === null) return;
    if (this.#finished) {
      out.push(malformed('second-finish', length));
      return;
    }
    this.#finished = true;
    if (reason === 'error') {
      out.push({ kind: 'finish', reason, error: this.#failure(error) });
      return;
    }
    const known = reason === 'tool_calls' || reason === 'stop';
    if (!known) out.push(malformed('finish-reason', length));
    out.push({ kind: 'finish', reason: known ? reason : 'stop' });
  }

  #readEnd(chunk: Chunk, length: number, out: ChatEvent[]): void {
    if (this.#ended) {
      out.push(malformed('second-end', length));
      return;
    }
    this.#ended = true;
    const sessionId = readSessionId(chunk.session_id ?? null);
    if (sessionId === undefined) out.push(malformed('session-id', length));
    const usage = readUsage(chunk.usage ?? null);
    if (usage === undefined) out.push(malformed('usage', length));
    const model = chunk.model === PLACEHOLDER_MODEL ? null : chunk.model;
    out.push({ kind: 'end', sessionId: sessionId ?? null, usage: usage ?? null, model });
  }

  #failure(error: Chunk['error']): ApiError {
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

/** Undefined where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readToolCall(entry: unknown, length: number): ChatEvent {
  const read = v.safeParse(toolCallSchema, entry);
  if (!read.success) return malformed('tool-call', length);
  const { index, id, function: called } = read.output;
  const call = { index, id, name: called.name, arguments: called.arguments };
  return { kind: 'interaction', call, question: readQuestion(call) };
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

function malformed(problem: MalformedProblem, length: number): ChatEvent {
  return { kind: 'malformed', problem, length };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
