import type { Clock } from '../base/clock.ts';
import { ChunkReader } from './chunks.ts';
import { ApiError } from './errors.ts';
import { MAX_TOOL_CALLS } from './limits.ts';
import { isEventStream, readWrongStream } from './responses.ts';
import type { CallOptions, StreamFacts } from './serviceClient.ts';
import { EventStreamDecoder } from './sse.ts';
import type { Exchange } from './transport.ts';
import type { ChatEvent } from './types.ts';
import { Watchdog } from './watchdog.ts';

/** Budget of a chat request until its headers, in milliseconds; the service gives up by itself (504) before. */
const HEADERS_TIMEOUT_MS = 300_000;
/** How long the service may take to end its response after `[DONE]`, so that the connection can be used again. */
const GRACE_AFTER_DONE_MS = 1_000;

/** What {@link readChatStream} needs. */
interface ChatStreamContext {
  /** Prepares the exchange; called when the reading starts. */
  readonly open: () => Promise<Exchange>;
  readonly clock: Clock;
  readonly options: CallOptions;
}

/**
 * Sends a chat request and reads its response through `[DONE]`, see `ServiceClient.streamChat`.
 *
 * Yields once for each network chunk that completed events, from one generator that is not nested in another: each
 * promise more for a chunk would cost as much as the parsing of an event.
 *
 * @throws ApiError
 */
export async function* readChatStream({
  open,
  clock,
  options,
}: ChatStreamContext): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const exchange = await open();
  let body: ChatBody | null = null;
  let failure: ApiError | null = null;
  try {
    const reader = await sendChat(exchange, options);
    body = new ChatBody(exchange, clock, options);
    while (!body.done) {
      const { done, value } = await reader.read();
      exchange.countReceived(value?.length ?? 0);
      const events = done ? body.end() : body.push(value);
      if (events.length > 0) yield events;
      if (done || body.excess !== null) body.requireDone();
    }
    void finishBody(reader, exchange, clock);
    body.requireComplete();
  } catch (error) {
    failure = exchange.toApiError(error, body !== null);
    throw failure;
  } finally {
    body?.dispose();
    if (body?.done !== true) exchange.end('aborted');
    exchange.close(failure ?? body?.failure ?? null, body?.facts);
  }
}

/** Sends the request and answers with the reader of its stream, once it is one. */
async function sendChat(
  exchange: Exchange,
  { onResponse }: CallOptions,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await exchange.send(HEADERS_TIMEOUT_MS);
  if (response.body === null || !isEventStream(response)) {
    throw readWrongStream(await exchange.readText(response), exchange.context);
  }
  exchange.lift();
  onResponse?.();
  return (response.body as ReadableStream<Uint8Array>).getReader();
}

/** What has been read of a stream: bytes in, events out. */
class ChatBody {
  readonly #chunks: ChunkReader;
  readonly #decoder: EventStreamDecoder;
  readonly #watchdog: Watchdog;
  #events: ChatEvent[] = [];

  constructor(exchange: Exchange, clock: Clock, { onSilence, onSound }: CallOptions) {
    this.#chunks = new ChunkReader(exchange.redact);
    this.#watchdog = new Watchdog({
      clock,
      onSilence: (quietMs) => onSilence?.(quietMs),
      onSound: () => onSound?.(),
      onDead: () => exchange.end('severed'),
    });
    this.#decoder = new EventStreamDecoder({
      onData: (data) => this.#chunks.read(data, this.#events),
      onComment: (comment) => {
        if (comment === 'keepalive') this.#watchdog.recordKeepalive();
      },
    });
  }

  /** Whether `[DONE]` came. */
  get done(): boolean {
    return this.#chunks.done;
  }

  /** Why nothing more is read of a stream that has outgrown a limit; null where it has not. */
  get excess(): ApiError | null {
    if (this.#decoder.overflowed) return inStream('broken-stream', 'An event is too large');
    if (!this.#chunks.hasTooManyCalls) return null;
    return inStream('too-many-calls', `More than ${MAX_TOOL_CALLS} tool calls`);
  }

  /** The failure that the finish chunk told of. */
  get failure(): ApiError | null {
    return this.#chunks.failure;
  }

  get facts(): StreamFacts {
    return this.#chunks.facts;
  }

  /** Reads a network chunk and answers with the events that it completed. */
  push(bytes: Uint8Array): readonly ChatEvent[] {
    this.#watchdog.recordBytes();
    this.#decoder.push(bytes);
    return this.#take();
  }

  /** Reads the end of the bytes and answers with an event that lacked only the blank line after it. */
  end(): readonly ChatEvent[] {
    this.#decoder.end();
    return this.#take();
  }

  #take(): readonly ChatEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  /** @throws ApiError where the bytes ended, or can be read no further, before `[DONE]` */
  requireDone(): void {
    const { excess } = this;
    if (excess !== null) throw excess;
    if (!this.done) throw inStream('severed', 'The stream ended before [DONE]');
  }

  /** @throws ApiError where `[DONE]` came without all that must come before it */
  requireComplete(): void {
    if (this.#chunks.complete) return;
    throw inStream('broken-stream', 'The stream lacks its finish chunk or its final chunk');
  }

  dispose(): void {
    this.#watchdog.dispose();
  }
}

/** Reads on to the end of the body, which frees the connection for the next request, but not for long. */
async function finishBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  exchange: Exchange,
  clock: Clock,
): Promise<void> {
  const deadline = clock.setTimeout(() => exchange.end('aborted'), GRACE_AFTER_DONE_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The response is complete already; how its connection ends is of no interest.
  } finally {
    deadline.dispose();
  }
}

function inStream(kind: 'severed' | 'broken-stream' | 'too-many-calls', message: string): ApiError {
  return new ApiError({ kind, route: 'chat', message, inStream: true });
}
