import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { activeAccount } from '../../accounts/account.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import { conversationRow, openTarget } from './chatCommands.ts';

/** Registers the commands of the chat in the side bar. */
export function registerChatViewCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  const { panels } = ports;
  return registrar.registerAll({
    'interns.moveToSideBar': (targets) => moveToSideBar(ports, targets),
    'interns.moveToEditor': () => panels.moveToEditor(),
    'interns.showInSideBar': () => showInSideBar(ports),
    'interns.newInSideBar': () => newInSideBar(ports),
    'interns.pinSideBar': () => panels.view.pin(true),
    'interns.unpinSideBar': () => panels.view.pin(false),
  });
}

async function moveToSideBar(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const open = await openTarget(ports, targets, vscode.l10n.t('Move Chat to Side Bar'));
  if (open !== undefined) await ports.panels.moveToSideBar(open);
}

/** Shows a conversation that the user picks, which leaves its tab where it has one. */
async function showInSideBar(ports: ChatCommandPorts): Promise<void> {
  const { conversations, panels, prompts } = ports;
  const account = activeAccount(ports.accounts);
  const shown = panels.view.page?.open.conversation.id;
  const heads = (await conversations.list(account)).filter(({ id }) => id !== shown);
  const picked = await prompts.pick<ConversationHead | 'new'>({
    title: vscode.l10n.t('Show Conversation in Side Bar'),
    matchAll: true,
    rows: [
      {
        label: vscode.l10n.t('New Conversation…'),
        icon: new vscode.ThemeIcon('add'),
        value: 'new',
      },
      ...heads.map((head) => ({ ...conversationRow(ports, head), value: head })),
    ],
  });
  if (picked.kind !== 'value') return;
  if (picked.value === 'new') return newInSideBar(ports);
  const open = await conversations.open(account, picked.value.id);
  if (open !== undefined) await panels.moveToSideBar(open);
}

async function newInSideBar(ports: ChatCommandPorts): Promise<void> {
  const account = activeAccount(ports.accounts);
  const intern = await ports.picker.pick([], vscode.l10n.t('New Conversation'));
  if (intern === undefined) return;
  await ports.panels.moveToSideBar(ports.conversations.create(account, intern));
}
