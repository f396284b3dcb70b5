import type {
  Change,
  InternMessageView,
  MessageView,
  PartView,
  SnapshotView,
  StatusView,
} from '../protocol/view.ts';

/** What the store tells whoever draws it. */
export interface StoreListener {
  /** Everything is new. */
  reset(snapshot: SnapshotView): void;
  added(message: MessageView): void;
  replaced(message: MessageView): void;
  /** The part at `index` of message `id` grew by `text`. */
  appended(id: string, index: number, text: string): void;
  statusChanged(status: StatusView): void;
}

/**
 * The page's copy of the conversation's state: which number it has, and the messages that it was given. The host
 * owns the truth; a change that does not fit makes the page ask for the whole.
 */
export class Store {
  readonly #listener: StoreListener;
  readonly #messages = new Map<string, MessageView>();
  #have: number | null = null;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  /** The last number applied; null before the first snapshot. */
  get have(): number | null {
    return this.#have;
  }

  message(id: string): MessageView | undefined {
    return this.#messages.get(id);
  }

  applySnapshot(seq: number, view: SnapshotView): void {
    this.#have = seq;
    this.#messages.clear();
    for (const message of view.messages) this.#messages.set(message.id, message);
    this.#listener.reset(view);
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

  /** Remembers messages from before the snapshot's. */
  addEarlier(messages: readonly MessageView[]): void {
    for (const message of messages) this.#messages.set(message.id, message);
  }

  #apply(change: Change): boolean {
    switch (change.kind) {
      case 'add':
        this.#messages.set(change.message.id, change.message);
        this.#listener.added(change.message);
        return true;
      case 'replace':
        // A message that was never sent to this page is not drawn either: it comes with the history when reached.
        if (!this.#messages.has(change.message.id)) return true;
        this.#messages.set(change.message.id, change.message);
        this.#listener.replaced(change.message);
        return true;
      case 'shell':
        return this.#change(change.message.id, (message) => ({ ...message, ...change.message }));
      case 'part':
        return this.#change(change.id, (message) => ({
          ...message,
          parts: withPart(message.parts, change.index, change.part),
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
    if (message.kind !== 'intern') return false;
    const part = message.parts[index];
    if (part === undefined || part.kind === 'question') return false;
    const parts = withPart(message.parts, index, { ...part, text: part.text + text });
    this.#messages.set(id, { ...message, parts });
    this.#listener.appended(id, index, text);
    return true;
  }
}

function withPart(parts: readonly PartView[], index: number, part: PartView): PartView[] {
  const changed = [...parts];
  changed[index] = part;
  return changed;
}
