import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { canStop } from '../../../conversation/machine/state.ts';
import type { GoTarget } from '../../../protocol/messages.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import type {
  ChatOpening,
  ConversationTarget,
  InternTarget,
  MessageTarget,
} from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { copyText } from '../../../platform/dialogs/announce.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../../platform/words/format.ts';
import { UserError } from '../../../platform/words/report.ts';
import { askSeveral } from './askSeveral.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import { linkTo, notHereWords, nothingSaidWords } from './chatLinks.ts';
import type { ChatPanel } from '../chatPanel.ts';
import { goToPrompt } from './goToPrompt.ts';
import { limitCost } from '../prompts/limitCost.ts';
import { pickWhenUnanswered, whenUnansweredTitle } from './whenUnanswered.ts';
import { exportConversation } from '../../conversations/exportConversation.ts';
import { headWords, searchConversations } from '../../conversations/searchConversations.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { latestOf, type ConversationHead } from '../../conversations/heads.ts';

/** Registers the commands that act on conversations. */
export function registerChatCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  return registrar.registerAll({
    'interns.openChat': (targets, opening) => openChat(ports, targets, opening),
    'interns.newConversation': (targets, opening) => newConversation(ports, targets, opening),
    'interns.askSeveral': (targets) => askSeveral(ports, targets),
    'interns.stop': (targets) => stopRun(ports, targets),
    'interns.exportTranscript': (targets) => exportTarget(ports, targets),
    'interns.deleteSession': (targets) => deleteConversations(ports, targets),
    'interns.renameSession': (targets) => renameConversation(ports, targets),
    'interns.limitCost': (targets) => limitCostOf(ports, targets),
    'interns.copySessionId': (targets) => copySessionIds(ports, targets),
    'interns.whenUnanswered': (targets) => setWhenUnanswered(ports, targets),
    'interns.searchConversations': () => search(ports),
    'interns.findInChat': () => ports.panels.active?.postToPage('openFind', {}),
    'interns.focusComposer': () =>
      ports.panels.active === undefined
        ? vscode.commands.executeCommand('interns.openChat')
        : ports.panels.active.reveal(),
    'interns.nextWaiting': () => showNextWaiting(ports),
    'interns.nextMessage': () => goToMessage(ports, 1),
    'interns.previousMessage': () => goToMessage(ports, -1),
    'interns.nextPrompt': () => go(ports, 'prompt', 1),
    'interns.previousPrompt': () => go(ports, 'prompt', -1),
    'interns.goToPrompt': () => showOutline(ports),
    'interns.nextCodeBlock': () => go(ports, 'codeBlock', 1),
    'interns.previousCodeBlock': () => go(ports, 'codeBlock', -1),
    'interns.openReplyAsText': () =>
      ports.panels.active?.postToPage('askFocused', { about: 'openReply' }),
    'interns.copyMessageLink': (targets) => copyMessageLink(ports, targets),
    'interns.accessibilityHelp': () => ports.texts.showHelp(),
  });
}

/** Shows the conversation that was found, at its words. */
async function search(ports: ChatCommandPorts): Promise<void> {
  const account = ports.accounts.active;
  if (account === undefined) return;
  const found = await searchConversations(account, ports);
  if (found === undefined) return;
  const { conversation, message, words } = found;
  const panel = await ports.panels.show(account, conversation);
  if (message !== undefined) panel?.postToPage('reveal', { message, words });
}

function go({ panels }: ChatCommandPorts, to: GoTarget, step: -1 | 1): void {
  panels.active?.postToPage('go', { to, step });
}

/** Copies a link to the message of the active chat that is named, else to the one that has the focus there. */
async function copyMessageLink(
  { panels }: ChatCommandPorts,
  [target]: readonly MessageTarget[],
): Promise<void> {
  const { active } = panels;
  if (active === undefined || target === undefined)
    active?.postToPage('askFocused', { about: 'copyLink' });
  else await copyText(linkTo(active.open.conversation, target.message));
}

/** Moves in the editor of a reply that is open as text, else in the chat. */
async function goToMessage(ports: ChatCommandPorts, step: -1 | 1): Promise<void> {
  if (!(await ports.texts.step(step))) go(ports, 'message', step);
}

async function showOutline({ panels, prompts }: ChatCommandPorts): Promise<void> {
  if (panels.active !== undefined) await goToPrompt(panels.active, prompts);
}

async function openChat(
  ports: ChatCommandPorts,
  targets: readonly (InternTarget | ConversationTarget)[],
  { prompt, message }: ChatOpening,
): Promise<void> {
  const account = activeAccount(ports.accounts);
  const panel = await panelFor(ports, account, targets, message);
  if (panel === undefined) return;
  if (message !== undefined) panel.postToPage('reveal', { message });
  fillComposer(panel, prompt);
}

