import type { MessageView } from '../../protocol/view.ts';
import type { Post } from '../connection.ts';

/** Messages asked of the host at a time. */
const batch = 100;
/** Messages asked of the host around one whose place is not known. */
const around = 40;

/** The messages of the whole conversation, as far as the page has them. */
export interface Messages {
  /** How many there are in all. */
  readonly count: number;
  /** Undefined where the page has not been given it yet. */
  at(place: number): MessageView | undefined;
  placeOf(id: string): number | undefined;
}

/** Asks the host for the messages that the page lacks. */
export class History {
  readonly #post: Post;
  readonly #messages: Messages;
  #wanted = false;
  /** Those who wait for an answer, in the order in which the host gives them. */
  #waiting: (() => void)[] = [];

  constructor(post: Post, messages: Messages) {
    this.#post = post;
    this.#messages = messages;
  }

  /** The host has answered the oldest request, and the page has the messages. */
  arrived(): void {
    this.#waiting.shift()?.();
  }

  /** Everything is new: nothing that was asked for is waited for any more. */
  stopWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Asks for the last messages of those from `from` up to `end` that are lacking there, or the first ones. */
  want(from: number, end: number, which: 'last' | 'first'): void {
    if (this.#wanted || from >= end) return;
    this.#wanted = true;
    this.#waiting.push(() => (this.#wanted = false));
    const start = which === 'last' ? Math.max(from, end - batch) : from;
    this.#post('history', { from: start, count: Math.min(batch, end - start) });
  }

  /** The first place, down to `least`, from which on the page has all messages up to `place`. */
  firstKnown(place: number, least: number): number {
    let first = place;
    while (first > least && this.#messages.at(first - 1) !== undefined) first--;
    return first;
  }

  /** The place, up to `most`, before which the page has all messages from `place` on. */
  lastKnown(place: number, most: number): number {
    let last = place;
    while (last < most && this.#messages.at(last) !== undefined) last++;
    return last;
  }

  /** The message at a place, asked for with those around it where need be; undefined where there is no such place. */
  async load(place: number): Promise<MessageView | undefined> {
    if (place < 0 || place >= this.#messages.count) return undefined;
    if (this.#messages.at(place) === undefined) {
      const from = Math.max(0, place - (around >> 1));
      await this.#ask(() => this.#post('history', { from, count: around }));
    }
    return this.#messages.at(place);
  }

  /** The place of a message, asked for with those around it where need be; undefined where there is no such message. */
  async locate(id: string): Promise<number | undefined> {
    const known = this.#messages.placeOf(id);
    if (known !== undefined) return known;
    await this.#ask(() => this.#post('around', { message: id, count: around }));
    return this.#messages.placeOf(id);
  }

  async #ask(ask: () => void): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#waiting.push(resolve));
    ask();
    await answered;
  }
}
