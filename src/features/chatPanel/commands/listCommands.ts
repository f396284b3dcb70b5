import { l10n, ViewColumn, window } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { activeAccount } from '../../accounts/account.ts';
import type { ConversationRow } from '../../conversations/conversationList.ts';
import { rowIcon, rowTexts } from '../../conversations/conversationRows.ts';
import { accountOf, pickConversations, type ChatCommandPorts } from './conversationCommands.ts';

/** Registers the commands that go through the list of conversations, and mark them as read. */
export function registerListCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  const { list } = ports;
  const mark =
    (title: string, isRead: boolean) => async (targets: readonly ConversationTarget[]) => {
      await list.load();
      const isOther = ({ id }: { readonly id: string }) => list.get(id)?.isUnread === isRead;
      const account = accountOf(ports, targets);
      const heads = await pickConversations(ports, targets, title, isOther);
      // The list knows only the active account. Whether a conversation of another one is read is unknown.
      const isMarked = ({ id }: { readonly id: string }) => list.get(id)?.isUnread === !isRead;
      const others = heads.filter((head) => !isMarked(head));
      const { readPositions } = ports.conversations;
      await Promise.all(others.map((head) => readPositions.mark(account, head, isRead)));
    };
  return registrar.registerAll({
    'interns.goToWaiting': (targets) => goToWaiting(ports, targets),
    'interns.goToUnread': () => goToUnread(ports),
    'interns.openRecent': () => openRecent(ports),
    'interns.markRead': mark(l10n.t('Mark as Read'), true),
    'interns.markUnread': mark(l10n.t('Mark as Unread'), false),
    'interns.markAllRead': () => list.markAllRead(),
  });
}

/** Shows the given chat, or the one whose question has the least time left. If that is active, shows the next one. */
async function goToWaiting(
  { pages, pendingQuestions }: ChatCommandPorts,
  [target]: readonly ConversationTarget[],
): Promise<void> {
  const waiting = pendingQuestions.listOpen().map(({ question }) => question.conversation);
  const next = target?.conversation ?? after(pages.activePage?.open.conversation.id, waiting);
  if (next !== undefined) await pages.showFromAnyAccount(next);
  else void window.showInformationMessage(l10n.t('No question is waiting for you.'));
}

/** Shows the first unread chat of the list. If that is active, shows the next one. */
async function goToUnread({ pages, list }: ChatCommandPorts): Promise<void> {
  await list.load();
  const unread = list.listed.filter(({ isUnread }) => isUnread);
  const ids = unread.map(({ conversation }) => conversation);
  const next = after(pages.activePage?.open.conversation.id, ids);
  if (next !== undefined) await pages.showFromAnyAccount(next);
  else void window.showInformationMessage(l10n.t('All conversations are read.'));
}

/** Returns the ID after the current one, cyclically; the first one if the current one is not among them. */
function after(current: string | undefined, ids: readonly string[]): string | undefined {
  const others = [...new Set(ids)];
  const at = others.indexOf(current ?? '');
  return others[(at + 1) % Math.max(1, others.length)];
}

/** Has the user pick a conversation of the list, in its order. A button opens it to the side. */
async function openRecent(ports: ChatCommandPorts): Promise<void> {
  const { dialogs, interns, list, pages } = ports;
  const account = activeAccount(ports.accounts);
  await Promise.all([list.load(), interns.list(account)]);
  const context = {
    internName: (intern: string) => interns.name(intern, account),
    scope: list.scope,
    now: ports.clock.now(),
  };
  const picked = await dialogs.pick<ConversationRow>({
    title: l10n.t('Open Recent Conversation'),
    placeholder: l10n.t('Select a conversation to open its chat'),
    matchAll: true,
    rows: list.listed.map((row) => {
      const { label, description } = rowTexts(row, context);
      const unread = row.isUnread ? '● ' : '';
      const toSide = {
        id: row.conversation,
        label: l10n.t('Open to the Side'),
        icon: 'split-horizontal',
      };
      return { label: unread + label, description, icon: rowIcon(row), value: row, button: toSide };
    }),
  });
  if (picked.kind === 'value') await pages.show(account, picked.value.conversation);
  else if (picked.kind === 'left' && picked.button !== undefined)
    await pages.show(account, picked.button, ViewColumn.Beside);
}
