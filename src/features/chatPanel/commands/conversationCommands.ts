import { l10n, ViewColumn, window } from 'vscode';
import type { ListedAs } from '../../../conversation/journal.ts';
import { canStop } from '../../../conversation/machine/state.ts';
import type { PendingQuestions } from '../../../conversation/questions/pendingQuestions.ts';
import {
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  WHEN_UNANSWERED,
  type WhenUnanswered,
} from '../../../conversation/questions/unanswered.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandHandlers } from '../../../platform/commands/registrar.ts';
import type { Dialogs } from '../../../platform/dialogs/dialogs.ts';
import { pickTarget } from '../../../platform/dialogs/pickTargets.ts';
import { copyToClipboard } from '../../../platform/dialogs/statusMessage.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatDuration, formatSentences } from '../../../platform/text/format.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import type { ConversationList, ConversationRow } from '../../conversations/conversationList.ts';
import { rowIcon, rowTexts } from '../../conversations/conversationRows.ts';
import type { ConversationsView } from '../../conversations/conversationsView.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { exportConversation } from '../../conversations/exportConversation.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import { conversationPickRow } from '../../conversations/searchConversations.ts';
import type { LastTextEditor } from '../../editor/lastTextEditor.ts';
import type { InternPicker } from '../../interns/internPicker.ts';
import type { ChatServices } from '../chatServices.ts';
import type { ChatTexts } from '../chatTexts.ts';
import type { ChatPages } from '../chatPages.ts';
import { limitCost } from '../prompts/sendingDialogs.ts';
import { noMessagesMessage } from './chatLinks.ts';
import { runAll, type DeleteConversations } from './deleteConversations.ts';

/** The parts that commands of chats use. */
export interface ChatCommandPorts extends Pick<
  ChatServices,
  'accounts' | 'clock' | 'contexts' | 'conversations' | 'interns'
> {
  readonly chatTexts: ChatTexts;
  readonly deleteConversations: DeleteConversations;
  readonly dialogs: Dialogs;
  readonly picker: InternPicker;
  readonly lastEditor: LastTextEditor;
  readonly pages: ChatPages;
  readonly pendingQuestions: Pick<PendingQuestions, 'listOpen' | 'handlePolicyChange'>;
  readonly list: ConversationList;
  readonly view: Pick<ConversationsView, 'selection'>;
}

type Targets = readonly ConversationTarget[];

/** The commands that act on listed conversations, whether their chats are open or not, or go through the list. */
export const conversationCommands = {
  'interns.stop': stopRun,
  'interns.exportTranscript': async (ports, targets) => {
    const open = await openListed(ports, targets, l10n.t('Export Conversation'));
    if (open === undefined) return;
    const { account, conversation } = open;
    const internName = ports.interns.name(conversation.transcript.intern, account);
    await exportConversation(conversation, internName);
  },
  'interns.deleteSession': async (ports, targets) => {
    const account = accountOf(ports, targets);
    const selected = ports.view.selection;
    const [focused] = targets;
    // A keyboard shortcut passes only the focused row.
    const isSelected =
      targets.length === 1 && selected.some((row) => row.conversation === focused?.conversation);
    const meant = isSelected ? selected : targets;
    const heads = await pickConversations(ports, meant, l10n.t('Delete Conversation'));
    await ports.deleteConversations(account, heads);
  },
  'interns.renameSession': async (ports, targets) => {
    const title = l10n.t('Rename Conversation');
    const open = await openListed(ports, targets, title);
    if (open === undefined) return;
    const prompt = l10n.t('Name of the conversation. Leave empty to use its first words.');
    const value = open.conversation.transcript.title;
    const typed = await ports.dialogs.input({ title, prompt, value });
    if (typed.kind === 'value')
      open.conversation.record({ type: 'renamed', title: typed.value.trim().slice(0, 200) });
  },
  'interns.limitCost': async (ports, targets) => {
    const open = await openTarget(ports, targets, l10n.t('Limit Cost of Conversation'));
    if (open !== undefined) await limitCost(open, ports.dialogs);
  },
  /** Copies the service's session IDs. @throws UserError if there is none yet */
  'interns.copySessionId': async (ports, targets) => {
    const account = accountOf(ports, targets);
    const heads = await pickConversations(ports, targets, l10n.t('Copy Session ID'));
    if (heads.length === 0) return;
    const records = await Promise.all(heads.map(({ id }) => ports.conversations.read(account, id)));
    const ids = records.flatMap(({ session }) => session ?? []);
    if (ids.length === 0)
      throw new UserError(
        l10n.t(
          'This conversation has no session ID yet. It gets one with the first complete reply.',
        ),
      );
    await copyToClipboard(ids.join('\n'));
  },
  'interns.whenUnanswered': setWhenUnanswered,
  'interns.pinConversation': (ports, targets) =>
    listAs(ports, targets, l10n.t('Pin Conversation'), 'pinned'),
  'interns.unpinConversation': (ports, targets) =>
    listAs(ports, targets, l10n.t('Unpin Conversation'), 'plain', 'pinned'),
  'interns.archiveConversation': (ports, targets) =>
    listAs(ports, targets, l10n.t('Archive Conversation'), 'archived'),
  'interns.unarchiveConversation': (ports, targets) =>
    listAs(ports, targets, l10n.t('Unarchive Conversation'), 'plain', 'archived'),
  'interns.markRead': (ports, targets) => mark(ports, targets, l10n.t('Mark as Read'), true),
  'interns.markUnread': (ports, targets) => mark(ports, targets, l10n.t('Mark as Unread'), false),
  /** Shows the given chat, or the one whose question has the least time left. If that is active, shows the next one. */
  'interns.goToWaiting': async (ports, [target]) => {
    const waiting = ports.pendingQuestions.listOpen().map(({ question }) => question.conversation);
    const ids = target === undefined ? waiting : [target.conversation];
    await showNext(ports, ids, l10n.t('No question is waiting for you.'));
  },
  /** Shows the first unread chat of the list. If that is active, shows the next one. */
  'interns.goToUnread': async (ports) => {
    await ports.list.load();
    const unread = ports.list.listed.filter(({ isUnread }) => isUnread);
    const ids = unread.map(({ conversation }) => conversation);
    await showNext(ports, ids, l10n.t('All conversations are read.'));
  },
  'interns.openRecent': openRecent,
} satisfies CommandHandlers<[ChatCommandPorts]>;

