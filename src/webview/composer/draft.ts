import type { Post } from '../connection.ts';

/** How soon after a key the host is sent the draft, in milliseconds. */
const postDelay = 200;
/** How long a draft is kept for a tab that opens anew, in milliseconds. */
const longestKept = 3_600_000;
const keyPrefix = 'interns-draft/';

/**
 * The page's one home of texts that are typed and not sent. The host keeps them, and is sent them soon after each change.
 *
 * While no host answers, the browser's own store keeps them, which pages of this kind share: such a page is closed when the
 * host is back, and the one that is opened then takes them from there. With them goes what was posted to the host just
 * before it died.
 */
export class Draft {
  readonly #post: Post;
  readonly #unsent: () => readonly string[];
  /** What was posted to be sent, until the host is known to have it, and when by the page's clock. */
  #posted: readonly { readonly text: string; readonly at: number }[] = [];
  #key = '';
  #hostAlive = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param unsent returns the texts that would be lost with the page, some of them empty */
  constructor(post: Post, unsent: () => readonly string[]) {
    this.#post = post;
    this.#unsent = unsent;
  }

  /** All that would be lost with the page, as one text. */
  get text(): string {
    const lost = this.#hostAlive ? [] : this.#posted.map(({ text }) => text);
    return [...lost, ...this.#unsent()].filter((text) => text !== '').join('\n');
  }

  /** Takes the draft that another page of a conversation left; undefined if there is none. */
  takeLeft(conversation: string): string | undefined {
    this.#key = keyPrefix + conversation;
    const text = keptAt(this.#key);
    this.#forget();
    for (const key of attempt(() => Object.keys(localStorage)) ?? [])
      if (key.startsWith(keyPrefix) && keptAt(key) === undefined)
        attempt(() => localStorage.removeItem(key));
    return text;
  }

  /** Posts the draft soon. The next key does not put it off: whoever types without a pause would lose all of it. */
  postSoon(): void {
    this.#timer ??= setTimeout(() => this.postNow(), postDelay);
  }

  /** Posts the draft now if it waits to be posted, before the page may go away. */
  flush(): void {
    if (this.#timer !== undefined) this.postNow();
  }

  postNow(): void {
    this.#stopWaiting();
    const { text } = this;
    if (this.#hostAlive) this.#post('draft', { text });
    else if (text === '') this.#forget();
    else {
      const kept = JSON.stringify({ text, at: Date.now() });
      attempt(() => localStorage.setItem(this.#key, kept));
    }
  }

  /** Keeps a text that was posted, until the host is known to have it. */
  addPosted(text: string): void {
    this.#posted = [...this.#posted, { text, at: performance.now() }];
  }

  /** A prompt was posted. It stays the host's draft until the host, which alone knows when, has sent it. */
  promptPosted(prompt: string): void {
    this.addPosted(prompt);
    if (this.text === '') this.#stopWaiting();
    else this.postNow();
  }

  /** The host has what was posted before `at`, in milliseconds of the page's clock. */
  confirm(at: number): void {
    this.#posted = this.#posted.filter((posted) => posted.at >= at);
  }

  setHostAlive(alive: boolean): void {
    this.#hostAlive = alive;
    if (alive) this.#forget();
    this.postNow();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #forget(): void {
    attempt(() => localStorage.removeItem(this.#key));
  }
}

/** The draft under a key; undefined if there is none, or it is too old. */
function keptAt(key: string): string | undefined {
  const stored = attempt(() => localStorage.getItem(key)) ?? '';
  const draft = attempt(() => JSON.parse(stored) as { text?: unknown; at?: unknown });
  if (typeof draft?.text !== 'string' || typeof draft.at !== 'number') return undefined;
  return Date.now() - draft.at < longestKept ? draft.text : undefined;
}

/** A page may be denied a store, and another version may have written to it. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
