import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { formatTimeLeft } from '../../../base/timeLeft.ts';
import type { ListedAs } from '../../../conversation/journal.ts';
import { canStop } from '../../../conversation/machine/state.ts';
import {
  UNANSWERED_MS,
  WHEN_UNANSWERED,
  type WhenUnanswered,
} from '../../../conversation/questions/unanswered.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { copyText } from '../../../platform/dialogs/announce.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../../platform/words/format.ts';
import { UserError } from '../../../platform/words/report.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { exportConversation } from '../../conversations/exportConversation.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import { headWords } from '../../conversations/searchConversations.ts';
import { limitCost } from '../prompts/sendingDialogs.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import { nothingSaidWords } from './chatLinks.ts';

/** Registers the commands that act on conversations in the list, whether their chats are open or not. */
export function registerConversationCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  const moving = (move: () => Move) => (targets: readonly ConversationTarget[]) =>
    list(ports, targets, move());
  return registrar.registerAll({
    'interns.stop': (targets) => stopRun(ports, targets),
    'interns.exportTranscript': (targets) => exportTarget(ports, targets),
    'interns.deleteSession': (targets) => deleteConversations(ports, targets),
    'interns.renameSession': (targets) => renameConversation(ports, targets),
    'interns.limitCost': (targets) => limitCostOf(ports, targets),
    'interns.copySessionId': (targets) => copySessionIds(ports, targets),
    'interns.whenUnanswered': (targets) => setWhenUnanswered(ports, targets),
    'interns.pinConversation': moving(() => ({
      title: vscode.l10n.t('Pin Conversation'),
      to: 'pinned',
      from: (listed) => listed !== 'pinned',
    })),
    'interns.unpinConversation': moving(() => ({
      title: vscode.l10n.t('Unpin Conversation'),
      to: 'plain',
      from: (listed) => listed === 'pinned',
    })),
    'interns.archiveConversation': moving(() => ({
      title: vscode.l10n.t('Archive Conversation'),
      to: 'archived',
      from: (listed) => listed !== 'archived',
    })),
    'interns.unarchiveConversation': moving(() => ({
      title: vscode.l10n.t('Unarchive Conversation'),
      to: 'plain',
      from: (listed) => listed === 'archived',
    })),
  });
}

/** What brings a conversation to another place in lists. */
interface Move {
  readonly title: string;
  readonly to: ListedAs;
  /** Whether a conversation in this place can be moved so. */
  readonly from: (listed: ListedAs) => boolean;
}

async function list(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  { title, to, from }: Move,
): Promise<void> {
  const fits = ({ listed = 'plain' }: ConversationHead): boolean => from(listed);
  const heads = await pickConversations(ports, targets, title, fits);
  for (const { id } of heads.filter(fits)) {
    const open = await ports.conversations.open(accountOf(ports, targets), id);
    open?.conversation.record({ type: 'listed', as: to });
  }
}

/** Stops the run of the conversation given, else of the current chat, else of the only one that runs, else asks. */
async function stopRun(
  { pages, conversations, dialogs }: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const running = conversations.live
    .map(({ conversation }) => conversation)
    .filter(({ state }) => canStop(state));
  const [target] = targets;
  const meant = target?.conversation ?? pages.current?.open.conversation.id;
  const named = running.find(({ id }) => id === meant);
  if (target !== undefined && named === undefined)
    throw new UserError(vscode.l10n.t('This window is not following a run of this conversation.'));
  const chosen = named ?? (running.length === 1 ? running[0] : undefined);
  if (chosen !== undefined) {
    chosen.send({ type: 'stop' });
    return;
  }
  if (running.length === 0) return;
  const picked = await dialogs.pick({
    title: vscode.l10n.t('Stop Run'),
    rows: running.map((conversation) => ({
      label: plainLine(conversation.transcript.title, 80),
      value: conversation,
    })),
  });
  if (picked.kind === 'value') picked.value.send({ type: 'stop' });
}

/** The account of what a command was called on: a chat stays with its own while another account is active. */
function accountOf(ports: ChatCommandPorts, targets: readonly ConversationTarget[]): Account {
  const current = targets.length === 0 ? ports.pages.current : undefined;
  return current?.open.account ?? activeAccount(ports.accounts);
}

/**
 * The conversations that a command was called on, else the current chat's, else one that the user picks of those that
 * `fits` says the command has something to do with.
 */
async function pickConversations(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  title: string,
  fits: (head: ConversationHead) => boolean = () => true,
): Promise<readonly ConversationHead[]> {
  const all = await ports.conversations.list(accountOf(ports, targets));
  const current = targets.length > 0 ? undefined : ports.pages.current?.open.conversation.id;
  const ids = current === undefined ? targets.map(({ conversation }) => conversation) : [current];
  const named = ids.flatMap((id) => all.find((head) => head.id === id) ?? []);
  const heads = all.filter(fits);
  // The command may be meant for another conversation than the current one.
  const isForOthers = current !== undefined && heads.length > 0 && !named.every(fits);
  if (named.length > 0 && !isForOthers) return named;
  if (ids.length > 0 && !isForOthers) throw new UserError(nothingSaidWords());
  if (all.length === 0)
    throw new UserError(vscode.l10n.t('There are no conversations in this editor yet.'));
  if (heads.length === 0)
    throw new UserError(vscode.l10n.t('There is no conversation that this can be done to.'));
  if (heads.length === 1) return heads;
  const picked = await ports.dialogs.pick({
    title,
    matchAll: true,
    rows: heads.map((head) => ({ ...conversationRow(ports, head), value: head })),
  });
  return picked.kind === 'value' ? [picked.value] : [];
}

