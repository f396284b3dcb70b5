import { createParser } from 'eventsource-parser';
import type { Clock } from '../base/clock.ts';
import { ChunkReader } from './chunks.ts';
import { ApiError, type ApiErrorKind } from './errors.ts';
import { MAX_TOOL_CALLS } from './limits.ts';
import { isEventStream, readWrongStream } from './responses.ts';
import type { CallOptions, HttpExchange } from './transport.ts';
import type { ChatEvent } from './types.ts';
import { Watchdog } from './watchdog.ts';

/** Time limit of a chat request until its headers, in ms. The service gives up (504) before that. */
const HEADERS_TIMEOUT_MS = 300_000;
/** How long the service may take to end its response after `[DONE]`, in ms. Then the connection can be reused. */
const GRACE_AFTER_DONE_MS = 1_000;
/** Maximum number of characters of one event: four times the limit of a request. */
export const MAX_EVENT_CHARACTERS = 4 * 1_048_576;
/** Network chunks of this size are not copied to complete a line. */
const LARGE_CHUNK_CHARACTERS = 4_096;

/**
 * Sends a chat request and reads its response through `[DONE]` (interface: Events). See `ServiceClient.streamChat`.
 *
 * Yields once for each network chunk that completed events. It is one generator, not nested in another: one more promise
 * for each chunk would cost as much as parsing an event.
 *
 * @param open prepares the exchange; called when the reading starts
 * @throws ApiError
 */
export async function* readChatStream(
  open: () => Promise<HttpExchange>,
  clock: Clock,
  options: CallOptions,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const exchange = await open();
  const chunks = new ChunkReader(exchange.redact);
  let watchdog: Watchdog | undefined;
  let failure: ApiError | null = null;
  try {
    const reader = await sendChat(exchange, options);
    const { onSilence, onSilenceEnd } = options;
    const onDead = () => exchange.abort('severed');
    const bodyWatchdog = (watchdog = new Watchdog({ clock, onDead, onSilence, onSilenceEnd }));
    const decoder = new EventStreamDecoder(
      (data) => chunks.read(data),
      (comment) => {
        if (comment === 'keepalive') bodyWatchdog.recordKeepalive();
      },
    );
    let ended = false;
    while (!chunks.done && !ended) {
      const { done, value } = await reader.read();
      ended = done;
      exchange.countReceived(value?.length ?? 0);
      if (done) decoder.end();
      else {
        watchdog.recordBytes();
        decoder.push(value);
      }
      const events = chunks.take();
      if (events.length > 0) yield events;
      if (decoder.overflowed) throw streamError('broken-stream', 'An event is too large');
      if (chunks.hasTooManyCalls)
        throw streamError('too-many-calls', `More than ${MAX_TOOL_CALLS} tool calls`);
    }
    if (!chunks.done) throw streamError('severed', 'The stream ended before [DONE]');
    void finishBody(reader, exchange, clock);
    if (!chunks.complete)
      throw streamError('broken-stream', 'The stream lacks its finish chunk or its final chunk');
  } catch (error) {
    failure = exchange.toApiError(error, watchdog !== undefined);
    throw failure;
  } finally {
    watchdog?.dispose();
    if (!chunks.done) exchange.abort('aborted');
    exchange.close(failure ?? chunks.failure, watchdog && chunks.summary);
  }
}

/** Sends the request and returns the reader of its event stream. */
async function sendChat(
  exchange: HttpExchange,
  { onResponse }: CallOptions,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await exchange.send(HEADERS_TIMEOUT_MS);
  if (response.body === null || !isEventStream(response.headers.get('content-type')))
    throw readWrongStream(await exchange.readText(response), exchange.context);
  exchange.clearDeadline();
  onResponse?.(response.receivedAt);
  return (response.body as ReadableStream<Uint8Array>).getReader();
}

/** Reads the rest of the body for a short time, which frees the connection for the next request. */
async function finishBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  exchange: HttpExchange,
  clock: Clock,
): Promise<void> {
  const deadline = clock.setTimeout(() => exchange.abort('aborted'), GRACE_AFTER_DONE_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The response is already complete; how its connection ends does not matter.
  } finally {
    deadline.dispose();
  }
}

function streamError(kind: ApiErrorKind, message: string): ApiError {
  return new ApiError({ kind, route: 'chat', message, inStream: true });
}

/**
 * Reads an event stream from bytes that are cut anywhere, as the HTML standard says ("Parsing an event stream"). Replaces
 * invalid UTF-8, skips one byte order mark, and ends lines at LF, CR or CRLF. Drops the types and IDs of events, which
 * the API does not use.
 */
export class EventStreamDecoder {
  // The parser removes one byte order mark itself.
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser: { feed(text: string): void };
  #overflowed = false;

  /**
   * @param onData gets the data of one event, its lines joined by line feeds
   * @param onComment gets the text of a comment line, without the colon and one space
   */
  constructor(onData: (data: string) => void, onComment: (comment: string) => void) {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => onData(data),
      onComment,
      onError: ({ type }) => {
        this.#overflowed ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** True once an event is longer than {@link MAX_EVENT_CHARACTERS}; nothing more is read then. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  push(bytes: Uint8Array): void {
    const text = this.#text.decode(bytes, { stream: true });
    if (text.length < LARGE_CHUNK_CHARACTERS) {
      this.#feed(text);
      return;
    }
    // The parser concatenates an open line and the text it is fed. Fed only the rest of that line first, it does not copy
    // the whole chunk.
    const rest = text.indexOf('\n') + 1;
    this.#feed(text.slice(0, rest));
    this.#feed(text.slice(rest));
  }

  /**
   * Ends the stream and emits an event that lacks only the blank line after it.
   *
   * The standard drops such an event, which would lose text. Each data line of this API is a whole chunk of JSON,
   * so an event that was cut off in the middle is not mistaken for a complete one.
   */
  end(): void {
    this.#feed(`${this.#text.decode()}\n\n`);
  }

  #feed(text: string): void {
    if (!this.#overflowed) this.#parser.feed(text);
  }
}
