import type {
  Change,
  InternMessageView,
  MessageView,
  PartView,
  SnapshotView,
  StatusView,
} from '../protocol/view.ts';
import type { Messages } from './transcript/history.ts';

/** What the store tells whoever draws it. */
interface StoreListener {
  added(message: MessageView): void;
  replaced(message: MessageView): void;
  /** The part at `index` of message `id` grew by `text`. */
  appended(id: string, index: number, part: PartView, text: string): void;
  statusChanged(status: StatusView): void;
}

/**
 * The page's copy of the conversation's state: which number it has, and the messages that it was given, each text once:
 * what draws a text is handed each piece and keeps none. The host owns the truth; a change that does not fit makes the
 * page ask for the whole.
 */
export class Store implements Messages {
  readonly #listener: StoreListener;
  readonly #messages = new Map<string, MessageView>();
  /** Ids by their place in the whole conversation, with holes where the page lacks the message. */
  #ids: (string | undefined)[] = [];
  readonly #places = new Map<string, number>();
  #have: number | null = null;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  /** The last number applied; null before the first snapshot. */
  get have(): number | null {
    return this.#have;
  }

  /** Messages of the whole conversation, whether the page has them or not. */
  get count(): number {
    return this.#ids.length;
  }

  at(place: number): MessageView | undefined {
    const id = this.#ids[place];
    return id === undefined ? undefined : this.#messages.get(id);
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id);
  }

  applySnapshot(seq: number, view: SnapshotView): void {
    this.#have = seq;
    this.#messages.clear();
    this.#places.clear();
    this.#ids = Array<undefined>(view.earlier);
    for (const message of view.messages) this.#put(this.#ids.length, message);
  }

  /**
   * Applies what came since `seq - changes.length`.
   *
   * @returns false where that is not the number at hand, or a change does not fit: ask for the whole again.
   */
  applyChanges(seq: number, changes: readonly Change[]): boolean {
    if (this.#have === null || seq - changes.length > this.#have) return false;
    if (seq <= this.#have) return true;
    const news = changes.slice(changes.length - (seq - this.#have));
    for (const change of news) {
      if (this.#apply(change)) continue;
      this.#have = null;
      return false;
    }
    this.#have = seq;
    return true;
  }

  /** Remembers messages that the snapshot left out. */
  addHistory(from: number, messages: readonly MessageView[]): void {
    for (const [index, message] of messages.entries())
      if (from + index < this.count) this.#put(from + index, message);
  }

  #put(place: number, message: MessageView): void {
    this.#ids[place] = message.id;
    this.#places.set(message.id, place);
    this.#messages.set(message.id, message);
  }

  #apply(change: Change): boolean {
    switch (change.kind) {
      case 'add':
        this.#put(this.count, change.message);
        this.#listener.added(change.message);
        return true;
      case 'replace':
        // A message that was never sent to this page is not drawn either: it comes with the history when reached.
        if (!this.#messages.has(change.message.id)) return true;
        this.#messages.set(change.message.id, change.message);
        this.#listener.replaced(change.message);
        return true;
      case 'header':
        return this.#change(change.message.id, (message) => ({ ...message, ...change.message }));
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

  /** Changes an intern's message; one that was never sent to this page comes with the history when it is reached. */
  #change(id: string, change: (message: InternMessageView) => InternMessageView): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return true;
    if (message.kind !== 'intern') return false;
    const changed = change(message);
    this.#messages.set(id, changed);
    this.#listener.replaced(changed);
    return true;
  }

  #append(id: string, index: number, text: string): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return true;
    const part = message.kind === 'intern' ? message.parts[index] : undefined;
    if (part === undefined || part.kind === 'question') return false;
    (part as { text: string }).text += text;
    this.#listener.appended(id, index, part, text);
    return true;
  }
}
