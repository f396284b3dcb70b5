import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import type { Account } from './features/accounts/account.ts';
import { registerAccounts } from './features/accounts/accountCommands.ts';
import { createAccounts, preferencesOf, startAccounts } from './features/accounts/index.ts';
import { remindOfExpiry } from './features/accounts/expiryReminder.ts';
import { createAgentTools } from './features/agents/index.ts';
import { createChats } from './features/chatPanel/index.ts';
import { CommandRegistrar } from './platform/commands/registrar.ts';
import { ContextKeys } from './platform/contextKeys.ts';
import { QuickInputs } from './platform/dialogs/quickInputs.ts';
import { RefreshTriggers } from './platform/refreshTriggers.ts';
import { createInterns } from './features/interns/index.ts';
import type { DraftFiles } from './platform/dialogs/draftFiles.ts';
import { ContainerBadge } from './features/interns/containerBadge.ts';
import { ReadOnlyTexts } from './platform/dialogs/readOnlyTexts.ts';
import { InternModel } from './features/interns/internModel.ts';
import { Digests } from './features/digest/index.ts';
import { KeyInfoPanel } from './features/keyInfo/keyInfoPanel.ts';
import { createLogChannel } from './platform/log/hostLog.ts';
import { registerLogCommands } from './features/diagnostics/logCommands.ts';
import { Settings } from './platform/settings.ts';
import type { RunCommand } from './platform/startup/forwardedCommands.ts';
import type { FindTool } from './platform/startup/forwardedTools.ts';
import { createFolderWatcher } from './platform/storage/watch.ts';
import { createReportUnreadable } from './platform/storage/unreadable.ts';
import { workspaceId } from './platform/storage/workspaceId.ts';
import { createVault } from './features/vault/index.ts';

/** What the entry (extension.ts) hands on to. */
export interface Main {
  readonly runCommand: RunCommand;
  readonly tool: FindTool;
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
  const prompts = new QuickInputs(systemClock);
  const refreshTriggers = parts.add(new RefreshTriggers());
  const watch = createFolderWatcher(log, refreshTriggers.onDidTrigger);
  const reportUnreadable = createReportUnreadable(log, systemClock);
  const accounts = parts.add(createAccounts(context, { log, redactor, watch, reportUnreadable }));
  const registrar = new CommandRegistrar(log, accounts);
  const interns = parts.add(new InternModel({ accounts, clock: systemClock, log }));
  const shared = {
    context,
    accounts,
    interns,
    badge: new ContainerBadge(),
    // Not `vscode.env.sessionId`: without telemetry that is the same for all windows.
    window: randomUUID(),
    drafts,
    workspace: workspaceId(context.workspaceState),
    registrar,
    prompts,
    settings,
    log,
    contextKeys: new ContextKeys(),
    clock: systemClock,
    refreshTriggers,
    watch,
    reportUnreadable,
  };
  const chats = parts.add(createChats(shared));
  const { treeSource, picker } = chats;
  const { allowed } = chats.questions;
  const creating = parts.add(
    createInterns({ ...shared, conversations: treeSource, picker, allowed }),
  );
  const digests = parts.add(new Digests({ ...shared, ...chats }));
  parts.add(createVault(shared));
  const forgetDrafts = async (account: Account): Promise<void> => {
    chats.leave(account);
    await creating.forgetDrafts(account);
  };
  parts.add(registerAccounts({ ...shared, runs: chats.runs, forgetDrafts }));
  parts.add(new KeyInfoPanel(accounts, registrar, log, (account) => treeSource.costsOf(account)));
  parts.add(remindOfExpiry(accounts, preferencesOf(context.globalState)));
  const { version } = context.extension.packageJSON as { version: string };
  parts.add(registerLogCommands({ ...shared, channel, version }));
  const agentPrompts = parts.add(new ReadOnlyTexts('interns-prompt'));
  registrar.checkComplete();
  void startAccounts(accounts, log);
  return {
    runCommand: (id, given) => registrar.run(id, given),
    tool: createAgentTools({ ...shared, ...chats, agentPrompts }),
    flush: async () => {
      await Promise.all([chats.flush(), digests.flush()]);
    },
  };
}
