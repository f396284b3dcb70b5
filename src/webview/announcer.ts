import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { h } from './dom.ts';

/** How fast screen readers speak, in characters a second: about as fast as people do. */
const speechRate = 15;
/** Characters of a reply that may wait to be said: what comes later than 20 seconds is no news any more. */
const mostWaiting = 20 * speechRate;
/** The shortest time between two texts, in milliseconds: screen readers miss the first of two that come at once. */
const gap = 400;
/** Characters of a sentence that are said at a time. */
const longestSaid = 200;

/** What screen readers listen to. */
export interface Voice {
  /** Whether the page is in sight: what is not worth an interruption elsewhere is left out otherwise. */
  readonly isInSight: boolean;
  /** Is read after what is being read. */
  polite(text: string): void;
  /** Is read at once, and cuts short what is being read. */
  assertive(text: string): void;
}

/** The two regions of the page that screen readers read aloud when they change. */
export class LiveRegions implements Voice {
  readonly #status = h('div', { class: 'visually-hidden', role: 'status' });
  readonly #alert = h('div', { class: 'visually-hidden', 'aria-live': 'assertive' });

  get elements(): readonly HTMLElement[] {
    return [this.#status, this.#alert];
  }

  get isInSight(): boolean {
    return !document.hidden;
  }

  polite(text: string): void {
    this.#status.textContent = text;
  }

  assertive(text: string): void {
    this.#alert.textContent = text;
  }
}

/**
 * Says what happens to those who cannot see it, no faster than it can be spoken. A screen reader queues all that it is
 * given: sentences of a reply are held back here, where those that are overtaken can still be dropped.
 */
export class Announcer {
  readonly #voice: Voice;
  readonly #clock: Clock;
  /** States to be said next, together. */
  #states: string[] = [];
  /** Sentences of the reply that wait, the oldest first. */
  #sentences: string[] = [];
  /** What is said after the last of them. */
  #ending: string | undefined;
  #lastAt = -Infinity;
  /** When all that was given to the screen reader is spoken, on the monotonic clock. */
  #spokenAt = 0;
  #timer: Disposable | undefined;

  constructor(voice: Voice, clock: Clock) {
    this.#voice = voice;
    this.#clock = clock;
  }

  /** Says a state, before sentences that wait; nothing where the page is out of sight. */
  say(state: string): void {
    if (this.#voice.isInSight) this.sayAnywhere(state);
  }

  /** As {@link say}, also where the page is out of sight. */
  sayAnywhere(state: string): void {
    this.#states.push(state);
    this.#schedule();
  }

  /** Says at once, out of sight too, what cannot wait: it cuts short what is being said. */
  interrupt(text: string): void {
    this.#voice.assertive(text);
    this.#spokenAt = this.#clock.monotonic() + speechMs(text);
    this.#schedule();
  }

  /** Says sentences of a reply one after the other; of those that come faster than they can be said, the latest. */
  read(sentences: readonly string[]): void {
    this.#sentences.push(...sentences.flatMap(inBreaths));
    let waiting = this.#sentences.reduce((sum, { length }) => sum + length, 0);
    while (waiting > mostWaiting && this.#sentences.length > 1)
      waiting -= this.#sentences.shift()?.length ?? 0;
    this.#schedule();
  }

  /** Says that the reply has ended, after the sentences of it that wait; out of sight at once. */
  endReply(ending: string): void {
    this.#ending = ending;
    this.#schedule();
  }

  /** Drops what waits of a reply. */
  dropReply(): void {
    this.#sentences = [];
    this.#ending = undefined;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#voice.isInSight) this.#sentences = [];
    const isState = this.#states.length > 0;
    if (!isState && this.#sentences.length === 0 && this.#ending === undefined) return;
    const at = isState ? this.#lastAt + gap : Math.max(this.#lastAt + gap, this.#spokenAt);
    const wait = Math.max(0, at - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => this.#speak(), wait);
  }

  #speak(): void {
    const text = this.#next();
    const now = this.#clock.monotonic();
    this.#lastAt = now;
    this.#spokenAt = Math.max(now, this.#spokenAt) + speechMs(text);
    this.#voice.polite(text);
    this.#schedule();
  }

  #next(): string {
    if (this.#states.length > 0) return this.#states.splice(0).join(' ');
    const sentence = this.#voice.isInSight ? this.#sentences.shift() : undefined;
    if (sentence !== undefined) return sentence;
    const ending = this.#ending ?? '';
    this.#ending = undefined;
    return ending;
  }
}

function speechMs({ length }: string): number {
  return (length / speechRate) * 1000;
}

/** A long sentence in pieces: nobody who waits for what comes next should have to hear all of it first. */
function inBreaths(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longestSaid) {
    const end = rest.lastIndexOf(' ', longestSaid);
    const cut = end > 0 ? end : longestSaid;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? pieces : [...pieces, rest];
}
