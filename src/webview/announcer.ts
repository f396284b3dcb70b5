import { startOfCharacter } from '../base/characters.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { h } from './dom.ts';

/** Maximum speaking time of the sentences of a reply that are being spoken or wait, in ms. */
const MAX_WAITING_MS = 20_000;
/**
 * The shortest time between two texts, or the focus and a text, in ms. Screen readers miss the first of two texts that come
 * at once, and a text just before the focus.
 */
const MIN_GAP_MS = 400;
/** How long a text stays in its region, in ms. A busy screen reader reads it after some seconds. */
const TEXT_LIFETIME_MS = 30_000;
/** Maximum number of characters of a reply that are said at a time. */
const MAX_SPOKEN_CHARACTERS = 200;

export type Voice = Pick<LiveRegions, 'isVisible' | 'isFocused' | 'polite' | 'assertive'>;

/**
 * The two regions of the page that screen readers read aloud when they grow. Each text has an element of its own:
 * screen readers read an element late, and would miss a text that was replaced before.
 */
export class LiveRegions {
  // A status is atomic unless it says otherwise: its older texts would be read again.
  readonly #status = region({ role: 'status', 'aria-live': 'polite', 'aria-atomic': 'false' });
  readonly #alert = region({ 'aria-live': 'assertive' });
  readonly elements: readonly HTMLElement[] = [this.#status, this.#alert];

  get isVisible(): boolean {
    return !document.hidden;
  }

  get isFocused(): boolean {
    return document.hasFocus();
  }

  /** The screen reader reads the text after what it is reading. */
  polite(text: string): void {
    addText(this.#status, text);
  }

  /** The screen reader interrupts what it is reading, and reads the text. */
  assertive(text: string): void {
    addText(this.#alert, text);
  }
}

function region(attributes: Readonly<Record<string, string>>): HTMLElement {
  return h('div', { class: 'visually-hidden', 'aria-relevant': 'additions', ...attributes });
}

function addText(region: HTMLElement, text: string): void {
  // Orca drops a text that equals the last one of the page, such as the reply itself. The space makes them differ.
  const element = h('div', {}, `${text}\u00a0`);
  region.append(element);
  setTimeout(() => element.remove(), TEXT_LIFETIME_MS);
}

/**
 * Announces what happens, no faster than a screen reader speaks. A screen reader queues everything it gets, so sentences
 * of a reply wait here, where outdated ones can still be dropped.
 */
export class Announcer {
  readonly #voice: Voice;
  readonly #clock: Clock;
  readonly #skipped: string;
  /** Assumed speech rate, in characters per second. */
  speechRate = 30;
  /** States that are said next, together. */
  #states: string[] = [];
  /** Waiting sentences of the reply, oldest first. */
  #sentences: string[] = [];
  /** True if sentences before the waiting ones were dropped. */
  #hasSkipped = false;
  /** The text that follows the last sentence. */
  #ending: string | undefined;
  #lastAt = -Infinity;
  /** When the screen reader has spoken everything, on the monotonic clock. */
  #spokenAt = 0;
  #timer: Disposable | undefined;
  /** When the first waiting text came, on the monotonic clock. */
  #waitingSince = 0;

  /** @param skipped is said where sentences of a reply were dropped */
  constructor(voice: Voice, clock: Clock, skipped: string) {
    this.#voice = voice;
    this.#clock = clock;
    this.#skipped = skipped;
  }

  /** Says a state before the waiting sentences. Does nothing if the page is out of sight. */
  say(state: string): void {
    if (this.#voice.isVisible) this.sayAnywhere(state);
  }

  /** Like {@link say}, even if the page is out of sight. */
  sayAnywhere(state: string): void {
    this.#states.push(state);
    this.#schedule();
  }

  /** Interrupts the screen reader, even if the page is out of sight. */
  interrupt(text: string): void {
    this.#voice.assertive(text);
    const now = this.#clock.monotonic();
    this.#spokenAt = now + this.#speechMs(text);
    // If a polite text comes before Orca has begun with this one, Orca says the polite one first.
    this.#lastAt = now + MIN_GAP_MS;
    this.#schedule();
  }

  /** Says sentences of a reply in order. Drops the oldest if they come faster than speech. */
  read(sentences: readonly string[]): void {
    this.#sentences.push(...sentences.flatMap(splitSentence));
    const speakingMs = Math.max(0, this.#spokenAt - this.#clock.monotonic());
    let waitingMs = this.#sentences.reduce((sum, text) => sum + this.#speechMs(text), speakingMs);
    while (waitingMs > MAX_WAITING_MS && this.#sentences.length > 1) {
      waitingMs -= this.#speechMs(this.#sentences.shift() ?? '');
      this.#hasSkipped = true;
    }
    this.#schedule();
  }

  /** Says that the reply has ended, after its waiting sentences. Out of sight, these are left out. */
  endReply(ending: string): void {
    this.#ending = ending;
    this.#schedule();
  }

  dropReply(): void {
    this.#sentences = [];
    this.#hasSkipped = false;
    this.#ending = undefined;
    this.#schedule();
  }

  /** Must be called when the page gets the focus: the screen reader drops what waits, and reads the focused element. */
  handleFocus(): void {
    this.#lastAt = this.#clock.monotonic();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer === undefined) this.#waitingSince = this.#clock.monotonic();
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#voice.isVisible) this.#sentences = [];
    const isState = this.#states.length > 0;
    if (!isState && this.#sentences.length === 0 && this.#ending === undefined) return;
    // A dialog that closes gives the focus back soon.
    const notBefore = this.#voice.isFocused
      ? this.#lastAt
      : Math.max(this.#lastAt, this.#waitingSince);
    const at = Math.max(notBefore + MIN_GAP_MS, isState ? 0 : this.#spokenAt);
    const wait = Math.max(0, at - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => this.#speak(), wait);
  }

  #speak(): void {
    this.#timer = undefined;
    const text = this.#next();
    const now = this.#clock.monotonic();
    this.#lastAt = now;
    this.#spokenAt = Math.max(now, this.#spokenAt) + this.#speechMs(text);
    this.#voice.polite(text);
    this.#schedule();
  }

  #next(): string {
    if (this.#states.length > 0) return this.#states.splice(0).join(' ');
    const sentences = this.#voice.isVisible ? this.#takeSentences() : [];
    if (sentences.length > 0) {
      if (this.#hasSkipped) sentences.unshift(this.#skipped);
      this.#hasSkipped = false;
      return sentences.join(' ');
    }
    const ending = this.#ending ?? '';
    this.#ending = undefined;
    return ending;
  }

  /** Takes the next sentences that are said together, because a screen reader pauses between two texts. */
  #takeSentences(): string[] {
    let length = 0;
    const fits = (text: string): boolean =>
      (length += text.length + 1) <= MAX_SPOKEN_CHARACTERS + 1;
    const end = this.#sentences.findIndex((text) => !fits(text));
    return this.#sentences.splice(0, end === -1 ? this.#sentences.length : end);
  }

  #speechMs({ length }: string): number {
    return (length / this.speechRate) * 1000;
  }
}

/** Splits a long sentence, so that more urgent texts can come between its pieces. */
function splitSentence(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_SPOKEN_CHARACTERS) {
    const end = rest.lastIndexOf(' ', MAX_SPOKEN_CHARACTERS);
    const cut = end > 0 ? end : startOfCharacter(rest, MAX_SPOKEN_CHARACTERS);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? pieces : [...pieces, rest];
}
