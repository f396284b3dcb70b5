import * as vscode from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatDateTime, formatNumber, formatRelative } from '../../platform/words/format.ts';
import { resourceOf } from './decorations.ts';
import type { CreationRecord } from '../accounts/records.ts';
import type { ConversationFacts, ConversationItem } from './conversationSource.ts';
import { failureOf, iconFor, nameOf, type InternGroup, type RankedIntern } from './internState.ts';
import { groupWords, listedWords, pendingWords, statusWords } from './internWords.ts';

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

/** How a row looks. Tooltips of interns and conversations come later, when they are asked for. */
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

/** What a conversation is, with the id by which the service's side knows it. Plain text. */
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
