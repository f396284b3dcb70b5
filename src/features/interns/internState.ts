import { l10n, ThemeColor, ThemeIcon } from 'vscode';
import { isInternStatus, type InternStatus } from '../../api/index.ts';
import type { ListedAs } from '../../conversation/journal.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { InternRecord, StatusSource } from '../accounts/records.ts';

/** The kind of an intern's last-seen status: a listed one, none seen yet, or one that is not listed. */
type InternState = InternStatus | 'not-known' | 'unlisted';

/** The groups of interns in their order in the view. */
export const INTERN_GROUPS = [
  /** A question waits for an answer. */
  'waiting',
  'running',
  'starting',
  'failed',
  'not-known',
  'stopped',
] as const;

export type InternGroup = (typeof INTERN_GROUPS)[number];

/** An icon and its theme colour, and the group. The colour repeats what the icon and the words say. */
const looks: Readonly<Record<InternState, readonly [InternGroup, icon: string, color?: string]>> = {
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

/** Reads a status as it was last seen (interface: Intern status). */
function stateOf(status: string | null): InternState {
  if (status === null) return 'not-known';
  return isInternStatus(status) ? status : 'unlisted';
}

/** Returns whether provisioning is over, so that replaying the create could teach nothing more. */
export function isSettled(status: string | null): boolean {
  return ['running', 'stopped', 'destroying', 'destroy_failed'].includes(status ?? '');
}

/**
 * Returns whether a replayed create reports an older status than a chat has taught since: some services replay the
 * response that the first create got, whatever became of the intern.
 */
export function isOutdated(status: string | null, known: InternRecord | undefined): boolean {
  return known?.statusFrom === 'chat' && isSettled(known.status) && !isSettled(status);
}

/** Returns whether provisioning goes on by itself, so that replaying the create may show its next status. */
export function isOnItsWay(status: string | null): boolean {
  return status === 'queued' || status === 'provisioning';
}

/** The icon of an intern that was last seen in a status. */
export function iconFor(status: string | null): ThemeIcon {
  const [, icon, color] = looks[stateOf(status)];
  return new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
}

/** The group of an intern, of which `pending` questions wait for an answer. */
export function groupOf(record: InternRecord, pending: number): InternGroup {
  return pending > 0 ? 'waiting' : looks[stateOf(record.status)][0];
}

/** The best name known of an intern: its own, else its id. */
export function nameOf(record: InternRecord): string {
  return record.intern?.name ?? record.id;
}

/** The service's message on a failed provisioning; null if the intern is not known to have failed. */
export function failureOf(record: InternRecord): string | null {
  const failed = record.status === 'failed' || record.status === 'destroy_failed';
  return failed && record.intern?.status === record.status
    ? record.intern.lastFailureMessage
    : null;
}

/** An intern with what its place in the view depends on. */
export interface RankedIntern {
  readonly record: InternRecord;
  readonly group: InternGroup;
  readonly pending: number;
}

/**
 * Sorts by group, then by name as people of `locale` sort; ids break ties, so that rows never swap places by chance.
 *
 * @param questions The number that waits, by intern.
 */
export function rankInterns(
  records: readonly InternRecord[],
  questions: ReadonlyMap<string, number>,
  locale?: string,
): RankedIntern[] {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const rank = new Map(INTERN_GROUPS.map((group, index) => [group, index]));
  return records
    .map((record) => {
      const pending = questions.get(record.id) ?? 0;
      return { record, pending, group: groupOf(record, pending) };
    })
    .sort(
      (a, b) =>
        (rank.get(a.group) ?? 0) - (rank.get(b.group) ?? 0) ||
        collator.compare(nameOf(a.record), nameOf(b.record)) ||
        (a.record.id < b.record.id ? -1 : 1),
    );
}

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

/** The place of a conversation in lists, in words; empty if it is among the others. */
export function listedWords(listed: ListedAs = 'plain'): string {
  return { plain: '', pinned: l10n.t('Pinned'), archived: l10n.t('Archived') }[listed];
}

/** The number of questions that wait, in words; empty if there are none. */
export function pendingWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 question waits')
    : l10n.t('{0} questions wait', formatNumber(count));
}
