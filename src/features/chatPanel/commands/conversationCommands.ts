import { l10n, ThemeIcon } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ListedAs } from '../../../conversation/journal.ts';
import { canStop } from '../../../conversation/machine/state.ts';
import type { PendingQuestions } from '../../../conversation/questions/pendingQuestions.ts';
import {
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  WHEN_UNANSWERED,
  type WhenUnanswered,
} from '../../../conversation/questions/unanswered.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { copyToClipboard } from '../../../platform/dialogs/statusMessage.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatDuration } from '../../../platform/text/format.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import type { ConversationList } from '../../conversations/conversationList.ts';
import type { Conversations, OpenConversation } from '../../conversations/conversations.ts';
import { exportConversation } from '../../conversations/exportConversation.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import { conversationLabel } from '../../conversations/searchConversations.ts';
import type { InternServices } from '../../interns/internModel.ts';
import type { InternPicker } from '../../interns/internPicker.ts';
import type { ChatPages, ChatPagesOptions } from '../chatPages.ts';
import type { ChatTexts } from '../chatTexts.ts';
import { limitCost } from '../prompts/sendingDialogs.ts';
import { noMessagesMessage } from './chatLinks.ts';
import { deleteConversations, runAll, type DeletionPorts } from './deleteConversations.ts';

/** The parts that commands of chats use. */
export interface ChatCommandPorts extends Pick<
  InternServices,
  'accounts' | 'clock' | 'dialogs' | 'interns'
> {
  readonly picker: InternPicker;
  readonly conversations: Conversations;
  readonly pages: ChatPages;
  readonly pendingQuestions: Pick<PendingQuestions, 'listOpen' | 'handlePolicyChange'>;
  readonly chatTexts: ChatTexts;
  readonly contextFor: ChatPagesOptions['contextFor'];
  readonly list: ConversationList;
  /** Returns the selected rows of the Conversations view. */
  readonly selection: () => Targets;
  readonly forget: DeletionPorts['forget'];
}

type Targets = readonly ConversationTarget[];

/** Registers the commands that act on conversations in the list, whether their chats are open or not. */
export function registerConversationCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  /** Returns a command that lists conversations as `to`. It applies to those listed as `from`, by default to all others. */
  const listing = (title: string, to: ListedAs, from?: ListedAs) => async (targets: Targets) => {
    const fits = ({ listed = 'plain' }: ConversationHead) =>
      from === undefined ? listed !== to : listed === from;
    const heads = await pickConversations(ports, targets, title, fits);
    const list = async ({ id }: ConversationHead) => {
      const open = await ports.conversations.open(accountOf(ports, targets), id);
      open?.conversation.record({ type: 'listed', as: to });
    };
    // One of them may be damaged.
    await runAll(heads.filter(fits).map((head) => () => list(head)));
  };
  return registrar.registerAll({
    'interns.stop': (targets) => stopRun(ports, targets),
    'interns.exportTranscript': (targets) => exportTarget(ports, targets),
    'interns.deleteSession': (targets) => deleteTargets(ports, targets),
    'interns.renameSession': (targets) => renameConversation(ports, targets),
    'interns.limitCost': (targets) => limitCostOf(ports, targets),
    'interns.copySessionId': (targets) => copySessionIds(ports, targets),
    'interns.whenUnanswered': (targets) => setWhenUnanswered(ports, targets),
    'interns.pinConversation': listing(l10n.t('Pin Conversation'), 'pinned'),
    'interns.unpinConversation': listing(l10n.t('Unpin Conversation'), 'plain', 'pinned'),
    'interns.archiveConversation': listing(l10n.t('Archive Conversation'), 'archived'),
    'interns.unarchiveConversation': listing(l10n.t('Unarchive Conversation'), 'plain', 'archived'),
  });
}

/** Stops the run of the conversation given, else of the active chat, else of the only one that runs, else asks. */
async function stopRun(
  { pages, conversations, dialogs }: ChatCommandPorts,
  targets: Targets,
): Promise<void> {
  const running = conversations.live
    .map(({ conversation }) => conversation)
    .filter(({ state }) => canStop(state));
  const [target] = targets;
  const meant = target?.conversation ?? pages.activePage?.open.conversation.id;
  const named = running.find(({ id }) => id === meant);
  if (target !== undefined && named === undefined)
    throw new UserError(l10n.t('No run of this conversation is active in this window.'));
  const [only] = running;
  if (only === undefined) return;
  if (named !== undefined || running.length === 1) {
    (named ?? only).send({ type: 'stop' });
    return;
  }
  const rows = running.map((value) => ({ label: plainLine(value.transcript.title, 80), value }));
  const picked = await dialogs.pick({ title: l10n.t('Stop Run'), rows });
  if (picked.kind === 'value') picked.value.send({ type: 'stop' });
}

