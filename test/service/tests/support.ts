import assert from 'node:assert/strict';
import { FakeClock } from '../../unit/support/fakeClock.ts';
import {
  startService,
  type Exchange,
  type Observer,
  type Service,
  type ServiceOptions,
} from '../service.ts';

export const OWNER = 'test-key-owner';

/** Waits for events of a service instead of time. */
class Watch implements Observer {
  readonly exchanges: Exchange[] = [];
  readonly #waiting = new Set<() => void>();

  readonly onRequest = (exchange: Exchange): void => {
    this.exchanges.push(exchange);
    this.#wake();
  };

  readonly onResponse = (): void => this.#wake();

  /** Resolves once `holds` returns true, which is checked after each event. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Resolves when the latest response has ended. */
  async over(): Promise<Exchange> {
    await this.until(() => this.exchanges.at(-1)?.outcome !== 'open');
    return this.exchanges.at(-1)!;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** The service of the current test, its clock and its exchanges. */
export let service: Service;
export let clock: FakeClock;
export let watch: Watch;

/** Gives each test of a `describe` its own service. */
export function useService(): void {
  beforeEach(() => listen({}));
  afterEach(() => service.close());
}

export async function restart(options: ServiceOptions): Promise<void> {
  await service.close();
  await listen(options);
}

async function listen(options: ServiceOptions): Promise<void> {
  clock = new FakeClock(Date.UTC(2030, 0, 1));
  watch = new Watch();
  service = await startService({ clock, observer: watch, ...options });
}

export interface Send {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Strings are sent unchanged, other values as JSON. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends a request to a path below the API root. */
export function send(path: string, options: Send = {}): Promise<Response> {
  const { method = 'POST', headers = {}, body, signal } = options;
  const key = 'key' in options ? options.key : OWNER;
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return fetch(`${service.url}${path}`, {
    method,
    headers: { ...authorization, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: signal ?? null,
  });
}

export type Json = Record<string, unknown>;

export interface JsonResponse {
  status: number;
  headers: Headers;
  json: Json;
}

export async function sendJson(path: string, options?: Send): Promise<JsonResponse> {
  const response = await send(path, options);
  const { status, headers } = response;
  return { status, headers, json: (await response.json()) as Json };
}

/** Asserts an error body: `code` equals the status, and `metadata` is only present with a reason. */
export function assertError(response: JsonResponse, status: number, reason?: string): void {
  assert.equal(response.status, status, JSON.stringify(response.json));
  const error = response.json['error'] as Json;
  assert.equal(error['code'], status);
  assert.ok(typeof error['message'] === 'string' && error['message'].length > 0);
  assert.deepEqual(error['metadata'], reason === undefined ? undefined : { reason });
}

export interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: {
    index: number;
    delta: {
      role?: string;
      content?: string;
      reasoning?: string;
      tool_calls?: {
        index: number;
        id: string;
        type: string;
        function: { name: string; arguments: string };
      }[];
    };
    finish_reason: string | null;
  }[];
  error?: { code: number; message: string; metadata: { reason: string } };
  session_id?: string | null;
  usage?: Json | null;
}

/** A complete response of the chat route. */
export type Streamed = ReturnType<typeof parseStream>;

export interface ChatOptions {
  intern?: string;
  key?: string;
  session?: string | undefined;
  mode?: 'manual' | 'self-drive';
  signal?: AbortSignal;
}

export function promptBody(prompt: string, { session, mode = 'manual' }: ChatOptions = {}): Json {
  return {
    stream: true,
    approval_mode: mode,
    messages: [{ role: 'user', content: prompt }],
    ...(session === undefined ? {} : { session_id: session }),
  };
}

/** The request of an answer, with the echo of the tool call. */
export function answerBody(
  call: Streamed['toolCalls'][number],
  session: string,
  content: string,
): Json {
  return {
    stream: true,
    session_id: session,
    messages: [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content },
    ],
  };
}

/** Pads a JSON object to a size in bytes, mostly with characters of two bytes. */
export function padded(fields: object, bytes: number): string {
  const start = JSON.stringify({ ...fields, filler: '' }).slice(0, -'"}'.length);
  const room = bytes - start.length - '"}'.length;
  return `${start}${'ü'.repeat(room >> 1)}${'x'.repeat(room & 1)}"}`;
}

export function chatPath(intern = 'intern_ada'): string {
  return `/interns/${intern}/chat/completions`;
}

/** Starts a chat request without reading its response. */
export function startChat(body: Json, options: ChatOptions = {}) {
  const { intern, key = OWNER, signal } = options;
  return send(chatPath(intern), { key, body, signal });
}

export async function ask(prompt: string, options: ChatOptions = {}): Promise<Streamed> {
  return readStream(await startChat(promptBody(prompt, options), options));
}

/** Sends a chat request that is refused before streaming. */
export function refused(
  body: Json,
  { intern, key = OWNER }: ChatOptions = {},
): Promise<JsonResponse> {
  return sendJson(chatPath(intern), { key, body });
}

export async function readStream(response: Response): Promise<Streamed> {
  assert.equal(response.status, 200);
  return parseStream(await response.text());
}

export function parseStream(raw: string) {
  const data = raw
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length));
  const chunks = data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as Chunk);
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  return {
    raw,
    chunks,
    text: deltas.map(({ content }) => content ?? '').join(''),
    reasoning: deltas.map(({ reasoning }) => reasoning ?? '').join(''),
    toolCalls: deltas.flatMap(({ tool_calls: calls }) => calls ?? []),
    finishReason: chunks.flatMap(({ choices }) => choices).find((c) => c.finish_reason !== null)
      ?.finish_reason,
    error: chunks.find(({ error }) => error !== undefined)?.error,
    final: chunks.find(({ choices }) => choices.length === 0),
    done: data.at(-1) === '[DONE]',
  };
}

/** Sends a prompt that pauses with a question. */
export async function pause(prompt: string, options: ChatOptions = {}) {
  const stream = await ask(prompt, options);
  assert.equal(stream.finishReason, 'tool_calls', stream.raw);
  const session = stream.final?.session_id;
  assert.ok(typeof session === 'string');
  const body = (content: string): Json => answerBody(stream.toolCalls[0]!, session, content);
  return {
    session,
    calls: stream.toolCalls,
    answer: async (content: string) => readStream(await startChat(body(content), options)),
    refusedAnswer: (content: string) => refused(body(content), options),
  };
}

export class StreamReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  read = '';

  constructor(response: Response) {
    assert.equal(response.status, 200);
    this.#reader = response.body!.getReader();
  }

  /** Resolves when `text` was read. @throws Error if the response ends before */
  async upTo(text: string): Promise<string> {
    while (!this.read.includes(text)) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`The response ended without ${JSON.stringify(text)}.`);
      this.read += this.#decoder.decode(value, { stream: true });
    }
    return this.read;
  }
}
