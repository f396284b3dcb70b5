import { posix } from 'node:path';
import { l10n, ThemeIcon, TreeItem } from 'vscode';
import { MINUTE_MS } from '../../base/clock.ts';
import { decodePath } from '../../base/links.ts';
import type { ListedAs } from '../../conversation/journal.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { costLabel } from '../../platform/text/costs.ts';
import {
  formatDateTime,
  formatDuration,
  formatFacts,
  formatRelative,
} from '../../platform/text/format.ts';
import { resourceOf } from '../interns/rowDecorations.ts';
import { spokenTimeLeft } from '../questions/questionText.ts';
import type { ConversationRow } from './conversationList.ts';
import { isHere, type ListedState, type ListScope } from './listOrder.ts';

/** The parts of a row that depend on its window and the time. */
interface RowContext {
  readonly internName: (intern: string) => string;
  readonly scope: Pick<ListScope, 'workspace'>;
  /** Epoch ms. */
  readonly now: number;
}

export function rowTexts(
  row: ConversationRow,
  context: RowContext,
): { readonly label: string; readonly description: string; readonly spoken: string } {
  const { head, state, isUnread, deadline } = row;
  const { internName, scope, now } = context;
  const label = plainLine(head.title, 80);
  const stateWords = stateLabel(state);
  const leftMs = deadline === undefined ? 0 : Math.max(1, deadline - now);
  // Drawn once a minute, so without seconds.
  const minutesLeft = formatDuration(Math.ceil(leftMs / MINUTE_MS) * MINUTE_MS);
  const facts = [
    plainLine(internName(row.intern), 40),
    listingLabel(head.listed),
    isHere(head, scope) ? '' : workspaceName(head.workspace ?? ''),
    formatRelative(head.at, now),
  ];
  const shown = [
    state !== 'finished' && stateWords,
    leftMs > 0 && l10n.t('{0} left', minutesLeft),
    ...facts,
  ];
  const spoken = [
    label,
    isUnread && l10n.t('unread'),
    stateWords,
    leftMs > 0 && spokenTimeLeft(leftMs),
    ...facts,
  ];
  return {
    label,
    description: shown.filter(Boolean).join(' · '),
    spoken: formatFacts(spoken),
  };
}

export function rowIcon({ state, head: { listed = 'plain' } }: ConversationRow): ThemeIcon {
  const icons = {
    waiting: 'bell-dot',
    failed: 'error',
    running: 'loading~spin',
    finished: { plain: 'pass', pinned: 'pinned', archived: 'archive' }[listed],
  };
  return new ThemeIcon(icons[state]);
}

export function conversationTreeItem(row: ConversationRow, context: RowContext): TreeItem {
  const { intern, conversation, state, isUnread, head } = row;
  const { label, description, spoken } = rowTexts(row, context);
  const item = new TreeItem(label);
  item.id = conversation;
  item.description = description;
  item.iconPath = rowIcon(row);
  item.resourceUri = resourceOf('conversation', conversation);
  item.contextValue = `${state}.${head.listed ?? 'plain'}.${isUnread ? 'unread' : 'read'}`;
  item.accessibilityInformation = { label: spoken };
  item.command = {
    command: 'interns.openChat',
    title: l10n.t('Open Chat'),
    arguments: [{ intern, conversation }],
  };
  return item;
}

/** Returns the title, time, cost and session ID of a conversation as plain text. */
export function conversationTooltip(
  { title, at }: Pick<ConversationRow['head'], 'title' | 'at'>,
  { session, cost }: Pick<Transcript, 'session' | 'cost'>,
): string {
  const spent = costLabel(cost);
  const lines = [
    title,
    formatDateTime(at),
    spent && l10n.t('Cost: {0}', spent),
    session && l10n.t('Session ID: {0}', plainLine(session, 256)),
  ];
  return lines.filter(Boolean).join('\n');
}

function stateLabel(state: ListedState['state']): string {
  return {
    waiting: l10n.t('waiting for you'),
    failed: l10n.t('failed'),
    running: l10n.t('running'),
    finished: l10n.t({
      message: 'finished',
      args: [],
      comment: 'A conversation whose run is over',
    }),
  }[state];
}

/** Returns how a conversation is listed, in words; empty if it is neither pinned nor archived. */
export function listingLabel(listed: ListedAs = 'plain'): string {
  return { plain: '', pinned: l10n.t('Pinned'), archived: l10n.t('Archived') }[listed];
}

/** Returns the last name of a workspace's URI, without the extension of workspace files. */
function workspaceName(uri: string): string {
  return plainLine(decodePath(posix.basename(uri, '.code-workspace')), 40);
}
