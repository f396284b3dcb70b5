import type { Disposable } from '../../../../src/base/disposable.ts';
import type { Voice } from '../../../../src/webview/announcer.ts';
import type { FakeClock } from '../../support/fakeClock.ts';

/** Characters per second. */
const rate = 15;

/** A spoken text, and when it began, in seconds since the start. */
export interface Heard {
  readonly text: string;
  readonly at: number;
  /** True if it was interrupted or skipped. */
  cut: boolean;
}

/** A screen reader that queues polite texts, and interrupts them for assertive ones. */
export class ScreenReader implements Voice {
  isVisible = true;
  isFocused = true;
  readonly heard: Heard[] = [];
  /** When it got each text, in seconds since the start. */
  readonly givenAt: number[] = [];
  readonly #clock: FakeClock;
  readonly #startedAt: number;
  /** The current text, and after it the waiting ones. */
  #queue: { readonly text: string; readonly givenAt: number }[] = [];
  #end: Disposable | undefined;
  /** Longest wait of a polite text, in seconds. */
  longestWait = 0;

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  get texts(): string[] {
    return this.heard.map(({ text }) => text);
  }

  polite(text: string): void {
    this.givenAt.push(this.#now);
    this.#queue.push({ text, givenAt: this.#now });
    if (this.#queue.length === 1) this.#speak();
  }

  assertive(text: string): void {
    this.givenAt.push(this.#now);
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
