import * as vscode from 'vscode';
import { plainLine } from '../dialogs/plainText.ts';
import { formatDateTime, formatNumber, formatRelative } from '../words/format.ts';
import { resourceOf } from './decorations.ts';
import { failureOf, lookOf, nameOf, stateOf } from './internState.ts';
import { groupWords, pendingWords, statusWords } from './internWords.ts';
import type {
  ConversationNode,
  CreationNode,
  GroupNode,
  InternNode,
  InternsNode,
} from './nodes.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** How a row looks. Tooltips of interns come later, when they are asked for. */
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
  const { icon, color } = lookOf(stateOf(record.status));
  const item = new vscode.TreeItem(name, hasConversations ? Collapsed : None);
  item.id = `intern/${intern}`;
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(
    icon,
    color === null ? undefined : new vscode.ThemeColor(color),
  );
  item.resourceUri = resourceOf('intern', intern);
  item.contextValue = record.creation === null ? 'intern' : 'intern.resumable';
  item.accessibilityInformation = { label: `${name}, ${description}` };
  return item;
}

const conversationIcons = {
  idle: 'comment',
  working: 'loading~spin',
  waiting: 'bell-dot',
  failed: 'error',
} as const;

function conversationRow(
  { item: { title, at, state }, intern, conversation, ...node }: ConversationNode,
  now: number,
): vscode.TreeItem {
  const label = plainLine(title);
  const when = formatRelative(at, now);
  const words = conversationWords(state);
  const item = new vscode.TreeItem(label, None);
  item.id = `conversation/${intern}/${conversation}`;
  item.description = words === '' ? when : `${words} · ${when}`;
  item.iconPath = new vscode.ThemeIcon(conversationIcons[state]);
  item.resourceUri = resourceOf('conversation', conversation);
  item.contextValue = `conversation.${state}`;
  item.tooltip = `${title}\n${formatDateTime(at)}`;
  item.accessibilityInformation = { label: [label, words, when].filter(Boolean).join(', ') };
  item.command = {
    command: 'interns.openChat',
    title: vscode.l10n.t('Open Chat'),
    arguments: [{ ...node, intern, conversation }],
  };
  return item;
}

function conversationWords(state: keyof typeof conversationIcons): string {
  switch (state) {
    case 'idle':
      return '';
    case 'working':
      return vscode.l10n.t('Working');
    case 'waiting':
      return vscode.l10n.t('Waiting for you');
    case 'failed':
      return vscode.l10n.t('Failed');
  }
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
