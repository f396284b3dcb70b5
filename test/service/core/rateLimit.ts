import { problem } from './problems.ts';

const WINDOW_MS = 60_000;

/**
 * Turns per user or organization in any minute (interface: 429 `rate_limited`; the threshold is not shown). Rate limiting is
 * told of the whole chat route, so a reply counts as a prompt does.
 */
export class TurnLimiter {
  readonly #turns = new Map<string, number[]>();

  /**
   * Counts a turn.
   * @param now ms since the epoch
   * @throws Problem 429 with the seconds until the oldest turn of the minute is forgotten; the refused turn does not count.
   */
  take(actingAs: string, turnsPerMinute: number, now: number): void {
    const recent = (this.#turns.get(actingAs) ?? []).filter((at) => at > now - WINDOW_MS);
    this.#turns.set(actingAs, recent);
    if (recent.length >= turnsPerMinute) {
      const oldest = recent[0] ?? now;
      throw problem('rateLimited', { retryAfter: Math.ceil((oldest + WINDOW_MS - now) / 1000) });
    }
    recent.push(now);
  }
}
