import { l10n } from 'vscode';
import { formatDollars, formatNumber } from './format.ts';

/** The cost of a conversation and its limit in USD. */
interface Cost {
  readonly spent: number;
  /** Number of replies whose cost is not known. */
  readonly unknown: number;
  readonly limit: number | null;
}

/** Cost of several conversations in USD, by the user's local days. */
export interface CostSums {
  readonly today: number;
  /** Today and the six days before. */
  readonly week: number;
  readonly all: number;
}

export function costSumsLabel({ today, week, all }: CostSums): string {
  return l10n.t(
    '{0} today, {1} in seven days, {2} in total',
    formatDollars(today),
    formatDollars(week),
    formatDollars(all),
  );
}

/** Returns the cost of a conversation, such as `$0.84 of $1.00, unknown for 2 replies`; empty if there is none. */
export function costLabel({ spent, unknown, limit }: Cost): string {
  if (spent === 0 && limit === null) return '';
  const known =
    limit === null
      ? formatDollars(spent)
      : l10n.t('{0} of {1}', formatDollars(spent), formatDollars(limit));
  if (unknown === 0) return known;
  const missing =
    unknown === 1
      ? l10n.t('unknown for 1 reply')
      : l10n.t('unknown for {0} replies', formatNumber(unknown));
  return l10n.t('{0}, {1}', known, missing);
}

export function unreportedCostMessage(): string {
  return l10n.t('Costs that the service didn’t report aren’t counted.');
}

export function costOvershootMessage(): string {
  return l10n.t('The cost is known only when a run ends, so a run can exceed the limit.');
}
