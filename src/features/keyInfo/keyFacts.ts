import { l10n } from 'vscode';
import type { KeyInfo } from '../../api/index.ts';
import type { AccountRecord } from '../accounts/records.ts';
import {
  formatAmount,
  formatList,
  formatRelative,
  formatTimestamp,
} from '../../platform/words/format.ts';

/** A line of the page: what it is, and the service's value in words. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** A quantity beside others of its kind; null where the service gave none. */
export interface Amount {
  readonly name: string;
  readonly value: number | null;
}

/** What the page shows of a key, in its order. */
export interface KeyFacts {
  readonly limit: readonly Fact[];
  /** What is used up of the limit, from 0 to 1; null where the service did not give both numbers. */
  readonly limitUsed: number | null;
  readonly usage: readonly Fact[];
  readonly usageByPeriod: readonly Amount[];
  readonly ownKeyUsageByPeriod: readonly Amount[];
  readonly freeModels: readonly Fact[];
  readonly key: readonly Fact[];
  readonly owner: readonly Fact[];
}

/**
 * Puts a key's information (interface: "Current API key information") into words: every field but the deprecated
 * `rate_limit`. Amounts get no unit, because the interface gives none, and null reads as not given.
 *
 * @param now Epoch ms.
 */
export function keyFacts(info: KeyInfo, record: AccountRecord, now: number): KeyFacts {
  return {
    limit: [
      fact(l10n.t('Limit'), number(info.limit)),
      fact(l10n.t('Left'), number(info.limitRemaining)),
      fact(l10n.t('Reset'), text(info.limitReset)),
      fact(l10n.t('Own keys count toward the limit'), yesOrNo(info.includeByokInLimit)),
    ],
    limitUsed: shareUsed(info.limit, info.limitRemaining),
    usage: [
      fact(l10n.t('Usage in all'), number(info.usage)),
      fact(l10n.t('Usage with own keys in all'), number(info.byokUsage)),
    ],
    usageByPeriod: byPeriod(info.usageDaily, info.usageWeekly, info.usageMonthly),
    ownKeyUsageByPeriod: byPeriod(info.byokUsageDaily, info.byokUsageWeekly, info.byokUsageMonthly),
    freeModels: freeModelFacts(info),
    key: [
      fact(l10n.t('Label'), text(info.label)),
      fact(l10n.t('Expires'), expiry(info.expiresAt, now)),
      fact(l10n.t('Data regions'), list(info.allowedDataRegions)),
      fact(l10n.t('Free tier'), yesOrNo(info.isFreeTier)),
      fact(l10n.t('Management key'), yesOrNo(info.isManagementKey)),
      fact(l10n.t('Provisioning key'), yesOrNo(info.isProvisioningKey)),
    ],
    owner: [
      fact(l10n.t('Workspace'), info.workspaceId),
      fact(l10n.t('Organization'), text(info.organizationId)),
      fact(l10n.t('Creator'), text(info.creatorUserId)),
      fact(l10n.t('API root'), record.root),
    ],
  };
}

/** The information as JSON under the interface's own names. */
export function keyInfoJson(info: KeyInfo): string {
  return JSON.stringify(withInterfaceNames(info), undefined, 2);
}

function withInterfaceNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    withInterfaceNames(member),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** How much of a limit is used up, from 0 to 1. No share without two numbers that make one. */
function shareUsed(limit: number | null, remaining: number | null): number | null {
  if (limit === null || remaining === null || limit <= 0) return null;
  return Math.min(1, Math.max(0, (limit - remaining) / limit));
}

function byPeriod(day: number | null, week: number | null, month: number | null): Amount[] {
  return [
    { name: l10n.t('Day'), value: day },
    { name: l10n.t('Week'), value: week },
    { name: l10n.t('Month'), value: month },
  ];
}

function freeModelFacts({ freeModelDailyRequests: requests }: KeyInfo): Fact[] {
  return [
    fact(l10n.t('Requests a day'), number(requests?.limit ?? null)),
    fact(l10n.t('Used today'), number(requests?.used ?? null)),
    fact(l10n.t('Left today'), number(requests?.remaining ?? null)),
  ];
}

function fact(name: string, value: string): Fact {
  return { name, value };
}

/** What stands for a field that is null or left out. */
export function notGiven(): string {
  return l10n.t('Not given');
}

function text(value: string | null): string {
  return value ?? notGiven();
}

function number(value: number | null): string {
  return value === null ? notGiven() : formatAmount(value);
}

function yesOrNo(value: boolean | null): string {
  if (value === null) return notGiven();
  return value ? l10n.t('Yes') : l10n.t('No');
}

function list(values: readonly string[] | null): string {
  if (values === null) return notGiven();
  return values.length === 0 ? l10n.t('None') : formatList(values);
}

function expiry(timestamp: string | null, now: number): string {
  if (timestamp === null) return notGiven();
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  return l10n.t('{0} ({1})', formatTimestamp(timestamp), formatRelative(time, now));
}
