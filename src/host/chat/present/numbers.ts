import { env } from 'vscode';

/** A count in the user's language. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(env.language).format(count);
}

/** US dollars, as exact as the service gave them: the interface reports `cost` in USD. */
export function formatCost(usd: number): string {
  return new Intl.NumberFormat(env.language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
  }).format(usd);
}
