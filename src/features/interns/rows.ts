import * as vscode from 'vscode';
import { countCharacters } from '../../api/index.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { costSumsWords, type CostSums } from '../../platform/words/costs.ts';
import {
  formatDateTime,
  formatList,
  formatNumber,
  formatRelative,
  formatTimestamp,
} from '../../platform/words/format.ts';
import { operationName } from '../../platform/words/operations.ts';
import type { AllowedRecord, CreationRecord, InternRecord } from '../accounts/records.ts';
import type { ConversationFacts, ConversationItem } from './conversationSource.ts';
import {
  failureOf,
  groupWords,
  iconFor,
  listedWords,
  nameOf,
  pendingWords,
  statusSourceLabel,
  statusWords,
  type InternGroup,
  type RankedIntern,
} from './internState.ts';

/** The scheme of the resources of rows. */
export const ROW_SCHEME = 'interns';

export type Mark = 'waiting' | 'failed';

/** The resource of a row, under which its decoration is looked up, whatever an id holds. It cannot be opened. */
export function resourceOf(kind: 'intern' | 'conversation', id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: ROW_SCHEME, path: `/${kind}/${toFileName(id)}` });
}

/**
 * The rows of the Interns view. A command that is called on one reads it as its argument object, so a row has the
 * properties `intern`, `conversation` or `creation` of the thing that it stands for (commands/ids.ts).
 */
export type InternsNode = GroupNode | InternNode | ConversationNode | CreationNode;

export interface GroupNode {
  readonly kind: 'group';
  readonly group: InternGroup;
  readonly members: readonly InternNode[];
}

export interface InternNode extends RankedIntern {
  readonly kind: 'intern';
  readonly intern: string;
}

export interface ConversationNode {
  readonly kind: 'conversation';
  readonly intern: string;
  readonly conversation: string;
  readonly item: ConversationItem;
}

/** A create that was cut off. */
export interface CreationNode {
  readonly kind: 'creation';
  readonly creation: string;
  readonly record: CreationRecord;
}

/** Rows of interns under a row for each group that has any. */
export function grouped(interns: readonly InternNode[]): GroupNode[] {
  const members = new Map<InternGroup, InternNode[]>();
  for (const intern of interns) {
    const group = members.get(intern.group);
    if (group === undefined) members.set(intern.group, [intern]);
    else group.push(intern);
  }
  return [...members].map(([group, nodes]) => ({ kind: 'group', group, members: nodes }));
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Draws a row. Tooltips of interns and conversations come later, when they are asked for. */
export function toTreeItem(
  node: InternsNode,
  { now, hasConversations }: { readonly now: number; readonly hasConversations: boolean },
): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupRow(node);
    case 'intern':
      return internRow(node, hasConversations);
    case 'conversation':
      return conversationRow(node, now);
    case 'creation':
      return creationRow(node);
  }
}

function groupRow({ group, members }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(groupWords(group), Expanded);
  item.id = `group/${group}`;
  item.description = formatNumber(members.length);
  item.contextValue = 'group';
  return item;
}

function internRow(
  { record, pending, intern }: InternNode,
  hasConversations: boolean,
): vscode.TreeItem {
  const name = plainLine(nameOf(record));
  const words = [pendingWords(pending), statusWords(record), plainLine(failureOf(record) ?? '')];
  const description = words.filter(Boolean).join(' · ');
  const item = new vscode.TreeItem(name, hasConversations ? Collapsed : None);
  item.id = `intern/${intern}`;
  item.description = description;
  item.iconPath = iconFor(record.status);
  item.resourceUri = resourceOf('intern', intern);
  item.contextValue = record.creation === null ? 'intern' : 'intern.resumable';
  item.accessibilityInformation = { label: `${name}, ${description}` };
  return item;
}

const conversationIcons = {
  working: 'loading~spin',
  waiting: 'bell-dot',
  failed: 'error',
} as const;
const listedIcons = { plain: 'comment', pinned: 'pinned', archived: 'archive' } as const;

function conversationRow(
  { item: { title, at, state, listed = 'plain' }, intern, conversation, ...node }: ConversationNode,
  now: number,
): vscode.TreeItem {
  const label = plainLine(title);
  const when = formatRelative(at, now);
  const words = [conversationWords(state), listedWords(listed)];
  const item = new vscode.TreeItem(label, None);
  item.id = `conversation/${intern}/${conversation}`;
  item.description = [...words, when].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(
    state === 'idle' ? listedIcons[listed] : conversationIcons[state],
  );
  item.resourceUri = resourceOf('conversation', conversation);
  item.contextValue = `conversation.${state}.${listed}`;
  item.accessibilityInformation = { label: [label, ...words, when].filter(Boolean).join(', ') };
  item.command = {
    command: 'interns.openChat',
    title: vscode.l10n.t('Open Chat'),
    arguments: [{ ...node, intern, conversation }],
  };
  return item;
}

/** The title, time, cost and session id of a conversation. Plain text. */
export function conversationTooltip(
  { title, at }: ConversationNode['item'],
  { session, cost }: ConversationFacts,
): string {
  const id = session === null ? [] : [vscode.l10n.t('Session id: {0}', plainLine(session, 256))];
  const spent = cost === '' ? [] : [vscode.l10n.t('Cost: {0}', cost)];
  return [title, formatDateTime(at), ...spent, ...id].join('\n');
}

function conversationWords(state: ConversationNode['item']['state']): string {
  return {
    idle: '',
    working: vscode.l10n.t('Working'),
    waiting: vscode.l10n.t('Waiting for you'),
    failed: vscode.l10n.t('Failed'),
  }[state];
}

function creationRow({ creation, record }: CreationNode): vscode.TreeItem {
  const item = new vscode.TreeItem(record.name, None);
  const description = vscode.l10n.t('Creation not finished');
  item.id = `creation/${creation}`;
  item.description = description;
  item.iconPath = new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('charts.yellow'));
  item.contextValue = 'creation';
  item.tooltip = vscode.l10n.t(
    'The creation of {0} was cut off {1}. It is not known what the service did. Resuming it sends the same request again, which creates no second intern.',
    record.name,
    formatDateTime(record.createdAt),
  );
  item.accessibilityInformation = { label: `${record.name}, ${description}` };
  item.command = {
    command: 'interns.resumeCreation',
    title: vscode.l10n.t('Resume Creation'),
    arguments: [{ creation }],
  };
  return item;
}

/** Most characters of a long text that a tooltip shows. */
const EXCERPT_CHARACTERS = 400;

interface TooltipFacts {
  readonly record: InternRecord;
  /** The number of its questions that wait. */
  readonly pending: number;
  /** The operations that it was allowed always, the latest first. */
  readonly allowed: readonly AllowedRecord[];
  /** The cost of its conversations in this editor. */
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
