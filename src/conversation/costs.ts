import type { Message } from './messages.ts';

/** What one response cost, in USD, and when the service said so, epoch ms. */
export interface Cost {
  readonly at: number;
  readonly usd: number;
}

/** What a conversation has cost as far as it is known, in USD. */
export interface CostSum {
  readonly spent: number;
  /** Replies that ended without saying what they cost. */
  readonly unknown: number;
  /** What its user set; null without one. */
  readonly limit: number | null;
}

/** From this share of the limit on its user is told. */
export const nearShare = 0.8;

export function isNear({ spent, limit }: CostSum): boolean {
  return limit !== null && spent >= nearShare * limit;
}

/** Past the limit no prompt goes out unless its user agrees. */
export function isReached({ spent, limit }: Pick<CostSum, 'spent' | 'limit'>): boolean {
  return limit !== null && spent >= limit;
}

/** The sum of amounts in USD, without what binary fractions add to it. */
export function addUsd(sum: number, usd: number): number {
  return Math.round((sum + usd) * 1e9) / 1e9;
}

/** Replies that are over and did not say what they cost; one that was refused cost nothing. */
export function unknownCosts(messages: readonly Message[]): number {
  return messages.filter(
    (message) =>
      message.kind === 'reply' &&
      message.endedAt !== null &&
      message.usage?.cost === undefined &&
      message.failure?.inStream !== false,
  ).length;
}
