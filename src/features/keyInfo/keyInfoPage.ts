import { l10n } from 'vscode';
import type { KeyInfo } from '../../api/index.ts';
import { escapeHtml, staticDocument } from '../../platform/htmlDocument.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import type { Explanation } from '../../platform/text/failures.ts';
import {
  formatAmount,
  formatDateTime,
  formatDollars,
  formatList,
  formatRelative,
  formatShare,
} from '../../platform/text/format.ts';
import type { AccountRecord } from '../accounts/records.ts';

/** A value of the service; null if it gave none. */
type Value = string | number | boolean | readonly string[] | null;
type NamedValue = readonly [name: string, value: Value];
type Amount = readonly [name: string, value: number | null];

interface ReadContent {
  readonly kind: 'read';
  readonly info: KeyInfo;
  readonly record: AccountRecord;
  /** Undefined if the cost of the conversations cannot be read. */
  readonly costs: CostSums | undefined;
  /** Epoch ms. */
  readonly readAt: number;
}

export type PageContent =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly account: string; readonly explanation: Explanation }
  | ReadContent;

/** Draws the page. @param title plain text */
export function keyInfoPage(title: string, content: PageContent): string {
  return staticDocument(STYLE_SHEET, {
    title,
    body: `<main>
<h1>${escapeHtml(title)}</h1>
${body(content)}
</main>`,
  });
}

function body(content: PageContent): string {
  switch (content.kind) {
    case 'reading':
      return `<p role="status">${escapeHtml(l10n.t('Loading…'))}</p>`;
    case 'failed':
      return failed(content.account, content.explanation);
    case 'read':
      return `${actions([
        ['interns.refreshKeyInfo', l10n.t('Refresh')],
        ['interns.copyKeyInfo', l10n.t('Copy as JSON')],
      ])}
${sections(content)}
<p class="note">${escapeHtml(l10n.t('As of {0}. The service doesn’t give units for amounts.', formatDateTime(content.readAt)))}</p>`;
  }
}

function failed(account: string, { title, detail, serviceQuote }: Explanation): string {
  const target = encodeURIComponent(JSON.stringify({ account }));
  return `<p class="failure" role="alert"><strong>${escapeHtml(title)}</strong></p>
${[detail, serviceQuote].map((text) => text && `<p>${escapeHtml(text)}</p>`).join('\n')}
${actions([
  ['interns.refreshKeyInfo', l10n.t('Try Again')],
  [`interns.signIn?${target}`, l10n.t('Sign In')],
])}`;
}

/** Shows every field but the deprecated `rate_limit`. Amounts have no unit (interface: Current API key information). */
function sections({ info, record, costs, readAt }: ReadContent): string {
  const requests = info.freeModelDailyRequests;
  const usage = chart(l10n.t('Usage by day, week and month'), [
    [l10n.t('Day'), info.usageDaily],
    [l10n.t('Week'), info.usageWeekly],
    [l10n.t('Month'), info.usageMonthly],
  ]);
  const byokUsage = chart(l10n.t('Usage with your own keys by day, week and month'), [
    [l10n.t('Day'), info.byokUsageDaily],
    [l10n.t('Week'), info.byokUsageWeekly],
    [l10n.t('Month'), info.byokUsageMonthly],
  ]);
  return [
    section(l10n.t('Limit'), limitBar(info), [
      [l10n.t('Limit'), info.limit],
      [l10n.t('Remaining'), info.limitRemaining],
      [l10n.t('Resets'), info.limitReset],
      [l10n.t('Your own keys count toward the limit'), info.includeByokInLimit],
    ]),
    section(l10n.t('Usage'), usage + byokUsage, [
      [l10n.t('Total usage'), info.usage],
      [l10n.t('Total usage with your own keys'), info.byokUsage],
    ]),
    section(l10n.t('Free models'), '', [
      [l10n.t('Requests per day'), requests?.limit ?? null],
      [l10n.t('Used today'), requests?.used ?? null],
      [l10n.t('Remaining today'), requests?.remaining ?? null],
    ]),
    section(l10n.t('Key'), '', [
      [l10n.t('Label'), info.label],
      [l10n.t('Expires'), expiry(info.expiresAt, readAt)],
      [l10n.t('Data regions'), info.allowedDataRegions],
      [l10n.t('Free tier'), info.isFreeTier],
      [l10n.t('Management key'), info.isManagementKey],
      [l10n.t('Provisioning key'), info.isProvisioningKey],
    ]),
    section(l10n.t('Belongs to'), '', [
      [l10n.t('Workspace'), info.workspaceId],
      [l10n.t('Organization'), info.organizationId],
      [l10n.t('Creator'), info.creatorUserId],
      [l10n.t('Service URL'), record.root],
    ]),
    costs &&
      section(l10n.t('Cost of conversations in VS Code'), '', [
        [l10n.t('Today'), formatDollars(costs.today)],
        [l10n.t('Last seven days'), formatDollars(costs.week)],
        [l10n.t('Total'), formatDollars(costs.all)],
      ]),
  ].join('\n');
}