/** The chat that is meant: the conversation's, of whichever account; else the one with the message, else the latest. */
async function panelFor(
  ports: ChatCommandPorts,
  account: Account,
  targets: readonly (InternTarget | ConversationTarget)[],
  message: string | undefined,
): Promise<ChatPanel | undefined> {
  const [target] = targets;
  if (target !== undefined && 'conversation' in target) {
    const shown = await ports.panels.showOfAnyAccount(target.conversation);
    if (shown !== undefined) return shown;
    throw new UserError(notHereWords());
  }
  const intern = await ports.picker.pick(targets, vscode.l10n.t('Open Chat'));
  if (intern === undefined) return undefined;
  const heads = await ports.conversations.list(account, intern);
  const named = message === undefined ? undefined : await headWith(message, heads);
  const head = named ?? latestOf(heads);
  return (
    (head && (await ports.panels.show(account, head.id))) ?? ports.panels.start(account, intern)
  );

  async function headWith(id: string, among: readonly ConversationHead[]) {
    for (const each of among) {
      const { messages } = await ports.conversations.read(account, each.id);
      if (messages.some((said) => said.id === id)) return each;
    }
    return undefined;
  }
}

/** Puts a prompt at the end of what stands in the composer; it is its user who sends it. */
function fillComposer(panel: ChatPanel, prompt = ''): void {
  if (prompt !== '') panel.postToPage('compose', { text: prompt, where: 'append' });
}

async function newConversation(
  ports: ChatCommandPorts,
  targets: readonly InternTarget[],
  { prompt }: ChatOpening,
): Promise<void> {
  const account = activeAccount(ports.accounts);
  const intern = await ports.picker.pick(targets, vscode.l10n.t('New Conversation'));
  if (intern !== undefined) fillComposer(ports.panels.start(account, intern), prompt);
}

/** Stops the run of the conversation given, else of the current chat, else of the only one that runs, else asks. */
async function stopRun(
  { panels, conversations, prompts }: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const running = conversations.live
    .map(({ conversation }) => conversation)
    .filter(({ state }) => canStop(state));
  const [target] = targets;
  const meant = target?.conversation ?? panels.current?.open.conversation.id;
  const named = running.find(({ id }) => id === meant);
  if (target !== undefined && named === undefined)
    throw new UserError(vscode.l10n.t('This window is not following a run of this conversation.'));
  const chosen = named ?? (running.length === 1 ? running[0] : undefined);
  if (chosen !== undefined) {
    chosen.send({ type: 'stop' });
    return;
  }
  if (running.length === 0) return;
  const picked = await prompts.pick({
    title: vscode.l10n.t('Stop Run'),
    rows: running.map((conversation) => ({
      label: plainLine(conversation.transcript.title, 80),
      value: conversation,
    })),
  });
  if (picked.kind === 'value') picked.value.send({ type: 'stop' });
}

/** The account of what a command was called on: a chat stays with its own while another account is active. */
export function accountOf(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Account {
  const current = targets.length === 0 ? ports.panels.current : undefined;
  return current?.open.account ?? activeAccount(ports.accounts);
}

/**
 * The conversations that a command was called on, else the current chat's, else one that the user picks of those that
 * `fits` says the command has something to do with.
 */
export async function pickConversations(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  title: string,
  fits: (head: ConversationHead) => boolean = () => true,
): Promise<readonly ConversationHead[]> {
  const all = await ports.conversations.list(accountOf(ports, targets));
  const current = targets.length > 0 ? undefined : ports.panels.current?.open.conversation.id;
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
  const picked = await ports.prompts.pick({
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
    ports.panels.close(id);
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
  const typed = await ports.prompts.input({
    title: vscode.l10n.t('Rename Conversation'),
    prompt: vscode.l10n.t('A name for this editor’s list. Leave it empty to use the first words.'),
    value: head.title,
  });
  if (typed.kind !== 'value') return;
  const open = await ports.conversations.open(account, head.id);
  open?.conversation.record({ type: 'renamed', title: typed.value.trim().slice(0, 200) });
}

/** Of a new conversation too, before its first prompt. */
async function limitCostOf(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const title = vscode.l10n.t('Limit Cost of Conversation');
  const open = await openTarget(ports, targets, title);
  if (open !== undefined) await limitCost(open, ports.prompts);
}

/** The conversation that a command was called on, opened; the current chat's also before anything was said there. */
export async function openTarget(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  title: string,
): Promise<OpenConversation | undefined> {
  const account = accountOf(ports, targets);
  const { current } = ports.panels;
  if (targets.length === 0 && current !== undefined) return current.open;
  const [head] = await pickConversations(ports, targets, title);
  return head && ports.conversations.open(account, head.id);
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
  const then = await pickWhenUnanswered(ports.prompts, conversation.transcript);
  if (then === undefined || then === conversation.transcript.whenUnanswered) return;
  conversation.record({ type: 'unanswered', then });
  ports.broker.reconsider(conversation.id);
}

/** Shows the chat whose question is the most urgent; again, the next one. */
async function showNextWaiting({ panels, broker }: ChatCommandPorts): Promise<void> {
  const waiting = [...new Set(broker.open().map(({ question }) => question.conversation))];
  const at = waiting.indexOf(panels.current?.open.conversation.id ?? '');
  const next = waiting[(at + 1) % Math.max(1, waiting.length)];
  if (next !== undefined) await panels.showOfAnyAccount(next);
}
