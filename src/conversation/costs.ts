import type { Message } from './messages.ts';

/** The cost of one response in USD, and when the service reported it, epoch ms. */
export interface Cost {
  readonly at: number;
  readonly usd: number;
}

/** The known cost of a conversation, in USD. */
export interface CostSum {
  readonly spent: number;
  /** The number of replies that ended without reporting a cost. */
  readonly unknown: number;
  readonly limit: number | null;
}

/** The share of the limit at which the user is warned. */
export const COST_WARNING_SHARE = 0.8;

export function isNearCostLimit({ spent, limit }: CostSum): boolean {
  return limit !== null && spent >= COST_WARNING_SHARE * limit;
}

export function isCostLimitReached({ spent, limit }: Pick<CostSum, 'spent' | 'limit'>): boolean {
  return limit !== null && spent >= limit;
}

/** Adds amounts in USD, without the error of binary fractions. */
export function addUsd(sum: number, usd: number): number {
  return Math.round((sum + usd) * 1e9) / 1e9;
}

/** Counts the replies that ended without reporting a cost. A refused prompt cost nothing. */
export function countUnknownCosts(messages: readonly Message[]): number {
  return messages.filter(
    (message) =>
      message.kind === 'reply' &&
      message.endedAt !== null &&
      message.usage?.cost === undefined &&
      message.failure?.inStream !== false,
  ).length;
}