function section(title: string, drawing: string, values: readonly NamedValue[]): string {
  const rows = values.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(valueText(value))}</dd>`,
  );
  return `<section><h2>${escapeHtml(title)}</h2>${drawing}<dl>${rows.join('')}</dl></section>`;
}

/** Draws a bar of the used share of the limit; nothing if it is not known. */
function limitBar({ limit, limitRemaining: remaining }: KeyInfo): string {
  if (limit === null || remaining === null || limit <= 0) return '';
  const used = Math.min(1, Math.max(0, (limit - remaining) / limit));
  const label = l10n.t('{0} of the limit is used', formatShare(used));
  return `<figure>${bar(used, label)}<figcaption>${escapeHtml(label)}</figcaption></figure>`;
}

function chart(caption: string, amounts: readonly Amount[]): string {
  const largest = Math.max(0, ...amounts.map(([, value]) => value ?? 0));
  const rows = amounts.map(([name, value]) => {
    const share = value === null || largest === 0 ? null : Math.max(0, value / largest);
    return `<tr><th scope="row">${escapeHtml(name)}</th><td class="bar">${
      share === null ? '' : bar(share, '')
    }</td><td>${escapeHtml(valueText(value))}</td></tr>`;
  });
  return `<table><caption>${escapeHtml(caption)}</caption><tbody>${rows.join('')}</tbody></table>`;
}

/** Draws a bar filled to a share from 0 to 1. Without a label, screen readers skip it. */
function bar(share: number, label: string): string {
  const name = label === '' ? 'aria-hidden="true"' : `role="img" aria-label="${escapeHtml(label)}"`;
  const filled = (share * 100).toFixed(2);
  return `<svg ${name} viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="track" width="100" height="8"/><rect class="fill" width="${filled}" height="8"/></svg>`;
}

function actions(commands: readonly (readonly [command: string, label: string])[]): string {
  const links = commands.map(
    ([command, label]) => `<a href="command:${command}">${escapeHtml(label)}</a>`,
  );
  return `<p class="actions">${links.join('')}</p>`;
}

function valueText(value: Value): string {
  if (value === null) return l10n.t('Not provided');
  if (typeof value === 'number') return formatAmount(value);
  if (typeof value === 'boolean') return value ? l10n.t('Yes') : l10n.t('No');
  if (typeof value === 'string') return value;
  return value.length === 0 ? l10n.t('None') : formatList(value);
}

function expiry(timestamp: string | null, now: number): string | null {
  if (timestamp === null) return null;
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  return l10n.t('{0} ({1})', formatDateTime(time), formatRelative(time, now));
}

export function keyInfoJson(info: KeyInfo): string {
  return JSON.stringify(withApiNames(info), undefined, 2);
}

function withApiNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    withApiNames(member),
  ]);
  return Object.fromEntries(entries) as unknown;
}

const STYLE_SHEET = `
body { padding: 0 clamp(8px, 5vw, 24px) 24px; }
main { max-width: 640px; }
h1 { font-size: 1.6em; font-weight: 400; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; font-weight: 600; margin: 0 0 8px; }
section { margin: 24px 0 0; }
dl { display: grid; grid-template-columns: 16em 1fr; gap: 4px 16px; margin: 0; }
@media (width <= 480px) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 8px; } }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; user-select: text; }
figure { margin: 0 0 12px; }
figcaption { padding-top: 4px; }
figcaption, caption, .note { color: var(--vscode-descriptionForeground); font-size: 0.92em; }
caption { text-align: start; padding-bottom: 4px; }
table { width: 100%; border-collapse: collapse; margin: 0 0 12px; }
th { text-align: start; font-weight: 400; width: 5em; padding: 0; }
td { padding: 2px 0; font-variant-numeric: tabular-nums; }
td.bar { width: 60%; padding-inline-end: 12px; }
svg { display: block; width: 100%; height: 8px; border-radius: 2px; outline: 1px solid var(--vscode-contrastBorder, transparent); }
.track { fill: var(--vscode-foreground); opacity: 0.15; }
.fill { fill: var(--vscode-progressBar-background); }
.failure { color: var(--vscode-errorForeground); }
.actions { display: flex; flex-wrap: wrap; gap: 0 16px; margin: 0; }
.actions a { line-height: 24px; }
.actions a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;