/** Returns the active chat's account if the command has no targets, otherwise the active account. */
export function accountOf(ports: ChatCommandPorts, targets: Targets): Account {
  const current = targets.length === 0 ? ports.pages.activePage : undefined;
  return current?.open.account ?? activeAccount(ports.accounts);
}

/** Returns the targets, or the active chat's conversation, or one that the user selects among those that fit. */
export async function pickConversations(
  ports: ChatCommandPorts,
  targets: Targets,
  title: string,
  fits: (head: ConversationHead) => boolean = () => true,
): Promise<readonly ConversationHead[]> {
  const all = await ports.conversations.list(accountOf(ports, targets));
  const current = targets.length > 0 ? undefined : ports.pages.activePage?.open.conversation.id;
  const ids = current === undefined ? targets.map(({ conversation }) => conversation) : [current];
  const named = ids.flatMap((id) => all.find((head) => head.id === id) ?? []);
  const heads = all.filter(fits);
  // If the command doesn't fit the current conversation, another one may be meant.
  const isForOthers = current !== undefined && heads.length > 0 && !named.every(fits);
  if (named.length > 0 && !isForOthers) return named;
  if (ids.length > 0 && !isForOthers) throw new UserError(noMessagesMessage());
  if (all.length === 0) throw new UserError(l10n.t('There are no conversations yet.'));
  if (heads.length === 0)
    throw new UserError(l10n.t('No conversation is available for this command.'));
  if (heads.length === 1) return heads;
  const picked = await ports.dialogs.pick({
    title,
    matchAll: true,
    rows: heads.map((head) => ({ ...conversationPickRow(ports, head), value: head })),
  });
  return picked.kind === 'value' ? [picked.value] : [];
}

/** Returns the row of a conversation in a list to pick from. */
export function conversationPickRow(
  { interns }: Pick<ChatCommandPorts, 'interns'>,
  head: ConversationHead,
): { readonly label: string; readonly description: string } {
  return { label: plainLine(head.title, 80), description: conversationLabel(head, interns) };
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

async function exportTarget(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const open = await openListed(ports, targets, l10n.t('Export Conversation'));
  if (open === undefined) return;
  const { account, conversation } = open;
  const internName = ports.interns.name(conversation.transcript.intern, account);
  await exportConversation(conversation, internName);
}

async function deleteTargets(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const account = accountOf(ports, targets);
  const selected = ports.selection();
  const [only] = targets;
  // A key names the focused row alone.
  const isSelected =
    targets.length === 1 && selected.some((row) => row.conversation === only?.conversation);
  const heads = await pickConversations(
    ports,
    isSelected ? selected : targets,
    l10n.t('Delete Conversation'),
  );
  await deleteConversations(ports, account, heads);
}

async function renameConversation(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const title = l10n.t('Rename Conversation');
  const open = await openListed(ports, targets, title);
  if (open === undefined) return;
  const prompt = l10n.t('Name of the conversation. Leave empty to use its first words.');
  const value = open.conversation.transcript.title;
  const typed = await ports.dialogs.input({ title, prompt, value });
  if (typed.kind === 'value')
    open.conversation.record({ type: 'renamed', title: typed.value.trim().slice(0, 200) });
}

async function limitCostOf(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const title = l10n.t('Limit Cost of Conversation');
  const open = await openTarget(ports, targets, title);
  if (open !== undefined) await limitCost(open, ports.dialogs);
}

/** Copies the service's session IDs. @throws UserError if there is none yet */
async function copySessionIds(ports: ChatCommandPorts, targets: Targets): Promise<void> {
  const account = accountOf(ports, targets);
  const heads = await pickConversations(ports, targets, l10n.t('Copy Session ID'));
  if (heads.length === 0) return;
  const records = await Promise.all(heads.map(({ id }) => ports.conversations.read(account, id)));
  const ids = records.flatMap(({ session }) => session ?? []);
  if (ids.length === 0)
    throw new UserError(
      l10n.t('This conversation has no session ID yet. It gets one with the first complete reply.'),
    );
  await copyToClipboard(ids.join('\n'));
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
    prompt: [
      l10n.t(
        'What to do {0} before an unanswered question expires. Nothing is ever approved automatically.',
        formatDuration(AUTO_ANSWER_BEFORE_DEADLINE_MS),
      ),
      l10n.t('This applies only while VS Code is open.'),
    ].join(' '),
    active: whenUnanswered,
    rows: WHEN_UNANSWERED.map((value) => ({
      label: words[value][0],
      detail: words[value][1],
      ...(value === whenUnanswered && {
        icon: new ThemeIcon('check'),
        description: l10n.t('current'),
      }),
      value,
    })),
  });
  if (picked.kind !== 'value' || picked.value === whenUnanswered) return;
  conversation.record({ type: 'unanswered', then: picked.value });
  ports.pendingQuestions.handlePolicyChange(conversation.id);
}