/** Stops the run of the conversation given, else of the active chat, else of the only one that runs here, else asks. */
async function stopRun(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const { pages, conversations, dialogs, interns } = ports;
  const [target] = targets;
  if (target !== undefined) {
    // The list also shows runs of other windows, and questions whose chats are not open here.
    const open = await conversations.open(accountOf(ports, targets), target.conversation);
    if (open === undefined || !canStop(open.conversation.state))
      throw new UserError(l10n.t('No run of this conversation is active in this window.'));
    open.conversation.send({ type: 'stop' });
    return;
  }
  const running = conversations.live.filter(({ conversation }) => canStop(conversation.state));
  const current = pages.activePage?.open.conversation.id;
  const active = running.find(({ conversation }) => conversation.id === current);
  const rows = running.map((value) => {
    const { title: label, intern } = value.conversation.transcript;
    // One prompt may run with several interns.
    const name = interns.name(intern, value.account);
    return { label: plainLine(label, 80), description: plainLine(name, 40), value };
  });
  if (rows.length === 0) return;
  const rowsOf = () => Promise.resolve(rows);
  const run = await pickTarget(dialogs, active, rowsOf, { title: l10n.t('Stop Run') });
  run?.conversation.send({ type: 'stop' });
}

/** Returns the active chat's account if the command has no targets, otherwise the active account. */
function accountOf(ports: ChatCommandPorts, targets: Targets): Account {
  const current = targets.length === 0 ? ports.pages.activePage : undefined;
  return current?.open.account ?? activeAccount(ports.accounts);
}

/** Returns the targets, or the active chat's conversation, or one that the user selects among those that fit. */
async function pickConversations(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
  fits: (head: ConversationHead) => boolean = () => true,
): Promise<readonly ConversationHead[]> {
  const account = accountOf(ports, targets);
  const all = await ports.conversations.list(account);
  const headOf = (id: string | undefined) => all.find((head) => head.id === id);
  // The first of two quick presses of Delete has deleted the targets.
  if (targets.length > 0) return targets.flatMap(({ conversation }) => headOf(conversation) ?? []);
  const current = ports.pages.activePage?.open.conversation.id;
  const head = headOf(current);
  if (current !== undefined && head === undefined) throw new UserError(noMessagesMessage());
  const heads = all.filter(fits);
  // If the command doesn't fit the current conversation, another one may be meant.
  if (head !== undefined && (fits(head) || heads.length === 0)) return [head];
  if (heads.length === 0) throw noneError(all);
  const rows = heads.map((each) => conversationPickRow(each, ports.interns, account));
  const picked = await pickTarget(ports.dialogs, undefined, () => Promise.resolve(rows), { title });
  return picked === undefined ? [] : [picked];
}

/** Returns the error of a command that no conversation fits. */
function noneError(all: readonly unknown[]): UserError {
  return new UserError(
    all.length === 0
      ? l10n.t('There are no conversations yet.')
      : l10n.t('No conversation is available for this command.'),
  );
}

/** Opens the target, or the active chat's conversation, even an empty one, or one that the user selects. */
export async function openTarget(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
): Promise<OpenConversation | undefined> {
  const { activePage } = ports.pages;
  if (targets.length === 0 && activePage !== undefined) return activePage.open;
  return openListed(ports, targets, title);
}

