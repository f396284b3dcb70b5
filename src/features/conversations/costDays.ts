import { addUsd } from '../../conversation/costs.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { CostSums } from '../../platform/words/costs.ts';

/** What a conversation has cost, in USD: in all, and on each of its last seven days by the user's clock (`2026-11-22`). */
export interface CostDays {
  readonly spent: number;
  readonly days: Readonly<Record<string, number>>;
}

export function costDays({ spent, costs }: Pick<Transcript, 'spent' | 'costs'>): CostDays {
  const days: Record<string, number> = {};
  const kept = lastDays(Math.max(0, ...costs.slice(-1).map(({ at }) => at)));
  for (const { at, usd } of costs) {
    const day = dayOf(new Date(at));
    if (kept.includes(day)) days[day] = addUsd(days[day] ?? 0, usd);
  }
  return { spent, days };
}

/** @param now epoch ms */
export function sumCosts(conversations: readonly CostDays[], now: number): CostSums {
  const [today = '', ...before] = lastDays(now);
  const sum = (of: (each: CostDays) => number): number =>
    conversations.reduce((total, each) => addUsd(total, of(each)), 0);
  const on = (day: string): number => sum(({ days }) => days[day] ?? 0);
  return {
    today: on(today),
    week: [today, ...before].reduce((total, day) => addUsd(total, on(day)), 0),
    all: sum(({ spent }) => spent),
  };
}

/** The day of a moment and the six before it. */
function lastDays(time: number): readonly string[] {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return Array.from({ length: 7 }, (_, back) => dayOf(new Date(year, month, day - back)));
}

function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
