import type { Handlers, HostMessages, PageMessages } from '../protocol/messages.ts';

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
export interface Host {
  readonly post: Post;
  /** Keeps what VS Code hands to the host when it restores this tab after a reload. */
  readonly keep: (state: HostMessages['snapshot']['keep']) => void;
}

/** Opens the way to the host; may be called once. */
export function openHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (type, body) => {
      api.postMessage({ type, body });
    },
    keep: (state) => {
      api.setState(state);
    },
  };
}

/** Hands the host's messages to their handlers until `signal` is aborted. */
export function listen(handlers: Handlers<HostMessages>, signal: AbortSignal): void {
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const handler = handlerOf(data, handlers);
    if (handler !== undefined) handler((data as { body: never }).body);
  };
  window.addEventListener('message', onMessage, { signal });
}

/** Only the window around the page can send it messages, and VS Code lets only the extension through. */
function handlerOf(
  data: unknown,
  handlers: Handlers<HostMessages>,
): ((body: never) => void) | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  const { type } = data;
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return undefined;
  return handlers[type as keyof HostMessages];
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

  start(signal: AbortSignal): void {
    document.addEventListener('visibilitychange', () => this.#adjust(), { signal });
    signal.addEventListener('abort', () => this.#stop());
    this.#adjust();
  }

  /** Any message of the host's is a sign of life, not only a `pong`. */
  heard(): void {
    this.#waitingSince = undefined;
    this.#set(true);
  }

  #adjust(): void {
    this.#stop();
    if (document.hidden) return;
    this.#waitingSince = undefined;
    this.#timer = setInterval(() => this.#beat(), pingInterval);
  }

  #stop(): void {
    clearInterval(this.#timer);
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
