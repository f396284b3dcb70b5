import * as vscode from 'vscode';
import { countCharacters } from '../../api/index.ts';
import type { AllowedAlways } from '../../conversation/questions/allowed.ts';
import { operationName } from '../../platform/words/operations.ts';
import type { InternRecord } from '../accounts/records.ts';
import { costSumsWords, type CostSums } from '../../platform/words/costs.ts';
import {
  formatDateTime,
  formatList,
  formatNumber,
  formatRelative,
  formatTimestamp,
} from '../../platform/words/format.ts';
import { nameOf } from './internState.ts';
import { pendingWords, statusSourceLabel, statusWords } from './internWords.ts';

/** Most characters of a long text that a tooltip shows. */
const EXCERPT_CHARACTERS = 400;

/** What the tooltip of an intern tells. */
interface TooltipFacts {
  readonly record: InternRecord;
  /** How many of its questions wait. */
  readonly pending: number;
  /** What it was allowed always, the latest first. */
  readonly allowed: readonly AllowedAlways[];
  /** What its conversations in this editor have cost. */
  readonly costs: CostSums | undefined;
}

/**
 * Everything known of an intern. What the service said goes in as text: in Markdown, an image would be fetched and a
 * link might run a command.
 */
export function internTooltip(
  { record, pending, allowed, costs }: TooltipFacts,
  now: number,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const paragraph = (label: string | null, text: string) => {
    if (label !== null) tooltip.appendMarkdown(`**${label}** `);
    tooltip.appendText(text).appendMarkdown('  \n');
  };
  const field = (label: string, text: string | null | undefined) => {
    if (text !== null && text !== undefined && text !== '') paragraph(label, excerpt(text));
  };

  paragraph(null, nameOf(record));
  if (pending > 0) paragraph(null, pendingWords(pending));
  field(vscode.l10n.t('Status:'), statusWords(record));
  if (record.statusFrom !== null && record.statusAt !== null) {
    const when = formatRelative(record.statusAt, now);
    const how = statusSourceLabel(record.statusFrom);
    paragraph(null, vscode.l10n.t('Seen {0}, {1}', when, how));
  }
  if (costs !== undefined && costs.all > 0)
    paragraph(vscode.l10n.t('Cost here:'), costSumsWords(costs));
  for (const [label, text] of fieldsOf(record)) field(label, text);
  const operations = allowed.map(({ operation, isUnclear }) =>
    isUnclear === true
      ? vscode.l10n.t('{0} (may have been received)', operationName(operation))
      : operationName(operation),
  );
  if (operations.length > 0) field(vscode.l10n.t('Allowed always:'), formatList(operations));
  return tooltip;
}

function fieldsOf({ id, origin, addedAt, intern }: InternRecord): [string, string | null][] {
  const time = (text: string | null) => text && formatTimestamp(text);
  const listed =
    origin === 'created' ? vscode.l10n.t('Created here:') : vscode.l10n.t('Added here:');
  const idField: [string, string] = [vscode.l10n.t('Id:'), id];
  if (intern === null) return [idField, [listed, formatDateTime(addedAt)]];
  return [
    [vscode.l10n.t('Last failure:'), intern.lastFailureMessage],
    [vscode.l10n.t('Description:'), intern.description],
    [vscode.l10n.t('Model:'), intern.model ?? vscode.l10n.t('the default of the workspace')],
    [vscode.l10n.t('Hostname:'), intern.hostname],
    [vscode.l10n.t('Progress:'), intern.progress && JSON.stringify(intern.progress)],
    [vscode.l10n.t('Instructions:'), intern.instructions],
    idField,
    [vscode.l10n.t('Workspace:'), intern.workspaceId],
    [vscode.l10n.t('Vault:'), intern.vaultId],
    [vscode.l10n.t('Borrowed vault:'), intern.attachedVaultId],
    [vscode.l10n.t('Created:'), time(intern.createdAt)],
    [vscode.l10n.t('Updated:'), time(intern.updatedAt)],
    [listed, formatDateTime(addedAt)],
  ];
}

function excerpt(text: string): string {
  const total = countCharacters(text);
  if (total <= EXCERPT_CHARACTERS) return text;
  const start = Array.from(text.slice(0, 2 * EXCERPT_CHARACTERS))
    .slice(0, EXCERPT_CHARACTERS)
    .join('');
  return vscode.l10n.t('{0}… ({1} characters in all)', start, formatNumber(total));
}
