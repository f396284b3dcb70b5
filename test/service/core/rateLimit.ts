import { problem } from './problems.ts';

const WINDOW_MS = 60_000;

/**
 * Limits turns per user or organization and minute (interface: 429 `rate_limited`; the threshold is not shown).
 * Answers count like prompts.
 */
export class TurnLimiter {
  readonly #turns = new Map<string, number[]>();

  /**
   * @param now ms since the epoch
   * @throws Problem 429 with the seconds until the oldest turn is a minute old; the refused turn does not count
   */
  take(actingAs: string, turnsPerMinute: number, now: number): void {
    const recent = (this.#turns.get(actingAs) ?? []).filter((at) => at > now - WINDOW_MS);
    this.#turns.set(actingAs, recent);
    if (recent.length >= turnsPerMinute) {
      const oldest = recent[0] ?? now;
      throw problem('rateLimited', undefined, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    }
    recent.push(now);
  }
}
