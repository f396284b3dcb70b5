import { createParser } from 'eventsource-parser';
import type { Clock } from '../base/clock.ts';
import { ChunkReader } from './chunks.ts';
import { ApiError } from './errors.ts';
import { MAX_TOOL_CALLS } from './limits.ts';
import { isEventStream, readWrongStream } from './responses.ts';
import type { CallOptions, StreamFacts } from './serviceClient.ts';
import type { HttpExchange } from './transport.ts';
import type { ChatEvent } from './types.ts';
import { Watchdog } from './watchdog.ts';

/** Budget of a chat request until its headers, in milliseconds; the service gives up by itself (504) before. */
const HEADERS_TIMEOUT_MS = 300_000;
/** How long the service may take to end its response after `[DONE]`, so that the connection can be used again. */
const GRACE_AFTER_DONE_MS = 1_000;
/** Most characters that one event may hold back while it is incomplete: four times a request's own limit. */
export const MAX_EVENT_CHARACTERS = 4 * 1_048_576;

/** From how many characters on a network chunk is too large to be copied for the sake of its first line. */
const LARGE_CHUNK_CHARACTERS = 4_096;

/** What {@link readChatStream} needs. */
interface ChatStreamContext {
  /** Prepares the exchange; called when the reading starts. */
  readonly open: () => Promise<HttpExchange>;
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
    if (body?.done !== true) exchange.abort('aborted');
    exchange.close(failure ?? body?.failure ?? null, body?.facts);
  }
}

/** Sends the request and answers with the reader of its stream, once it is one. */
async function sendChat(
  exchange: HttpExchange,
  { onResponse }: CallOptions,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await exchange.send(HEADERS_TIMEOUT_MS);
  if (response.body === null || !isEventStream(response)) {
    throw readWrongStream(await exchange.readText(response), exchange.context);
  }
  exchange.clearDeadline();
  onResponse?.();
  return (response.body as ReadableStream<Uint8Array>).getReader();
}

/** What has been read of a stream: bytes in, events out. */
class ChatBody {
  readonly #chunks: ChunkReader;
  readonly #decoder: EventStreamDecoder;
  readonly #watchdog: Watchdog;

  constructor(exchange: HttpExchange, clock: Clock, { onSilence, onSilenceEnd }: CallOptions) {
    this.#chunks = new ChunkReader(exchange.redact);
    this.#watchdog = new Watchdog({
      clock,
      onSilence: (quietMs) => onSilence?.(quietMs),
      onSilenceEnd: () => onSilenceEnd?.(),
      onDead: () => exchange.abort('severed'),
    });
    this.#decoder = new EventStreamDecoder({
      onData: (data) => this.#chunks.read(data),
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
    return this.#chunks.take();
  }

  /** Reads the end of the bytes and answers with an event that lacked only the blank line after it. */
  end(): readonly ChatEvent[] {
    this.#decoder.end();
    return this.#chunks.take();
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
  exchange: HttpExchange,
  clock: Clock,
): Promise<void> {
  const deadline = clock.setTimeout(() => exchange.abort('aborted'), GRACE_AFTER_DONE_MS);
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

/** Receives the parts of an event stream. Types and ids of events mean nothing in this interface and are dropped. */
interface EventStreamHandlers {
  /** The data of one event, its lines joined by line feeds. */
  readonly onData: (data: string) => void;
  /** The text of a comment line, without the colon and one space. */
  readonly onComment: (comment: string) => void;
}

/**
 * Reads an event stream from bytes cut anywhere, in characters and in line ends too, as the HTML standard says
 * ("Parsing an event stream"): UTF-8 with replacement, one byte order mark, lines ended by LF, CR or CRLF.
 */
export class EventStreamDecoder {
  // The parser takes one byte order mark itself; one taken here as well would be one too many.
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser: { feed(text: string): void };
  #overflowed = false;

  constructor({ onData, onComment }: EventStreamHandlers) {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => onData(data),
      onComment,
      onError: ({ type }) => {
        this.#overflowed ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** Returns whether an event outgrew {@link MAX_EVENT_CHARACTERS}; nothing more is read then. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Reads the next bytes and calls the handlers for what they completed. */
  push(bytes: Uint8Array): void {
    const text = this.#text.decode(bytes, { stream: true });
    if (text.length < LARGE_CHUNK_CHARACTERS) {
      this.#feed(text);
      return;
    }
    // The parser joins what the last chunk left open with all that it is fed: with the rest of that line alone, a large
    // chunk is not copied as a whole.
    const rest = text.indexOf('\n') + 1;
    this.#feed(text.slice(0, rest));
    this.#feed(text.slice(rest));
  }

  /**
   * Ends the stream and hands on an event that lacks only the blank line after it.
   *
   * The standard drops such an event. Here it would lose what was said: in this interface each data line is a whole
   * chunk of JSON, so one that was cut off in its middle cannot be taken for a complete one.
   */
  end(): void {
    this.#feed(`${this.#text.decode()}\n\n`);
  }

  #feed(text: string): void {
    if (!this.#overflowed) this.#parser.feed(text);
  }
}
