import type { Clock } from '../base/clock.ts';
import { ChunkReader } from './chunks.ts';
import { ApiError } from './errors.ts';
import { EventStreamDecoder } from './sse.ts';
import type { Exchange } from './transport.ts';
import type { ChatEvent } from './types.ts';
import { Watchdog } from './watchdog.ts';

/** How long the service may take to end its response after `[DONE]`, so that the connection can be used again. */
const GRACE_AFTER_DONE_MS = 1_000;

/** What {@link readChatStream} needs beside the stream. */
export interface ChatStreamContext {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly onSilence: (quietMs: number) => void;
}

/**
 * Reads the body of a chat response through `[DONE]`.
 *
 * Yields once for each network chunk that completed events: a promise for every event would cost more than its parsing.
 *
 * @throws ApiError in-stream: `severed` where the stream ends or falls silent before `[DONE]`, `broken-stream` where it
 *   is `[DONE]` without all that comes before it, `aborted`
 */
export async function* readChatStream(
  body: ReadableStream<Uint8Array>,
  { exchange, clock, onSilence }: ChatStreamContext,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const reader = body.getReader();
  const chunks = new ChunkReader(exchange.redact);
  const watchdog = new Watchdog({ clock, onSilence, onDead: () => exchange.end('severed') });
  let events: ChatEvent[] = [];
  const decoder = new EventStreamDecoder({
    onData: (data) => chunks.read(data, events),
    onComment: (comment) => {
      if (comment === 'keepalive') watchdog.sawKeepalive();
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) decoder.end();
      else decoder.push(value);
      watchdog.sawBytes();
      if (events.length > 0) {
        yield events;
        events = [];
      }
      if (decoder.overflowed) throw brokenStream('An event is too large');
      if (chunks.done) break;
      if (done) throw severed();
    }
    if (!chunks.complete) throw brokenStream('The stream lacks its finish chunk or final chunk');
  } catch (failure) {
    throw exchange.toApiError(failure, true);
  } finally {
    watchdog.dispose();
    if (chunks.done) void finishBody(reader, exchange, clock);
    else exchange.end('aborted');
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

function severed(): ApiError {
  const message = 'The stream ended before [DONE]';
  return new ApiError({ kind: 'severed', route: 'chat', message, inStream: true });
}

function brokenStream(message: string): ApiError {
  return new ApiError({ kind: 'broken-stream', route: 'chat', message, inStream: true });
}
