import { l10n } from 'vscode';
import { isInternStatus } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { StatusSource } from '../storage/records.ts';

/** The status of an intern in words; null is not known, and one that the interface does not list is shown as it came. */
export function statusLabel(status: string | null): string {
  if (status === null) return l10n.t('Not known');
  if (!isInternStatus(status)) return plainLine(status, 40);
  switch (status) {
    case 'awaiting_slack_install':
      return l10n.t('Awaiting Slack install');
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
  }
}

/** From what a status was learned, to stand after it. */
export function statusSourceLabel(source: StatusSource): string {
  switch (source) {
    case 'created':
      return l10n.t('when it was created');
    case 'replayed':
      return l10n.t('when its creation was resumed');
    case 'chat':
      return l10n.t('from a chat');
  }
}
