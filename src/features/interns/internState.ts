import { l10n, ThemeColor, ThemeIcon } from 'vscode';
import { isInternStatus, type InternStatus } from '../../api/index.ts';
import type { Event } from '../../base/disposable.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import { formatNumber, locale } from '../../platform/text/format.ts';
import type { InternRecord, StatusSource } from '../accounts/records.ts';

/** The groups of interns in their order in lists. */
export const INTERN_GROUPS = [
  /** A question is pending. */
  'waiting',
  'running',
  'starting',
  'failed',
  'not-known',
  'stopped',
] as const;

type InternGroup = (typeof INTERN_GROUPS)[number];

/** The group, the icon and its theme color, by status (interface: Intern status). The color says no more than the icon. */
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

/** Returns the intern's name; its ID if the name is unknown. */
export function nameOf(record: InternRecord): string {
  return record.intern?.name ?? record.id;
}

/** Returns the service's message on a failed provisioning; null if the last-seen status is not a failure. */
export function failureOf(record: InternRecord): string | null {
  const hasFailed = record.status === 'failed' || record.status === 'destroy_failed';
  return hasFailed && record.intern?.status === record.status
    ? record.intern.lastFailureMessage
    : null;
}

/** How many conversations of an intern wait for the user and run. */
export interface InternCounts {
  readonly waiting: number;
  readonly running: number;
}

/** The conversations of the active account, as a port: this feature comes before conversations. */
export interface ConversationCounts {
  /** Reads the conversations, unless that was done already. Does not reject if the disk fails. */
  load(): Promise<void>;

  /** Returns the counts by intern. Interns whose conversations are all at rest are left out. */
  counts(): ReadonlyMap<string, InternCounts>;

  /** Sums up the cost of the conversations with an intern; undefined if they cannot be read. */
  costs(intern: string): Promise<CostSums | undefined>;

  readonly onDidChange: Event<unknown>;
}

/** The row of an intern, with its group. */
export interface InternNode {
  readonly kind: 'intern';
  readonly intern: string;
  readonly record: InternRecord;
  readonly group: InternGroup;
  readonly counts: InternCounts;
}

const AT_REST: InternCounts = { waiting: 0, running: 0 };

/**
 * Sorts by group, then by name in the order of the editor's language. IDs break ties, so that rows keep their places.
 *
 * @param counts the conversations by intern
 */
export function rankInterns(
  records: readonly InternRecord[],
  counts: ReadonlyMap<string, InternCounts>,
): InternNode[] {
  const collator = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' });
  return records
    .map((record): InternNode => {
      const { id } = record;
      const own = counts.get(id) ?? AT_REST;
      const group = own.waiting > 0 ? 'waiting' : lookOf(record.status)[0];
      return { kind: 'intern', intern: id, record, group, counts: own };
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
    stopped: l10n.t({ message: 'Stopped', args: [], comment: 'An intern' }),
    destroying: l10n.t('Being deleted'),
    destroy_failed: l10n.t('Deletion failed'),
  }[status];
}

/** Says how a status became known. Follows the status in a row. */
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

/** Returns counts such as `2 waiting · 1 running`; empty if all conversations are at rest. */
export function countsLabel({ waiting, running }: InternCounts): string {
  const words = [
    waiting > 0 && l10n.t('{0} waiting', formatNumber(waiting)),
    running > 0 && l10n.t('{0} running', formatNumber(running)),
  ];
  return words.filter(Boolean).join(' · ');
}
