import {
  ApiError,
  DETACHED,
  MAX_REPLY_CHARACTERS,
  RESPONSE_STOPPED,
  type ChatEvent,
} from '../api/index.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ConversationEvent, CountedEvent, Effect } from './machine/transition.ts';
import { PART_OVERHEAD_CHARACTERS } from './messages.ts';
import type { ConversationPorts } from './ports.ts';
import type { RecordedResponse, Transcript } from './transcript.ts';

/** Shortest time between two entries of text, in ms: about two frames of a 60 Hz screen. */
const DELTA_BATCH_MS = 30;

type TextEvent = Extract<ChatEvent, { kind: 'text' | 'reasoning' }>;

interface ResponseListener {
  readonly send: (event: ConversationEvent) => void;
  /** Called with all events in order. */
  readonly onEvents: (events: readonly CountedEvent[], receivedAt: number) => void;
}

/** Reads one response, and merges its text. */
export class ResponseReader implements Disposable {
  readonly request: string;
  readonly #effect: Extract<Effect, { type: 'request' }>;
  readonly #transcript: Transcript;
  readonly #ports: ConversationPorts;
  readonly #listener: ResponseListener;
  readonly #connection = new AbortController();
  /** Returns when the bytes that were read last arrived, epoch ms. */
  #receivedAt: () => number;
  /** Events since the last flush. */
  #batch: CountedEvent[] = [];
  #eventsRead = 0;
  /** The part of this response that is on record. */
  #recorded: Pick<RecordedResponse, 'events' | 'run'> = { events: 0, run: '' };
  #flushTimer: Disposable | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #isDisposed = false;

  constructor(
    effect: Extract<Effect, { type: 'request' }>,
    transcript: Transcript,
    ports: ConversationPorts,
    listener: ResponseListener,
  ) {
    this.request = effect.request;
    this.#effect = effect;
    this.#transcript = transcript;
    this.#ports = ports;
    this.#listener = listener;
    this.#receivedAt = () => ports.clock.now();
  }

  /** Resolves when the response was read and removed. */
  async read(conversation: string): Promise<void> {
    const { request, chat } = this.#effect;
    const { send } = this.#listener;
    try {
      const client = this.#ports.client(request, chat === null);
      const stream = client.streamChat(this.#transcript.intern, chat, {
        tag: conversation,
        signal: this.#connection.signal,
        onResponse: (receivedAt = () => this.#ports.clock.now()) => {
          this.#receivedAt = receivedAt;
          this.#ports.onStatusObserved(true);
          send({ type: 'opened', request });
        },
        onSilence: (quietMs) => {
          this.#ports.onSilence(quietMs);
          send({ type: 'silence', request, isSilent: true });
        },
        onSilenceEnd: () => send({ type: 'silence', request, isSilent: false }),
      });
      for await (const events of stream) this.#add(events);
      send({ type: 'ended', request, receivedAt: this.#receivedAt() });
    } catch (error) {
      const fault = { kind: 'unexpected-answer', route: 'chat', message: String(error) } as const;
      const known = error instanceof ApiError ? error : new ApiError(fault);
      if (known.kind === 'not-ready') this.#ports.onStatusObserved(false);
      // Another window may have recorded a Stop before it removed the response.
      if (known.code === RESPONSE_STOPPED) await this.#ports.catchUp();
      send({ type: 'failed', request, error: known, receivedAt: this.#receivedAt() });
    } finally {
      // The response stays for the next window if this one closes, or if its end could not be recorded.
      const isWhole = await this.#ports.whenRecorded();
      if (isWhole && !this.#isDisposed) await this.#ports.responses.remove(request);
    }
  }

  /** Merges the text of {@link DELTA_BATCH_MS}. Passes on the first text and other events at once. */
  #add(events: readonly ChatEvent[]): void {
    const { lastResponse } = this.#transcript;
    // Another window may have made a request too.
    if (lastResponse?.id === this.request) this.#recorded = lastResponse;
    for (const event of events) {
      this.#eventsRead += 1;
      if (this.#eventsRead > this.#recorded.events)
        appendToBatch(this.#batch, { event, upTo: this.#eventsRead });
    }
    const { clock } = this.#ports;
    const waitMs = DELTA_BATCH_MS - (clock.monotonic() - this.#flushedAt);
    if (waitMs <= 0 || !this.#batch.every(isText)) this.flush();
    else this.#flushTimer ??= clock.setTimeout(() => this.flush(), waitMs);
    const size = batchSize(this.#batch) + this.#transcript.sizeOf(this.#recorded.run);
    const message = `The reply has more than ${MAX_REPLY_CHARACTERS} characters`;
    if (size > MAX_REPLY_CHARACTERS)
      throw new ApiError({ kind: 'reply-too-long', route: 'chat', message, inStream: true });
  }

  /** Passes on the events that were gathered. */
  flush(): void {
    const events = this.#batch;
    this.#flushTimer?.dispose();
    this.#flushTimer = undefined;
    this.#batch = [];
    if (events.length === 0) return;
    this.#flushedAt = this.#ports.clock.monotonic();
    this.#listener.onEvents(events, this.#receivedAt());
  }

  abort(): void {
    this.#connection.abort();
  }

  /** Leaves the response to the next window. */
  dispose(): void {
    this.#isDisposed = true;
    this.#flushTimer?.dispose();
    this.#connection.abort(DETACHED);
  }
}

export function isText(
  counted: CountedEvent,
): counted is CountedEvent & { readonly event: TextEvent } {
  return counted.event.kind === 'text' || counted.event.kind === 'reasoning';
}

/** Appends an event, or adds its text to the last one of the same kind. */
function appendToBatch(events: CountedEvent[], added: CountedEvent): void {
  const last = events.at(-1);
  if (last !== undefined && isText(last) && isText(added) && last.event.kind === added.event.kind)
    events[events.length - 1] = {
      ...added,
      event: { ...added.event, text: last.event.text + added.event.text },
    };
  else events.push(added);
}

/** Returns the size that events add to a reply, in characters, as {@link Transcript.sizeOf} counts it. */
function batchSize(events: readonly CountedEvent[]): number {
  const sizes = events.map(
    (each) => PART_OVERHEAD_CHARACTERS + (isText(each) ? each.event.text.length : 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
