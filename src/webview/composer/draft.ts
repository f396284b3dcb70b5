import { post } from '../connection.ts';

/** How long a stored draft is valid, in ms. */
const MAX_STORED_MS = 3_600_000;
const STORAGE_KEY_PREFIX = 'interns-draft/';

/**
 * Saves typed text that is not sent yet. The host gets it with each change, because a hidden page cannot send anything.
 *
 * While the host is dead, the text goes to `localStorage`, together with texts that were posted just before. When a new
 * host is there, a new page replaces this one and takes the text from there.
 */
export class ComposerDraft {
  readonly #unsent: () => readonly string[];
  /** Posted texts that the host has not confirmed, with `performance.now()`. */
  #posted: readonly { readonly text: string; readonly at: number }[] = [];
  #key = '';
  #hostAlive = true;

  /** @param unsent returns the texts that would be lost with the page; may contain empty ones */
  constructor(unsent: () => readonly string[]) {
    this.#unsent = unsent;
  }

  /** All unsent text. */
  get text(): string {
    const lost = this.#hostAlive ? [] : this.#posted.map(({ text }) => text);
    return [...lost, ...this.#unsent()].filter((text) => text !== '').join('\n');
  }

  /** Takes the draft that an earlier page of the conversation stored, if any, and removes outdated drafts. */
  takeStored(conversation: string): string | undefined {
    this.#key = STORAGE_KEY_PREFIX + conversation;
    const text = storedDraft(this.#key);
    this.#forget();
    for (const key of attempt(() => Object.keys(localStorage)) ?? [])
      if (key.startsWith(STORAGE_KEY_PREFIX) && storedDraft(key) === undefined)
        attempt(() => localStorage.removeItem(key));
    return text;
  }

  /** Posts the draft. Must be called after each change. */
  save(): void {
    const { text } = this;
    if (this.#hostAlive) post('draft', { text });
    else if (text === '') this.#forget();
    else {
      const kept = JSON.stringify({ text, at: Date.now() });
      attempt(() => localStorage.setItem(this.#key, kept));
    }
  }

  /** Keeps a posted text until the host confirms it. */
  addPosted(text: string): void {
    this.#posted = [...this.#posted, { text, at: performance.now() }];
  }

  /** Must be called when the host has received everything posted before `at`, by `performance.now()`. */
  confirm(at: number): void {
    this.#posted = this.#posted.filter((posted) => posted.at >= at);
  }

  setHostAlive(alive: boolean): void {
    this.#hostAlive = alive;
    if (alive) this.#forget();
    this.save();
  }

  #forget(): void {
    attempt(() => localStorage.removeItem(this.#key));
  }
}

/** Returns the draft under a key, if there is a valid one. */
function storedDraft(key: string): string | undefined {
  const stored = attempt(() => localStorage.getItem(key)) ?? '';
  const draft = attempt(() => JSON.parse(stored) as { text?: unknown; at?: unknown });
  if (typeof draft?.text !== 'string' || typeof draft.at !== 'number') return undefined;
  return Date.now() - draft.at < MAX_STORED_MS ? draft.text : undefined;
}

/** Returns undefined if `localStorage` is denied, or contains data of another version. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
