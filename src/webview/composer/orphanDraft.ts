/** How long a draft is kept for a tab that opens anew, in milliseconds. */
const longest = 3_600_000;

const prefix = 'interns-draft/';

/**
 * A draft that was written while no host was there to keep it: the page that it is in is closed when the host is back,
 * and another one opened. The browser's own store, which pages of this kind share, carries it over. Nothing is there
 * while a host answers.
 */
export class OrphanDraft {
  #key = '';

  /** Removes what other pages have left too long ago. @param conversation what the draft belongs to */
  begin(conversation: string): void {
    this.#key = prefix + conversation;
    const keys = attempt(() => Object.keys(localStorage)) ?? [];
    for (const key of keys)
      if (key.startsWith(prefix) && textIn(key) === undefined)
        attempt(() => localStorage.removeItem(key));
  }

  /** Keeps a text; an empty one is none, and the draft that the host has counts. */
  keep(text: string): void {
    if (text === '') this.forget();
    else attempt(() => localStorage.setItem(this.#key, JSON.stringify({ text, at: Date.now() })));
  }

  forget(): void {
    attempt(() => localStorage.removeItem(this.#key));
  }

  /** The draft that another page has left, which is forgotten; undefined where there is none. */
  take(): string | undefined {
    const text = textIn(this.#key);
    this.forget();
    return text;
  }
}

/** The draft under a key; undefined where there is none, or where it is too old. */
function textIn(key: string): string | undefined {
  const stored = attempt(() => localStorage.getItem(key)) ?? '';
  const draft = attempt(() => JSON.parse(stored) as { text?: unknown; at?: unknown });
  if (typeof draft?.text !== 'string' || typeof draft.at !== 'number') return undefined;
  return Date.now() - draft.at < longest ? draft.text : undefined;
}

/** A page may be denied a store, and what is in one may be of another version. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
