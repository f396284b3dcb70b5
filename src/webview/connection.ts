import type { HostMessages, PageMessages } from '../protocol/messages.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
};

/** Time between two pings, in ms. */
const PING_INTERVAL_MS = 500;
/** How many pings may stay unanswered before the host counts as gone. A page that is busy sends fewer. */
const MAX_UNANSWERED_PINGS = 3;

/** Sends a message to the host. */
export type Post = <K extends keyof PageMessages>(type: K, body: PageMessages[K]) => void;

const api = acquireVsCodeApi();
let isSilent = false;

export const post: Post = (type, body) => {
  if (!isSilent) api.postMessage({ type, body });
};

/** Drops all later messages: the host may show another conversation by then. */
export function stopPosting(): void {
  isSilent = true;
}

/** Saves the state that VS Code hands to the host when it restores this tab after a reload. */
export function saveState(state: HostMessages['saveState']): void {
  api.setState(state);
}

/**
 * Detects within two seconds that the extension host has died, while the page is visible. The page itself stays, but its
 * prompts would be lost. Returns a function that must be called for each message from the host.
 */
export function startHeartbeat(onChange: (alive: boolean) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let unanswered = 0;
  let isAlive = true;
  const set = (alive: boolean): void => {
    if (isAlive === alive) return;
    isAlive = alive;
    onChange(alive);
  };
  const beat = (): void => {
    if (unanswered >= MAX_UNANSWERED_PINGS) set(false);
    unanswered += 1;
    post('ping', { at: Math.floor(performance.now()) });
  };
  const adjust = (): void => {
    clearInterval(timer);
    if (document.hidden) return;
    unanswered = 0;
    timer = setInterval(beat, PING_INTERVAL_MS);
  };
  document.addEventListener('visibilitychange', adjust);
  adjust();
  return () => {
    unanswered = 0;
    set(true);
  };
}
