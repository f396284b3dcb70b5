import type * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import type { Account } from './host/auth/account.ts';
import { registerAccounts } from './host/auth/accountCommands.ts';
import { createAccounts, preferencesOf, startAccounts } from './host/auth/createAccounts.ts';
import { ExpiryReminder } from './host/auth/expiryReminder.ts';
import { createChats } from './host/chat/createChats.ts';
import { CommandRegistrar } from './host/commands/registrar.ts';
import { ContextKeys } from './host/contextKeys.ts';
import { quickInputs } from './host/dialogs/steps.ts';
import { TrackedPrompts } from './host/dialogs/trackedPrompts.ts';
import { Glances } from './host/glances.ts';
import { createInterns } from './host/interns/createInterns.ts';
import type { DraftFiles } from './host/interns/draftFiles.ts';
import { InternModel } from './host/interns/internModel.ts';
import { KeyInfoPanel } from './host/keyInfo/keyInfoPanel.ts';
import { createLogChannel } from './host/log/channel.ts';
import { registerLogCommands } from './host/log/logCommands.ts';
import { Settings } from './host/settings.ts';
import type { RunCommand } from './host/startup/forwardedCommands.ts';
import { createFolderWatcher } from './host/storage/folderWatcher.ts';
import { createVault } from './host/vault/createVault.ts';

/** What the entry (extension.ts) hands on to. */
export interface Main {
  readonly runCommand: RunCommand;
  /** Writes what was said and is not on disk yet. */
  readonly flush: () => Promise<void>;
}

/** The composition root: builds the parts, hands them to each other, and starts to read the accounts. */
export function start(context: vscode.ExtensionContext, drafts: DraftFiles): Main {
  const parts = new DisposableStore();
  context.subscriptions.push(parts);
  const channel = parts.add(createLogChannel());
  const { log, redactor } = channel;
  const settings = new Settings();
  const prompts = new TrackedPrompts(quickInputs);
  const glances = parts.add(new Glances());
  const watch = createFolderWatcher({ log, onDidGlance: glances.onDidGlance });
  const accounts = parts.add(createAccounts(context, { log, redactor, watch }));
  const registrar = new CommandRegistrar(log, accounts);
  const interns = parts.add(new InternModel({ accounts, clock: systemClock, log }));
  const shared = {
    context,
    accounts,
    interns,
    drafts,
    registrar,
    prompts,
    settings,
    log,
    contextKeys: new ContextKeys(),
    clock: systemClock,
    glances,
    watch,
  };
  const chats = parts.add(createChats(shared));
  const { treeSource: conversations, picker } = chats;
  const { allowed } = chats.questions;
  const creating = parts.add(createInterns({ ...shared, conversations, picker, allowed }));
  chats.showBadgeOn(creating.view);
  parts.add(createVault(shared));
  const forgetDrafts = async (account: Account): Promise<void> => {
    await chats.forgetDrafts(account);
    await creating.forgetDrafts(account.id);
  };
  parts.add(registerAccounts({ ...shared, runs: chats.runs, forgetDrafts }));
  parts.add(new KeyInfoPanel(accounts, registrar, log));
  parts.add(new ExpiryReminder(accounts, preferencesOf(context.globalState)));
  const { version } = context.extension.packageJSON as { version: string };
  parts.add(registerLogCommands({ ...shared, channel, version }));
  registrar.checkComplete();
  void startAccounts(accounts, log);
  return {
    runCommand: (id, given) => registrar.run(id, given),
    flush: () => chats.flush(),
  };
}