/** Like {@link openTarget}, but never opens an empty conversation. */
async function openListed(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
): Promise<OpenConversation | undefined> {
  const account = accountOf(ports, targets);
  const [head] = await pickConversations(ports, targets, title);
  return head && ports.conversations.open(account, head.id);
}

/** Lists conversations as `to`. Applies to those listed as `from`, by default to all others. */
async function listAs(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
  to: ListedAs,
  from?: ListedAs,
): Promise<void> {
  const fits = ({ listed = 'plain' }: ConversationHead) =>
    from === undefined ? listed !== to : listed === from;
  const account = accountOf(ports, targets);
  const heads = await pickConversations(ports, targets, title, fits);
  const list = ({ id }: ConversationHead) => ports.conversations.listAs(account, id, to);
  // One of them may fail.
  await runAll(heads.filter(fits).map((head) => () => list(head)));
}

async function mark(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
  isRead: boolean,
): Promise<void> {
  const { list } = ports;
  const { readPositions } = ports.conversations;
  await list.load();
  // The list knows only the active account. A conversation of another one is marked in any case.
  const isUnread = ({ id }: ConversationHead) => list.get(id)?.isUnread;
  const account = accountOf(ports, targets);
  const heads = await pickConversations(ports, targets, title, (head) => isUnread(head) === isRead);
  const changed = heads.filter((head) => isUnread(head) !== !isRead);
  await Promise.all(changed.map((head) => readPositions.mark(account, head, isRead)));
}

/** Shows the chat after the active one, cyclically; the first one if the active one is not among them. */
async function showNext(
  { pages }: ChatCommandPorts,
  ids: readonly string[],
  noneMessage: string,
): Promise<void> {
  const chats = [...new Set(ids)];
  const index = chats.indexOf(pages.activePage?.open.conversation.id ?? '');
  const next = chats[(index + 1) % Math.max(1, chats.length)];
  if (next !== undefined) await pages.showFromAnyAccount(next);
  else void window.showInformationMessage(noneMessage);
}

/** Has the user pick a conversation of the list, in its order. A button opens it to the side. */
async function openRecent(ports: ChatCommandPorts): Promise<void> {
  const { dialogs, interns, list, pages } = ports;
  const account = activeAccount(ports.accounts);
  await Promise.all([list.load(), interns.list(account)]);
  if (list.listed.length === 0) throw noneError(list.all);
  const context = {
    internName: (intern: string) => interns.name(intern, account),
    scope: list.scope,
    now: ports.clock.now(),
  };
  const picked = await dialogs.pick<ConversationRow>({
    title: l10n.t('Open Recent Conversation'),
    placeholder: l10n.t('Select a conversation to open its chat'),
    rows: list.listed.map((row) => {
      const { label, description } = rowTexts(row, context);
      const toSide = { label: l10n.t('Open to the Side'), icon: 'split-horizontal' };
      return {
        label: row.isUnread ? `● ${label}` : label,
        description,
        icon: rowIcon(row),
        value: row,
        button: { id: row.conversation, ...toSide },
      };
    }),
  });
  if (picked.kind === 'value') await pages.show(account, picked.value.conversation);
  else if (picked.kind === 'left' && picked.button !== undefined)
    await pages.show(account, picked.button, ViewColumn.Beside);
}

/** Sets what happens to a conversation's unanswered questions. */
async function setWhenUnanswered(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const title = l10n.t('Set Action for Unanswered Questions');
  const open = await openTarget(ports, targets, title);
  if (open === undefined) return;
  const { conversation } = open;
  const { whenUnanswered, title: about } = conversation.transcript;
  const words: Readonly<Record<WhenUnanswered, readonly [label: string, detail: string]>> = {
    expire: [l10n.t('Let it expire'), l10n.t('The service ends the run when the time is up.')],
    refuse: [
      l10n.t('Refuse and go on'),
      l10n.t('The question is rejected once, declined or canceled, and the intern continues.'),
    ],
    cancel: [l10n.t('Cancel the run'), l10n.t('The question is canceled, and the run stops.')],
  };
  const picked = await ports.dialogs.pick<WhenUnanswered>({
    title: about === '' ? title : `${title} · ${plainLine(about, 60)}`,
    prompt: formatSentences([
      l10n.t(
        'What to do {0} before an unanswered question expires. Nothing is ever approved automatically.',
        formatDuration(AUTO_ANSWER_BEFORE_DEADLINE_MS),
      ),
      l10n.t('This applies only while VS Code is open.'),
    ]),
    active: whenUnanswered,
    rows: WHEN_UNANSWERED.map((value) => ({
      label: words[value][0],
      detail: words[value][1],
      ...(value === whenUnanswered && { icon: 'check', description: l10n.t('current') }),
      value,
    })),
  });
  if (picked.kind !== 'value' || picked.value === whenUnanswered) return;
  conversation.record({ type: 'unanswered', then: picked.value });
  ports.pendingQuestions.handlePolicyChange(conversation.id);
}
