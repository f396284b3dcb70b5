import { l10n } from 'vscode';
import type { ListedAs } from '../../conversation/journal.ts';
import { isInternStatus } from '../../api/index.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { InternRecord, StatusSource } from '../accounts/records.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { InternGroup } from './internState.ts';

/** The status of an intern in words; null is not known, and one that the interface does not list is shown as it came. */
export function statusLabel(status: string | null): string {
  if (status === null) return l10n.t('Not known');
  if (!isInternStatus(status)) return plainLine(status, 40);
  return {
    awaiting_slack_install: l10n.t('Awaiting Slack install'),
    queued: l10n.t('Queued'),
    provisioning: l10n.t('Provisioning'),
    running: l10n.t('Running'),
    failed: l10n.t('Failed'),
    stopped: l10n.t('Stopped'),
    destroying: l10n.t('Being destroyed'),
    destroy_failed: l10n.t('Destroying failed'),
  }[status];
}

/** From what a status was learned, to stand after it. */
export function statusSourceLabel(source: StatusSource): string {
  return {
    created: l10n.t('when it was created'),
    replayed: l10n.t('when its creation was resumed'),
    chat: l10n.t('from a chat'),
  }[source];
}

/**
 * The last-seen status of an intern in words. A chat that was refused because the intern does not run teaches no status,
 * but more than nothing.
 */
export function statusWords({ status, statusFrom }: InternRecord): string {
  return status === null && statusFrom === 'chat' ? l10n.t('Not running') : statusLabel(status);
}

export function groupWords(group: InternGroup): string {
  return {
    waiting: l10n.t('Waiting for You'),
    running: l10n.t('Running'),
    starting: l10n.t('Starting'),
    failed: l10n.t('Failed'),
    'not-known': l10n.t('Status Not Known'),
    stopped: l10n.t('Stopped'),
  }[group];
}

/** How lists show a conversation, where not among the others. */
export function listedWords(listed: ListedAs = 'plain'): string {
  return { plain: '', pinned: l10n.t('Pinned'), archived: l10n.t('Archived') }[listed];
}

/** How many questions wait; empty where none does. */
export function pendingWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 question waits')
    : l10n.t('{0} questions wait', formatNumber(count));
}