/** How a conversation is offered where one of many is picked. */
export function conversationRow(
  { interns }: Pick<ChatCommandPorts, 'interns'>,
  head: ConversationHead,
): { readonly label: string; readonly description: string } {
  return { label: plainLine(head.title, 80), description: headWords(head, interns) };
}

/** The conversation that a command was called on, opened; the current chat's also before anything was said there. */
export async function openTarget(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  title: string,
): Promise<OpenConversation | undefined> {
  const account = accountOf(ports, targets);
  const { current } = ports.pages;
  if (targets.length === 0 && current !== undefined) return current.open;
  const [head] = await pickConversations(ports, targets, title);
  return head && ports.conversations.open(account, head.id);
}

async function exportTarget(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const account = accountOf(ports, targets);
  const [head] = await pickConversations(ports, targets, vscode.l10n.t('Export Conversation'));
  const open = head && (await ports.conversations.open(account, head.id));
  if (open !== undefined)
    await exportConversation(open.conversation, ports.interns.name(head?.intern ?? '', account));
}

async function deleteConversations(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const account = accountOf(ports, targets);
  const heads = await pickConversations(ports, targets, vscode.l10n.t('Delete Conversation'));
  const [first] = heads;
  if (first === undefined) return;
  const isMeant = await confirm(
    heads.length === 1
      ? vscode.l10n.t('Delete the conversation “{0}”?', plainLine(first.title, 80))
      : vscode.l10n.t('Delete {0} conversations?', formatNumber(heads.length)),
    vscode.l10n.t(
      'This deletes the record in this editor only, and stops a run of it. The service’s session still remembers what was said.',
    ),
    vscode.l10n.t('Delete'),
  );
  if (!isMeant) return;
  for (const { id } of heads) {
    ports.pages.close(id);
    await ports.conversations.delete(account, id);
    await ports.forget(account, id);
  }
}

async function renameConversation(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const account = accountOf(ports, targets);
  const [head] = await pickConversations(ports, targets, vscode.l10n.t('Rename Conversation'));
  if (head === undefined) return;
  const typed = await ports.dialogs.input({
    title: vscode.l10n.t('Rename Conversation'),
    prompt: vscode.l10n.t('A name for this editor’s list. Leave it empty to use the first words.'),
    value: head.title,
  });
  if (typed.kind !== 'value') return;
  const open = await ports.conversations.open(account, head.id);
  open?.conversation.record({ type: 'renamed', title: typed.value.trim().slice(0, 200) });
}

/** Works on a new conversation too, before its first prompt. */
async function limitCostOf(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const title = vscode.l10n.t('Limit Cost of Conversation');
  const open = await openTarget(ports, targets, title);
  if (open !== undefined) await limitCost(open, ports.dialogs);
}

/** Copies the ids by which the service's side knows conversations; one that has none yet is told of. */
async function copySessionIds(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const account = accountOf(ports, targets);
  const heads = await pickConversations(ports, targets, vscode.l10n.t('Copy Session Id'));
  if (heads.length === 0) return;
  const records = await Promise.all(heads.map(({ id }) => ports.conversations.read(account, id)));
  const ids = records.flatMap(({ session }) => session ?? []);
  if (ids.length === 0)
    throw new UserError(
      vscode.l10n.t('The service has not given this conversation a session yet.'),
    );
  await copyText(ids.join('\n'));
}

/** Sets what becomes of a conversation's questions that nobody answers. */
async function setWhenUnanswered(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const open = await openTarget(ports, targets, whenUnansweredTitle());
  if (open === undefined) return;
  const { conversation } = open;
  const then = await pickWhenUnanswered(ports.dialogs, conversation.transcript);
  if (then === undefined || then === conversation.transcript.whenUnanswered) return;
  conversation.record({ type: 'unanswered', then });
  ports.pendingQuestions.reconsider(conversation.id);
}

function whenUnansweredTitle(): string {
  return vscode.l10n.t('When Nobody Answers');
}

/** Asks what becomes of a conversation's questions that nobody answers; undefined where the user leaves it as it is. */
async function pickWhenUnanswered(
  dialogs: ChatCommandPorts['dialogs'],
  { title, whenUnanswered }: OpenConversation['conversation']['transcript'],
): Promise<WhenUnanswered | undefined> {
  const about = plainLine(title, 60);
  const picked = await dialogs.pick<WhenUnanswered>({
    title: about === '' ? whenUnansweredTitle() : `${whenUnansweredTitle()} · ${about}`,
    placeholder: vscode.l10n.t(
      'With {0} left, where no window shows the question. Nothing is ever allowed so.',
      formatTimeLeft(UNANSWERED_MS),
    ),
    active: whenUnanswered,
    rows: WHEN_UNANSWERED.map((when) => ({
      label: labelOf(when),
      detail: detailOf(when),
      ...(when === whenUnanswered
        ? { icon: new vscode.ThemeIcon('check'), description: vscode.l10n.t('current') }
        : {}),
      value: when,
    })),
  });
  return picked.kind === 'value' ? picked.value : undefined;
}

function labelOf(when: WhenUnanswered): string {
  switch (when) {
    case 'expire':
      return vscode.l10n.t('Let it expire');
    case 'refuse':
      return vscode.l10n.t('Refuse and go on');
    case 'cancel':
      return vscode.l10n.t('Cancel the run');
  }
}

function detailOf(when: WhenUnanswered): string {
  switch (when) {
    case 'expire':
      return vscode.l10n.t(
        'Nothing is answered for you. The service ends the run when the time is up.',
      );
    case 'refuse':
      return vscode.l10n.t(
        'The question is rejected once, declined or cancelled, and the intern goes on.',
      );
    case 'cancel':
      return vscode.l10n.t('The question is cancelled, and the run is stopped.');
  }
}
