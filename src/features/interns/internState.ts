import { ThemeColor, ThemeIcon } from 'vscode';
import { isInternStatus, type InternStatus } from '../../api/index.ts';
import type { InternRecord } from '../accounts/records.ts';

/** What an intern's last-seen status comes down to: a listed one, none seen yet, or one that is not listed. */
type InternState = InternStatus | 'not-known' | 'unlisted';

/** Where an intern stands in the view, the first first. */
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

/** A codicon and a theme colour: the colour repeats what the icon and the words say, it never says more. */
const icons: Readonly<Record<InternState, readonly [icon: string, color?: string]>> = {
  awaiting_slack_install: ['plug', 'charts.yellow'],
  queued: ['watch', 'charts.blue'],
  provisioning: ['sync', 'charts.blue'],
  running: ['circle-filled', 'charts.green'],
  failed: ['error', 'list.errorForeground'],
  stopped: ['circle-outline', 'disabledForeground'],
  destroying: ['trash', 'disabledForeground'],
  destroy_failed: ['warning', 'list.warningForeground'],
  'not-known': ['question', 'disabledForeground'],
  unlisted: ['info'],
};

const groups: Readonly<Record<InternState, InternGroup>> = {
  awaiting_slack_install: 'starting',
  queued: 'starting',
  provisioning: 'starting',
  running: 'running',
  failed: 'failed',
  stopped: 'stopped',
  destroying: 'stopped',
  destroy_failed: 'failed',
  'not-known': 'not-known',
  unlisted: 'not-known',
};

/** Reads a status as it was last seen (interface: Intern status). */
function stateOf(status: string | null): InternState {
  if (status === null) return 'not-known';
  return isInternStatus(status) ? status : 'unlisted';
}

/** Whether provisioning is behind an intern, so that replaying its create could teach nothing more. */
export function isSettled(status: string | null): boolean {
  return ['running', 'stopped', 'destroying', 'destroy_failed'].includes(status ?? '');
}

/**
 * Whether a status that a replayed create reports is older than what a chat has taught since: some services replay the
 * response that the first create got, whatever became of the intern.
 */
export function isOutdated(status: string | null, known: InternRecord | undefined): boolean {
  return known?.statusFrom === 'chat' && isSettled(known.status) && !isSettled(status);
}

/** Whether provisioning goes on by itself, so that replaying the create may show its next status. */
export function isOnItsWay(status: string | null): boolean {
  return status === 'queued' || status === 'provisioning';
}

/** The icon of an intern that was last seen in a status. */
export function iconFor(status: string | null): ThemeIcon {
  const [icon, color] = icons[stateOf(status)];
  return new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
}

/** The group of an intern, of which `pending` questions wait for an answer. */
export function groupOf(record: InternRecord, pending: number): InternGroup {
  return pending > 0 ? 'waiting' : groups[stateOf(record.status)];
}

/** The best name known of an intern: its own, else its id. */
export function nameOf(record: InternRecord): string {
  return record.intern?.name ?? record.id;
}

/** What the service said of a failed provisioning; null where the intern is not known to have failed. */
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
 * @param questions How many wait, by intern.
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

/** Whether an intern has every word of a filter in its name, id, description, model or status. */
export function matchesFilter(record: InternRecord, filter: string, statusWords: string): boolean {
  const { intern } = record;
  const text = [record.id, intern?.name, intern?.description, intern?.model, record.status]
    .concat(statusWords)
    .filter((part) => part !== null && part !== undefined)
    .join('\n')
    .toLocaleLowerCase();
  return filter
    .toLocaleLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}
