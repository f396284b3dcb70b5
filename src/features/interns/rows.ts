import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem } from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { costSumsLabel, type CostSums } from '../../platform/text/costs.ts';
import {
  excerpt,
  formatDateTime,
  formatFacts,
  formatList,
  formatRelative,
  formatTimestamp,
} from '../../platform/text/format.ts';
import { operationName } from '../../platform/text/operations.ts';
import type { AllowedRecord, CreationRecord, InternRecord } from '../accounts/records.ts';
import {
  countsLabel,
  failureOf,
  iconFor,
  internStatusLabel,
  nameOf,
  statusSourceLabel,
  type InternNode,
} from './internState.ts';
import { resourceOf } from './rowDecorations.ts';

/** A row of the Interns view. Commands that are called on it read `intern` or `creation` (commands/ids.ts). */
export type InternsNode = InternNode | CreationNode;

/** An interrupted create. */
export interface CreationNode {
  readonly kind: 'creation';
  readonly creation: string;
  readonly record: CreationRecord;
}

export function internTreeItem({ record, counts, intern }: InternNode): TreeItem {
  const name = plainLine(nameOf(record));
  const words = [
    countsLabel(counts),
    internStatusLabel(record),
    plainLine(failureOf(record) ?? ''),
  ];
  const description = words.filter(Boolean).join(' · ');
  const item = new TreeItem(name);
  item.id = `intern/${intern}`;
  item.description = description;
  item.iconPath = iconFor(record.status);
  item.resourceUri = resourceOf('intern', intern);
  item.contextValue = record.creation === null ? 'intern' : 'intern.resumable';
  item.accessibilityInformation = { label: formatFacts([name, description]) };
  const title = l10n.t('Open Chat');
  item.command = { command: 'interns.openChat', title, arguments: [{ intern }] };
  return item;
}

export function creationTreeItem({ creation, record }: CreationNode): TreeItem {
  const item = new TreeItem(record.name);
  const description = l10n.t('Creation interrupted');
  item.id = `creation/${creation}`;
  item.description = description;
  item.iconPath = new ThemeIcon('debug-disconnect', new ThemeColor('charts.yellow'));
  item.contextValue = 'creation';
  item.tooltip = l10n.t(
    'Creating {0} was interrupted {1}. Resume to finish it; no duplicate is created.',
    record.name,
    formatDateTime(record.createdAt),
  );
  item.accessibilityInformation = { label: formatFacts([record.name, description]) };
  item.command = {
    command: 'interns.resumeCreation',
    title: l10n.t('Resume Creation'),
    arguments: [{ creation }],
  };
  return item;
}

/** Maximum number of characters of a text in a tooltip. */
const MAX_EXCERPT_CHARACTERS = 400;

interface InternTooltipContent extends Pick<InternNode, 'record' | 'counts'> {
  /** The operations that the user always allowed the intern, the latest first. */
  readonly allowed: readonly AllowedRecord[];
  /** The cost of its conversations in this editor. */
  readonly costs: CostSums | undefined;
}

/**
 * Returns everything known of an intern. The service's text is added as text, because Markdown would fetch its images
 * and its links might run commands.
 */
export function internTooltip(
  { record, counts, allowed, costs }: InternTooltipContent,
  now: number,
): MarkdownString {
  const tooltip = new MarkdownString();
  const add = (label: string, text: string | null) => {
    if (text === null || text === '') return;
    if (label !== '') tooltip.appendMarkdown(`**${label}** `);
    tooltip.appendText(excerpt(text, MAX_EXCERPT_CHARACTERS)).appendMarkdown('  \n');
  };
  add('', nameOf(record));
  add('', countsLabel(counts));
  add(l10n.t('Status:'), internStatusLabel(record));
  if (record.statusFrom !== null && record.statusAt !== null) {
    const when = formatRelative(record.statusAt, now);
    add('', l10n.t('Seen {0}, {1}', when, statusSourceLabel(record.statusFrom)));
  }
  if (costs !== undefined && costs.all > 0) add(l10n.t('Cost in VS Code:'), costSumsLabel(costs));
  for (const [label, text] of fieldsOf(record)) add(label, text);
  const operations = allowed.map(({ operation, isUnclear }) =>
    isUnclear === true
      ? l10n.t('{0} (may have been received)', operationName(operation))
      : operationName(operation),
  );
  if (operations.length > 0) add(l10n.t('Always allowed:'), formatList(operations));
  return tooltip;
}

function fieldsOf({ id, origin, addedAt, intern }: InternRecord): [string, string | null][] {
  const time = (text: string | null) => text && formatTimestamp(text);
  const listed = origin === 'created' ? l10n.t('Created in VS Code:') : l10n.t('Added in VS Code:');
  const idField: [string, string] = [l10n.t('ID:'), id];
  if (intern === null) return [idField, [listed, formatDateTime(addedAt)]];
  return [
    [l10n.t('Last failure:'), intern.lastFailureMessage],
    [l10n.t('Description:'), intern.description],
    [l10n.t('Model:'), intern.model ?? l10n.t('workspace default')],
    [l10n.t('Hostname:'), intern.hostname],
    [l10n.t('Progress:'), intern.progress && JSON.stringify(intern.progress)],
    [l10n.t('Instructions:'), intern.instructions],
    idField,
    [l10n.t('Workspace:'), intern.workspaceId],
    [l10n.t('Vault:'), intern.vaultId],
    [l10n.t('Borrowed vault:'), intern.attachedVaultId],
    [l10n.t('Created:'), time(intern.createdAt)],
    [l10n.t('Updated:'), time(intern.updatedAt)],
    [listed, formatDateTime(addedAt)],
  ];
}
