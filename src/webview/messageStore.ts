import type {
  Change,
  ReplyMessageView,
  MessageView,
  PartView,
  SnapshotView,
  StatusView,
} from '../protocol/view.ts';
import type { Post } from './connection.ts';

/** Messages in one request. */
const BATCH_MESSAGES = 100;
/** Messages in a request for one message and its neighbors. */
const CONTEXT_MESSAGES = 40;

interface StoreListener {
  added(message: MessageView): void;
  replaced(message: MessageView): void;
  /** Called after `text` was added to the part at `index` of message `id`. */
  appended(id: string, index: number, part: PartView, text: string): void;
  statusChanged(status: StatusView): void;
}

/**
 * The page's copy of the conversation. It keeps each text once; the views get each new piece and keep none. If a change does
 * not fit, the page asks for a snapshot. Messages that the page lacks are requested when they are needed.
 */
export class MessageStore {
  readonly #post: Post;
  readonly #listener: StoreListener;
  readonly #messages = new Map<string, MessageView>();
  /** IDs by index in the whole conversation, with holes for messages that the page lacks. */
  #ids: (string | undefined)[] = [];
  readonly #indexes = new Map<string, number>();
  #lastSeq: number | null = null;
  #wanted = false;
  /** Callbacks of the open requests. The host responds in order. */
  readonly #waiting: (() => void)[] = [];

  constructor(post: Post, listener: StoreListener) {
    this.#post = post;
    this.#listener = listener;
  }

  /** The number of the last change applied, or null before the first snapshot. */
  get lastSeq(): number | null {
    return this.#lastSeq;
  }

  /** Number of messages in the whole conversation, including those that the page lacks. */
  get count(): number {
    return this.#ids.length;
  }

  /** Returns undefined for a message that the page lacks. */
  at(index: number): MessageView | undefined {
    const id = this.#ids[index];
    return id === undefined ? undefined : this.#messages.get(id);
  }

  indexOf(id: string): number | undefined {
    return this.#indexes.get(id);
  }

  applySnapshot(seq: number, view: SnapshotView): void {
    this.#lastSeq = seq;
    this.#messages.clear();
    this.#indexes.clear();
    this.#ids = Array<undefined>(view.earlier);
    for (const message of view.messages) this.#put(this.#ids.length, message);
    // The responses to open requests still come, before those to later ones.
    for (const resolve of this.#waiting) resolve();
  }

  /**
   * Applies the changes after number `seq - changes.length`.
   *
   * @returns false if changes are missing or do not fit: a snapshot is needed then
   */
  applyChanges(seq: number, changes: readonly Change[]): boolean {
    if (this.#lastSeq === null || seq - changes.length > this.#lastSeq) return false;
    if (seq <= this.#lastSeq) return true;
    const missing = changes.slice(-(seq - this.#lastSeq));
    const fit = missing.every((change) => this.#apply(change));
    this.#lastSeq = fit ? seq : null;
    return fit;
  }

  /** Requests the first or the last messages in [from, end). */
  want(from: number, end: number, which: 'last' | 'first'): void {
    if (this.#wanted || from >= end) return;
    this.#wanted = true;
    this.#waiting.push(() => (this.#wanted = false));
    const start = which === 'last' ? Math.max(from, end - BATCH_MESSAGES) : from;
    this.#post('history', { from: start, count: Math.min(BATCH_MESSAGES, end - start) });
  }

  /** Takes the response to the oldest request: messages that the snapshot left out. */
  addHistory(from: number, messages: readonly MessageView[]): void {
    for (const [index, message] of messages.entries())
      if (from + index < this.count) this.#put(from + index, message);
    this.#waiting.shift()?.();
  }

  /** Returns the lowest start, at least `least`, from which the page has all messages before `index`. */
  firstKnown(index: number, least: number): number {
    let first = index;
    while (first > least && this.at(first - 1) !== undefined) first--;
    return first;
  }

  /** Returns the highest end, at most `most`, up to which the page has all messages from `index`. */
  lastKnown(index: number, most: number): number {
    let last = index;
    while (last < most && this.at(last) !== undefined) last++;
    return last;
  }

  /** Returns the message at an index, and requests it with its neighbors if the page lacks it. */
  async load(index: number): Promise<MessageView | undefined> {
    if (index < 0 || index >= this.count) return undefined;
    if (this.at(index) === undefined) {
      const from = Math.max(0, index - (CONTEXT_MESSAGES >> 1));
      this.#post('history', { from, count: CONTEXT_MESSAGES });
      await this.#response();
    }
    return this.at(index);
  }

  /** Returns the index of a message, and requests it with its neighbors if the page lacks it. */
  async locate(id: string): Promise<number | undefined> {
    if (!this.#indexes.has(id)) {
      this.#post('around', { message: id, count: CONTEXT_MESSAGES });
      await this.#response();
    }
    return this.indexOf(id);
  }

  /** Waits for the response to the latest request, or for a snapshot. */
  #response(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #put(index: number, message: MessageView): void {
    this.#ids[index] = message.id;
    this.#indexes.set(message.id, index);
    this.#messages.set(message.id, message);
  }

  #apply(change: Change): boolean {
    switch (change.kind) {
      case 'add':
        this.#put(this.count, change.message);
        this.#listener.added(change.message);
        return true;
      case 'replace':
        // A message that the page lacks comes with the history, once it is reached.
        if (!this.#messages.has(change.message.id)) return true;
        this.#messages.set(change.message.id, change.message);
        this.#listener.replaced(change.message);
        return true;
      case 'header':
        return this.#change(change.message.id, ({ parts }) => ({ ...change.message, parts }));
      case 'part':
        return this.#change(change.id, (message) => ({
          ...message,
          parts: message.parts.toSpliced(change.index, 1, change.part),
        }));
      case 'append':
        return this.#append(change.id, change.part, change.text);
      case 'status':
        this.#listener.statusChanged(change.status);
        return true;
    }
  }

  /** Changes a reply, unless the page lacks it. Returns false if the message is of another kind. */
  #change(id: string, change: (message: ReplyMessageView) => ReplyMessageView): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return true;
    if (message.kind !== 'reply') return false;
    const changed = change(message);
    this.#messages.set(id, changed);
    this.#listener.replaced(changed);
    return true;
  }

  #append(id: string, index: number, text: string): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return true;
    const part = message.kind === 'reply' ? message.parts[index] : undefined;
    if (part === undefined || part.kind === 'question') return false;
    (part as { text: string }).text += text;
    this.#listener.appended(id, index, part, text);
    return true;
  }
}
