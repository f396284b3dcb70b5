import type { MessageView } from '../../protocol/view.ts';
import type { Post } from '../connection.ts';

/** Messages in one request. */
const BATCH_MESSAGES = 100;
/** Messages in a request for one message and its neighbors. */
const CONTEXT_MESSAGES = 40;

export interface Messages {
  /** Number of messages in the whole conversation, including those that the page lacks. */
  readonly count: number;
  /** Returns undefined for a message that the page lacks. */
  at(index: number): MessageView | undefined;
  indexOf(id: string): number | undefined;
}

/** Requests messages that the page lacks from the host. */
export class History {
  readonly #post: Post;
  readonly #messages: Messages;
  #wanted = false;
  /** Callbacks of the open requests. The host responds in order. */
  #waiting: (() => void)[] = [];

  constructor(post: Post, messages: Messages) {
    this.#post = post;
    this.#messages = messages;
  }

  /** Must be called after the response to the oldest request. */
  handleHistory(): void {
    this.#waiting.shift()?.();
  }

  /** Ends all open requests, after a snapshot. Their responses still come, before those to later requests. */
  stopWaiting(): void {
    for (const resolve of this.#waiting) resolve();
  }

  /** Requests the first or the last messages in [from, end). */
  want(from: number, end: number, which: 'last' | 'first'): void {
    if (this.#wanted || from >= end) return;
    this.#wanted = true;
    this.#waiting.push(() => (this.#wanted = false));
    const start = which === 'last' ? Math.max(from, end - BATCH_MESSAGES) : from;
    this.#post('history', { from: start, count: Math.min(BATCH_MESSAGES, end - start) });
  }

  /** Returns the lowest start, at least `least`, from which the page has all messages before `index`. */
  firstKnown(index: number, least: number): number {
    let first = index;
    while (first > least && this.#messages.at(first - 1) !== undefined) first--;
    return first;
  }

  /** Returns the highest end, at most `most`, up to which the page has all messages from `index`. */
  lastKnown(index: number, most: number): number {
    let last = index;
    while (last < most && this.#messages.at(last) !== undefined) last++;
    return last;
  }

  /** Returns the message at an index, and requests it with its neighbors if the page lacks it. */
  async load(index: number): Promise<MessageView | undefined> {
    if (index < 0 || index >= this.#messages.count) return undefined;
    if (this.#messages.at(index) === undefined) {
      const from = Math.max(0, index - (CONTEXT_MESSAGES >> 1));
      await this.#ask(() => this.#post('history', { from, count: CONTEXT_MESSAGES }));
    }
    return this.#messages.at(index);
  }

  /** Returns the index of a message, and requests it with its neighbors if the page lacks it. */
  async locate(id: string): Promise<number | undefined> {
    const known = this.#messages.indexOf(id);
    if (known !== undefined) return known;
    await this.#ask(() => this.#post('around', { message: id, count: CONTEXT_MESSAGES }));
    return this.#messages.indexOf(id);
  }

  async #ask(ask: () => void): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#waiting.push(resolve));
    ask();
    await answered;
  }
}
