import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import { registerAccounts } from './host/auth/accountCommands.ts';
import { createAccounts, preferencesOf, startAccounts } from './host/auth/createAccounts.ts';
import { ExpiryReminder } from './host/auth/expiryReminder.ts';
import { createChats, type Chats } from './host/chat/createChats.ts';
import { CommandRegistrar } from './host/commands/registrar.ts';
import { ContextKeys } from './host/contextKeys.ts';
import { quickInputs } from './host/dialogs/steps.ts';
import { TrackedPrompts } from './host/dialogs/trackedPrompts.ts';
import { createInterns } from './host/interns/createInterns.ts';
import { InternModel } from './host/interns/internModel.ts';
import { KeyInfoPanel } from './host/keyInfo/keyInfoPanel.ts';
import { createLogChannel } from './host/log/channel.ts';
import { registerLogCommands } from './host/log/logCommands.ts';
import { Settings } from './host/settings.ts';
import { createFolderWatcher } from './host/storage/folderWatcher.ts';
import { createVault } from './host/vault/createVault.ts';

/** What {@link deactivate} writes to disk. */
let chats: Pick<Chats, 'flush'> | undefined;

/** Called by VS Code once, when the extension starts: builds the parts and hands them to each other. */
export function activate(context: vscode.ExtensionContext): void {
  const parts = new DisposableStore();
  context.subscriptions.push(parts);
  const channel = parts.add(createLogChannel());
  const { log, redactor } = channel;
  const registrar = new CommandRegistrar(log);
  const settings = new Settings();
  const prompts = new TrackedPrompts(quickInputs);
  const watch = createFolderWatcher(log);
  const accounts = parts.add(createAccounts(context, { log, redactor, watch }));
  const interns = parts.add(new InternModel({ accounts, clock: systemClock, log }));
  const shared = {
    context,
    accounts,
    interns,
    registrar,
    prompts,
    settings,
    log,
    contextKeys: new ContextKeys(),
    clock: systemClock,
    watch,
  };
  const created = parts.add(createChats(shared));
  chats = created;
  const { treeSource: conversations, picker } = created;
  const { view } = parts.add(createInterns({ ...shared, conversations, picker }));
  created.showBadgeOn(view);
  parts.add(createVault(shared));
  parts.add(registerAccounts({ ...shared, runs: created.runs }));
  parts.add(new KeyInfoPanel(accounts, registrar, log));
  parts.add(new ExpiryReminder(accounts, preferencesOf(context.globalState)));
  const { version } = context.extension.packageJSON as { version: string };
  parts.add(registerLogCommands({ ...shared, channel, version }));
  void startAccounts(accounts, log);
}

/** Called by VS Code before the window goes away, which waits for it a few seconds: what was said is on disk then. */
export async function deactivate(): Promise<void> {
  await chats?.flush();
}
