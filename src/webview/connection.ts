import type { HostMessages, PageMessages } from '../protocol/messages.ts';

/** What VS Code gives a page. */
declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
};

/** How often the page asks whether the host is alive, in milliseconds. */
const pingInterval = 500;
/** How long an answer may take before the host counts as gone, in milliseconds. */
const pingPatience = 1500;

/** Sends the page's messages; every part of the page that has something to say gets this and nothing else. */
export type Post = <K extends keyof PageMessages>(type: K, body: PageMessages[K]) => void;

/** The way to the host. */
interface Host {
  readonly post: Post;
  /** Keeps what VS Code hands to the host when it restores this tab after a reload. */
  readonly saveState: (state: HostMessages['saveState']) => void;
  /** Posts nothing from now on: what listens at the other end may be of another conversation. */
  readonly silence: () => void;
}

/** Opens the way to the host; may be called once. */
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
 * Notices a host that has died: the page itself lives on then, and would take a prompt into nowhere. Asks twice a
 * second while the page is visible, so that silence is noticed within two seconds.
 */
export class Heartbeat {
  readonly #post: Post;
  readonly #onChange: (alive: boolean) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the oldest ping without an answer was sent; undefined when all are answered. */
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

  /** Any message of the host's is a sign of life, not only a `pong`. */
  recordMessage(): void {
    this.#waitingSince = undefined;
    this.#set(true);
  }

  #adjust(): void {
    clearInterval(this.#timer);
    if (document.hidden) return;
    this.#waitingSince = undefined;
    this.#timer = setInterval(() => this.#beat(), pingInterval);
  }

  #beat(): void {
    const now = performance.now();
    if (this.#waitingSince !== undefined && now - this.#waitingSince >= pingPatience - 1)
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
