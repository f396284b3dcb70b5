import type { HostMessages, PageMessages } from '../protocol/messages.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
};

/** Time between two pings, in ms. */
const PING_INTERVAL_MS = 500;
/** How long a ping may stay unanswered before the host counts as gone, in ms. */
const PING_TIMEOUT_MS = 1500;

/** Sends a message to the host. */
export type Post = <K extends keyof PageMessages>(type: K, body: PageMessages[K]) => void;

interface Host {
  readonly post: Post;
  /** Saves the state that VS Code hands to the host when it restores this tab after a reload. */
  readonly saveState: (state: HostMessages['saveState']) => void;
  /** Drops all later messages: the host may show another conversation by then. */
  readonly silence: () => void;
}

/** Connects to the host. May be called once. */
export function openHost(): Host {
  const api = acquireVsCodeApi();
  let isSilent = false;
  return {
    post: (type, body) => {
      if (!isSilent) api.postMessage({ type, body });
    },
    silence: () => {
      isSilent = true;
    },
    saveState: (state) => {
      api.setState(state);
    },
  };
}

/**
 * Detects within two seconds that the extension host has died, while the page is visible. The page itself stays, but its
 * prompts would be lost.
 */
export class Heartbeat {
  readonly #post: Post;
  readonly #onChange: (alive: boolean) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the oldest unanswered ping was sent. */
  #waitingSince: number | undefined;
  #alive = true;

  constructor(post: Post, onChange: (alive: boolean) => void) {
    this.#post = post;
    this.#onChange = onChange;
  }

  start(): void {
    document.addEventListener('visibilitychange', () => this.#adjust());
    this.#adjust();
  }

  /** Must be called for each message from the host. */
  recordMessage(): void {
    this.#waitingSince = undefined;
    this.#set(true);
  }

  #adjust(): void {
    clearInterval(this.#timer);
    if (document.hidden) return;
    this.#waitingSince = undefined;
    this.#timer = setInterval(() => this.#beat(), PING_INTERVAL_MS);
  }

  #beat(): void {
    const now = performance.now();
    if (this.#waitingSince !== undefined && now - this.#waitingSince >= PING_TIMEOUT_MS - 1)
      this.#set(false);
    this.#waitingSince ??= now;
    this.#post('ping', { at: Math.floor(now) });
  }

  #set(alive: boolean): void {
    if (this.#alive === alive) return;
    this.#alive = alive;
    this.#onChange(alive);
  }
}
