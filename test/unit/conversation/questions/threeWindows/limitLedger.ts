import type { ChatRequest } from '../../../../../src/api/index.ts';
import type { Transcript } from '../../../../../src/conversation/transcript.ts';

const halfAnHourMs = 30 * 60_000;

/** Computes independently of the machine what users allowed, and the requests that exceeded it. */
export class LimitLedger {
  readonly faults: string[] = [];
  /** The interesting events that occurred, so a test can check that it tests anything. */
  readonly seen: ('self-drive' | 'override' | 'prompts')[] = [];
  readonly #now: () => number;
  readonly #halfHours: { readonly conversation: string; readonly at: number }[] = [];
  /** How many single prompts were allowed to go out in self-drive, less those that did. */
  readonly #single = new Map<string, number>();
  readonly #overrides = new Set<string>();
  readonly #drove = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  chose(conversation: string, lasts: 'this-prompt' | '30-minutes'): void {
    if (lasts === '30-minutes') this.#halfHours.push({ conversation, at: this.#now() });
    else this.#single.set(conversation, (this.#single.get(conversation) ?? 0) + 1);
  }

  /** The user overrides the cost limit for a prompt. */
  allow(text: string): void {
    this.#overrides.add(text);
  }

  /** A prompt starts a run; `transcript` is what the window that sends it knows. */
  started(text: string, { costs, cost: { limit } }: Transcript): void {
    this.seen.push('prompts');
    const cents = costs.reduce((sum, { usd }) => sum + Math.round(usd * 100), 0);
    if (limit === null || cents < limit * 100) return;
    if (this.#overrides.has(text)) this.seen.push('override');
    else this.faults.push(`${text} went out at ${cents} of ${limit * 100} cents`);
  }

  /** A prompt reached the service. */
  sent(
    conversation: string,
    { text, approvalMode }: Extract<ChatRequest, { kind: 'prompt' }>,
  ): void {
    if (approvalMode === 'self-drive') this.#drive(conversation, text);
  }

  #drive(conversation: string, text: string): void {
    this.seen.push('self-drive');
    const now = this.#now();
    const isOn = this.#halfHours.some(
      (each) =>
        each.conversation === conversation && each.at <= now && now < each.at + halfAnHourMs,
    );
    if (isOn || this.#drove.has(text)) return;
    this.#drove.add(text);
    const left = (this.#single.get(conversation) ?? 0) - 1;
    this.#single.set(conversation, left);
    if (left < 0) this.faults.push(`${text} went out in self-drive that was over`);
  }
}
