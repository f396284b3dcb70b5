import type { Disposable } from '../../../../src/base/disposable.ts';
import type { Voice } from '../../../../src/webview/announcer.ts';
import type { FakeClock } from '../../support/fakeClock.ts';

/** Characters that it speaks in a second. */
const rate = 15;

/** What was heard, and when it began, in seconds since the screen reader was started. */
export interface Heard {
  readonly text: string;
  readonly at: number;
  /** Whether something else cut it short, or kept it from being said at all. */
  cut: boolean;
}

/**
 * A screen reader as it meets live regions: it speaks what is polite one after the other, and what is assertive at
 * once, silencing all else.
 */
export class ScreenReader implements Voice {
  isInSight = true;
  readonly heard: Heard[] = [];
  readonly #clock: FakeClock;
  readonly #startedAt: number;
  /** What is being said, and after it what waits. */
  #queue: { readonly text: string; readonly givenAt: number }[] = [];
  #end: Disposable | undefined;
  /** The longest that something polite waited to be said, in seconds. */
  longestWait = 0;

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  get texts(): string[] {
    return this.heard.map(({ text }) => text);
  }

  polite(text: string): void {
    this.#queue.push({ text, givenAt: this.#now });
    if (this.#queue.length === 1) this.#speak();
  }

  assertive(text: string): void {
    const [spoken, ...waiting] = this.#queue;
    const last = this.heard.at(-1);
    if (spoken !== undefined && last !== undefined) last.cut = true;
    for (const { text } of waiting) this.heard.push({ text, at: this.#now, cut: true });
    this.#end?.dispose();
    this.#queue = [{ text, givenAt: this.#now }];
    this.#speak();
  }

  get #now(): number {
    return (this.#clock.now() - this.#startedAt) / 1000;
  }

  #speak(): void {
    const [next] = this.#queue;
    if (next === undefined) return;
    this.longestWait = Math.max(this.longestWait, this.#now - next.givenAt);
    this.heard.push({ text: next.text, at: this.#now, cut: false });
    this.#end = this.#clock.setTimeout(
      () => {
        this.#queue.shift();
        this.#speak();
      },
      (next.text.length / rate) * 1000,
    );
  }
}
