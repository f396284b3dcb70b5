import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { canStop } from '../../chat/conversation/state.ts';
import type { Account } from '../auth/account.ts';
import type { ConversationTarget, InternTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import { plainLine } from '../dialogs/steps.ts';
import { formatNumber, formatRelative } from '../words/format.ts';
import { UserError } from '../words/report.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import type { ChatPanels } from './chatPanels.ts';
import { exportConversation } from './exportConversation.ts';
import type { ConversationHead } from './heads.ts';
import { searchConversations } from './searchConversations.ts';

/** Registers the commands that act on conversations. */
export function registerChatCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  return registrar.registerAll({
    'interns.openChat': (targets) => openChat(ports, targets),
    'interns.newConversation': (targets) => newConversation(ports, targets),
    'interns.stop': (targets) => stopRun(ports, targets),
    'interns.exportTranscript': (targets) => exportTarget(ports, targets),
    'interns.deleteSession': (targets) => deleteConversations(ports, targets),
    'interns.renameSession': (targets) => renameConversation(ports, targets),
    'interns.searchConversations': () => searchConversations(ports),
    'interns.findInChat': () => ports.panels.active?.say('openFind', {}),
    'interns.focusComposer': () => ports.panels.active?.reveal(),
    'interns.nextWaiting': () => showNextWaiting(ports),
  });
}

function requireAccount({ accounts }: ChatCommandPorts): Account {
  const { active } = accounts;
  if (active !== undefined) return active;
  throw new UserError(vscode.l10n.t('Sign in first.'), [
    { label: vscode.l10n.t('Sign In…'), command: 'interns.signIn' },
  ]);
}

async function openChat(
  ports: ChatCommandPorts,
  targets: readonly (InternTarget | ConversationTarget)[],
): Promise<void> {
  const account = requireAccount(ports);
  const [target] = targets;
  if (target !== undefined && 'conversation' in target) {
    await ports.panels.show(account, target.conversation);
    return;
  }
  const intern = await ports.picker.pick(targets, vscode.l10n.t('Open Chat'));
  if (intern === undefined) return;
  const [latest] = await ports.conversations.list(account, intern);
  const shown = latest && (await ports.panels.show(account, latest.id));
  if (shown === undefined) ports.panels.start(account, intern);
}

async function newConversation(
  ports: ChatCommandPorts,
  targets: readonly InternTarget[],
): Promise<void> {
  const account = requireAccount(ports);
  const intern = await ports.picker.pick(targets, vscode.l10n.t('New Conversation'));
  if (intern !== undefined) ports.panels.start(account, intern);
}

/** Stops the run of the conversation given, else of the active tab, else of the only one that runs, else asks. */
async function stopRun(
  { panels, conversations, prompts }: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const running = conversations.open
    .map(({ conversation }) => conversation)
    .filter(({ state }) => canStop(state));
  const [target] = targets;
  const named = running.find(({ id }) => id === (target?.conversation ?? activeId(panels)));
  if (target !== undefined && named === undefined)
    throw new UserError(vscode.l10n.t('No run of this conversation is read in this window.'));
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

function activeId(panels: ChatPanels): string | undefined {
  const { active } = panels;
  return active?.panel.active === true ? active.open.conversation.id : undefined;
}

/** The account of what a command was called on: a tab stays with its own while another account is active. */
function accountOf(ports: ChatCommandPorts, targets: readonly ConversationTarget[]): Account {
  const { active } = ports.panels;
  const isTab = targets.length === 0 && active?.panel.active === true;
  return isTab ? active.open.account : requireAccount(ports);
}

/** The conversations that a command was called on, else the active tab's, else one that the user picks. */
async function pickConversations(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  title: string,
): Promise<readonly ConversationHead[]> {
  const heads = await ports.conversations.list(accountOf(ports, targets));
  const active = activeId(ports.panels);
  const ids =
    targets.length > 0 ? targets.map(({ conversation }) => conversation) : active ? [active] : [];
  const named = ids.flatMap((id) => heads.find((head) => head.id === id) ?? []);
  if (named.length > 0) return named;
  if (ids.length > 0)
    throw new UserError(vscode.l10n.t('Nothing was said in this conversation yet.'));
  if (heads.length === 1) return heads;
  if (heads.length === 0)
    throw new UserError(vscode.l10n.t('There are no conversations in this editor yet.'));
  const picked = await ports.prompts.pick({
    title,
    matchAll: true,
    rows: heads.map((head) => ({
      label: plainLine(head.title, 80),
      description: `${plainLine(ports.interns.name(head.intern), 40)} · ${formatRelative(head.at, Date.now())}`,
      value: head,
    })),
  });
  return picked.kind === 'value' ? [picked.value] : [];
}

async function exportTarget(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const account = accountOf(ports, targets);
  const [head] = await pickConversations(ports, targets, vscode.l10n.t('Export Conversation'));
  const open = head && (await ports.conversations.get(account, head.id));
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
  const doIt = vscode.l10n.t('Delete');
  const chosen = await vscode.window.showWarningMessage(
    heads.length === 1
      ? vscode.l10n.t('Delete the conversation “{0}”?', plainLine(first.title, 80))
      : vscode.l10n.t('Delete {0} conversations?', formatNumber(heads.length)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'This deletes the record in this editor only, and stops a run of it. The service’s session still remembers what was said.',
      ),
    },
    doIt,
  );
  if (chosen !== doIt) return;
  for (const { id } of heads) {
    ports.panels.close(id);
    await ports.conversations.delete(account, id);
    ports.forget(id);
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
  const open = await ports.conversations.get(account, head.id);
  open?.conversation.record({ type: 'renamed', title: typed.value.trim().slice(0, 200) });
}

/** Shows the chat whose question is the most urgent; again, the next one. */
async function showNextWaiting({ panels, conversations }: ChatCommandPorts): Promise<void> {
  const waiting = conversations.open
    .filter(({ conversation }) => conversation.state.phase.kind === 'paused')
    .sort((a, b) => askedAt(a) - askedAt(b));
  const current = waiting.findIndex(({ conversation }) => conversation.id === activeId(panels));
  const next = waiting[(current + 1) % Math.max(1, waiting.length)];
  if (next !== undefined) await panels.show(next.account, next.conversation.id);
}

function askedAt({
  conversation,
}: {
  conversation: { state: { questions: readonly { askedAt: number }[] } };
}): number {
  return conversation.state.questions[0]?.askedAt ?? 0;
}
