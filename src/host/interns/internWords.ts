import { l10n } from 'vscode';
import type { InternRecord, StatusSource } from '../storage/records.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { stateOf, type InternGroup } from './internState.ts';

/** The last-seen status of an intern in words; a status that the interface does not list is shown as it came. */
export function statusWords({ status, statusFrom }: InternRecord): string {
  const state = stateOf(status);
  switch (state) {
    case 'awaiting_slack_install':
      return l10n.t('Awaiting Slack installation');
    case 'queued':
      return l10n.t('Queued');
    case 'provisioning':
      return l10n.t('Provisioning');
    case 'running':
      return l10n.t('Running');
    case 'failed':
      return l10n.t('Failed');
    case 'stopped':
      return l10n.t('Stopped');
    case 'destroying':
      return l10n.t('Being destroyed');
    case 'destroy_failed':
      return l10n.t('Destroying failed');
    case 'unlisted':
      return plainLine(status ?? '', 60);
    case 'not-known':
      return statusFrom === 'chat' ? l10n.t('Not running') : l10n.t('Not known');
  }
}

/** From what a status was learned, and when. */
export function sourceWords(source: StatusSource, when: string): string {
  switch (source) {
    case 'created':
      return l10n.t('Seen {0}, when the intern was created', when);
    case 'replayed':
      return l10n.t('Seen {0}, when its creation was repeated', when);
    case 'chat':
      return l10n.t('Seen {0}, in a chat', when);
  }
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
  return count === 1 ? l10n.t('1 question waits') : l10n.t('{0} questions wait', count);
}
