import { l10n } from 'vscode';
import type { InternRecord } from '../storage/records.ts';
import { formatNumber } from '../words/format.ts';
import { statusLabel } from '../words/statuses.ts';
import type { InternGroup } from './internState.ts';

/**
 * The last-seen status of an intern in words. A chat that was refused because the intern does not run teaches no status,
 * but more than nothing.
 */
export function statusWords({ status, statusFrom }: InternRecord): string {
  return status === null && statusFrom === 'chat' ? l10n.t('Not running') : statusLabel(status);
}

export function groupWords(group: InternGroup): string {
  switch (group) {
    case 'waiting':
      return l10n.t('Waiting for You');
    case 'running':
      return l10n.t('Running');
    case 'starting':
      return l10n.t('Starting');
    case 'failed':
      return l10n.t('Failed');
    case 'not-known':
      return l10n.t('Status Not Known');
    case 'stopped':
      return l10n.t('Stopped');
  }
}

/** How many questions wait; empty where none does. */
export function pendingWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 question waits')
    : l10n.t('{0} questions wait', formatNumber(count));
}
