import { l10n, ThemeColor, ThemeIcon } from 'vscode';
import { isInternStatus, type InternStatus } from '../../api/index.ts';
import type { ListedAs } from '../../conversation/journal.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import type { InternRecord, StatusSource } from '../accounts/records.ts';

/** The groups of interns in their order in the view. */
export const INTERN_GROUPS = [
  /** A question is pending. */
  'waiting',
  'running',
  'starting',
  'failed',
  'not-known',
  'stopped',
] as const;

export type InternGroup = (typeof INTERN_GROUPS)[number];

/** The group, the icon and its theme color, by status. The color repeats what the icon and the words say. */
const STATUS_LOOKS: Readonly<
  Record<InternStatus | 'not-known' | 'unlisted', readonly [InternGroup, string, string?]>
> = {
  awaiting_slack_install: ['starting', 'plug', 'charts.yellow'],
  queued: ['starting', 'watch', 'charts.blue'],
  provisioning: ['starting', 'sync', 'charts.blue'],
  running: ['running', 'circle-filled', 'charts.green'],
  failed: ['failed', 'error', 'list.errorForeground'],
  stopped: ['stopped', 'circle-outline', 'disabledForeground'],
  destroying: ['stopped', 'trash', 'disabledForeground'],
  destroy_failed: ['failed', 'warning', 'list.warningForeground'],
  'not-known': ['not-known', 'question', 'disabledForeground'],
  unlisted: ['not-known', 'info'],
};

/** @param status null if none was seen yet; it may be one that the API does not list */
function lookOf(status: string | null) {
  if (status === null) return STATUS_LOOKS['not-known'];
  return STATUS_LOOKS[isInternStatus(status) ? status : 'unlisted'];
}

/** Returns whether provisioning is over, so that replaying the create cannot report anything new. */
export function isSettled(status: string | null): boolean {
  return ['running', 'stopped', 'destroying', 'destroy_failed'].includes(status ?? '');
}

/**
 * Returns whether a replayed create reports an older status than a chat has shown since. Some services replay the first
 * response, whatever became of the intern.
 */
export function isOutdated(status: string | null, known: InternRecord | undefined): boolean {
  return known?.statusFrom === 'chat' && isSettled(known.status) && !isSettled(status);
}

/** Returns whether provisioning is in progress, so that sending the create again may show its next status. */
export function isStarting(status: string | null): boolean {
  return status === 'queued' || status === 'provisioning';
}

export function iconFor(status: string | null): ThemeIcon {
  const [, icon, color] = lookOf(status);
  return new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
}

/** @param pending the number of pending questions */
export function groupOf(record: InternRecord, pending: number): InternGroup {
  return pending > 0 ? 'waiting' : lookOf(record.status)[0];
}

/** Returns the intern's name; its ID if the name is unknown. */
export function nameOf(record: InternRecord): string {
  return record.intern?.name ?? record.id;
}

/** Returns the service's message on a failed provisioning; null if the last-seen status is not a failure. */
export function failureOf(record: InternRecord): string | null {
  const failed = record.status === 'failed' || record.status === 'destroy_failed';
  return failed && record.intern?.status === record.status
    ? record.intern.lastFailureMessage
    : null;
}

/** The row of an intern, with its group and pending questions. */
export interface InternNode {
  readonly kind: 'intern';
  readonly intern: string;
  readonly record: InternRecord;
  readonly group: InternGroup;
  /** The number of pending questions. */
  readonly pending: number;
}

/**
 * Sorts by group, then by name in the order of `locale`. IDs break ties, so that rows keep their places.
 *
 * @param questions the number of pending questions by intern
 */
export function rankInterns(
  records: readonly InternRecord[],
  questions: ReadonlyMap<string, number>,
  locale?: string,
): InternNode[] {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return records
    .map((record): InternNode => {
      const pending = questions.get(record.id) ?? 0;
      const group = groupOf(record, pending);
      return { kind: 'intern', intern: record.id, record, group, pending };
    })
    .sort(
      (a, b) =>
        INTERN_GROUPS.indexOf(a.group) - INTERN_GROUPS.indexOf(b.group) ||
        collator.compare(nameOf(a.record), nameOf(b.record)) ||
        (a.intern < b.intern ? -1 : 1),
    );
}

/** Returns the label of a status. One that the API doesn't list is returned unchanged. */
export function statusLabel(status: string | null): string {
  if (status === null) return l10n.t('Unknown');
  if (!isInternStatus(status)) return plainLine(status, 40);
  return {
    awaiting_slack_install: l10n.t('Awaiting Slack install'),
    queued: l10n.t('Queued'),
    provisioning: l10n.t('Provisioning'),
    running: l10n.t('Running'),
    failed: l10n.t('Failed'),
    stopped: l10n.t('Stopped'),
    destroying: l10n.t('Being deleted'),
    destroy_failed: l10n.t('Deletion failed'),
  }[status];
}

/** Says how a status was seen, to stand after it. */
export function statusSourceLabel(source: StatusSource): string {
  return {
    created: l10n.t('when it was created'),
    replayed: l10n.t('when its creation was resumed'),
    chat: l10n.t('from a chat'),
  }[source];
}

/** Returns the last-seen status in words. A refused chat shows only that the intern does not run. */
export function internStatusLabel({ status, statusFrom }: InternRecord): string {
  return status === null && statusFrom === 'chat' ? l10n.t('Not running') : statusLabel(status);
}

export function groupLabel(group: InternGroup): string {
  return {
    waiting: l10n.t('Waiting for You'),
    running: l10n.t('Running'),
    starting: l10n.t('Starting'),
    failed: l10n.t('Failed'),
    'not-known': l10n.t('Status Unknown'),
    stopped: l10n.t('Stopped'),
  }[group];
}

/** Returns how a conversation is listed, in words; empty if it is neither pinned nor archived. */
export function listingLabel(listed: ListedAs = 'plain'): string {
  return { plain: '', pinned: l10n.t('Pinned'), archived: l10n.t('Archived') }[listed];
}

/** Returns the number of pending questions in words; empty for 0. */
export function pendingQuestionsLabel(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 question waiting')
    : l10n.t('{0} questions waiting', formatNumber(count));
}
