import { randomUUID } from 'node:crypto';
import { type ExtensionContext, window, workspace } from 'vscode';
import { createServiceClient } from './api/index.ts';
import { systemClock } from './base/clock.ts';
import { DisposableStore, Emitter } from './base/disposable.ts';
import type { Account } from './features/accounts/account.ts';
import { registerAccounts } from './features/accounts/accountCommands.ts';
import { remindOfKeys } from './features/accounts/keyReminder.ts';
import { AccountManager } from './features/accounts/accountManager.ts';
import { startAccounts } from './features/accounts/environment.ts';
import { createAgentTools } from './features/agents/agentTools.ts';
import { ChatPresence } from './conversation/questions/autoOpen.ts';
import { ChatPages } from './features/chatPanel/chatPages.ts';
import { ChatTexts } from './features/chatPanel/chatTexts.ts';
import { chatCommands } from './features/chatPanel/commands/chatCommands.ts';
import { createDeletion } from './features/chatPanel/commands/deleteConversations.ts';
import { openChatLink } from './features/chatPanel/commands/chatLinks.ts';
import { trackReads } from './features/chatPanel/readTracker.ts';
import { Drafts } from './features/conversations/drafts.ts';
import { notifyOfRuns } from './features/chatPanel/runNotifier.ts';
import { FileCompletions } from './features/context/fileCompletions.ts';
import { PromptContexts } from './features/context/promptContext.ts';
import { PromptFiles } from './features/context/promptFiles.ts';
import { registerProblemActions } from './features/context/editorItems.ts';
import { ConversationList } from './features/conversations/conversationList.ts';
import { ConversationsView } from './features/conversations/conversationsView.ts';
import { Conversations, type OpenConversation } from './features/conversations/conversations.ts';
import { exportDecisions } from './features/conversations/exportDecisions.ts';
import {
  createFullDiskWarning,
  showUnattendedRunNotice,
} from './features/conversations/keeperNotices.ts';
import { runsOfAccounts } from './features/conversations/runsOfAccounts.ts';
import { takeOverRuns } from './features/conversations/takeOver.ts';
import { checkConnection } from './features/diagnostics/checkConnection.ts';
import { registerLogCommands } from './features/diagnostics/logCommands.ts';
import { startActivitySummary } from './features/digest/activitySummary.ts';
import { ReplyActions } from './features/editor/editorActions.ts';
import { LastTextEditor } from './features/editor/lastTextEditor.ts';
import { forgetInstructions, registerCreateCommands } from './features/interns/createCommands.ts';
import { Creations } from './features/interns/creations.ts';
import { registerInternCommands } from './features/interns/internCommands.ts';
import { InternModel } from './features/interns/internModel.ts';
import { InternPicker } from './features/interns/internPicker.ts';
import { InternsView } from './features/interns/internsView.ts';
import { KeyInfoPanel } from './features/keyInfo/keyInfoPanel.ts';
import { startQuestions } from './features/questions/questions.ts';
import { registerEnvActions, registerImportCommands } from './features/vault/importCommands.ts';
import { registerSecretCommands } from './features/vault/secretCommands.ts';
import { createStoreSecret } from './features/vault/secrets.ts';
import { SecretsView } from './features/vault/secretsView.ts';
import { CommandRegistrar } from './platform/commands/registrar.ts';
import { ContextKeys } from './platform/contextKeys.ts';
import type { DraftFiles } from './platform/dialogs/draftFiles.ts';
import { TextEditing } from './platform/dialogs/editText.ts';
import { QuickInputs } from './platform/dialogs/quickInputs.ts';
import { ReadOnlyTexts } from './platform/dialogs/readOnlyTexts.ts';
import { StreamKeeperClient } from './platform/keeper/keeperClient.ts';
import { SystemNotifications } from './platform/notifications/systemNotifications.ts';
import { UserAttention } from './platform/notifications/userAttention.ts';
import { createLogChannel } from './platform/log/hostLog.ts';
import { Settings } from './platform/settings.ts';
import type { FindTool, RunCommand } from './platform/startup.ts';
import { createReportUnreadable } from './platform/storage/unreadable.ts';
import { createFolderWatcher } from './platform/storage/watch.ts';
import { workspaceId, workspaceUri } from './platform/storage/layout.ts';

/** The functions that extension.ts forwards to. */
export interface Main {
  readonly runCommand: RunCommand;
  readonly tool: FindTool;
  /** Writes everything that is not on disk yet. */
  readonly flush: () => Promise<void>;
}

/** The composition root. Creates services, chats, lists and commands, in this order, then reads the accounts. */
export function start(context: ExtensionContext, drafts: DraftFiles): Main {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const services = createServices(store, context, drafts);
  const chats = { ...services, ...createChats(store, services) };
  const parts = { ...chats, ...createLists(store, chats) };
  registerChats(store, parts);
  const summary = registerOthers(store, parts);
  const { accounts, registrar, log } = services;
  registrar.checkComplete();
  void startAccounts(accounts, log);
  const agentPrompts = store.add(new ReadOnlyTexts('interns-prompt'));
  return {
    runCommand: (id, given) => registrar.run(id, given),
    tool: createAgentTools({ ...parts, agentPrompts }),
    flush: async () => {
      // Conversations come first: a prompt that waits for ownership leaves the queue, which the drafts contain.
      for (const each of [chats.conversations, chats.drafts, summary]) await each.flush();
    },
  };
}

type Services = ReturnType<typeof createServices>;
type Chats = Services & ReturnType<typeof createChats>;
type Parts = Chats & ReturnType<typeof createLists>;

/** Creates what most features use: the log, settings, dialogs, accounts and interns. */
function createServices(store: DisposableStore, context: ExtensionContext, drafts: DraftFiles) {
  const channel = store.add(createLogChannel());
  const { log, redactor } = channel;
  const refresh = store.add(new Emitter<void>());
  store.add(window.onDidChangeWindowState(({ focused }) => focused && refresh.fire()));
  const watch = createFolderWatcher(log, refresh.event);
  const reportUnreadable = createReportUnreadable(log, systemClock);
  const folder = context.globalStorageUri.fsPath;
  const accounts = store.add(
    new AccountManager({
      log,
      redactor,
      watch,
      reportUnreadable,
      storageRoot: folder,
      secrets: context.secrets,
      globalState: context.globalState,
      createClient: createServiceClient,
      now: Date.now,
    }),
  );
  const registrar = new CommandRegistrar(log, accounts);
  const contextKeys = new ContextKeys();
  // Without telemetry, `vscode.env.sessionId` is the same for all windows.
  const windowId = randomUUID();
  return {
    context,
    folder,
    channel,
    redactor,
    log,
    clock: systemClock,
    settings: new Settings(),
    contextKeys,
    dialogs: new QuickInputs(systemClock),
    texts: store.add(new TextEditing(registrar, drafts)),
    registrar,
    refresh,
    watch,
    reportUnreadable,
    window: windowId,
    attention: store.add(new UserAttention({ folder, window: windowId, log })),
    systemNotifications: store.add(new SystemNotifications({ log, extension: context.extension })),
    workspace: workspaceId(context.workspaceState),
    workspaceUri: workspaceUri(workspace),
    accounts,
    interns: store.add(new InternModel({ accounts, clock: systemClock, contextKeys, log })),
  };
}

function createKeeper(store: DisposableStore, services: Services): StreamKeeperClient {
  const { context, settings } = services;
  const keeper = new StreamKeeperClient({
    ...services,
    script: context.asAbsolutePath('dist/streamKeeper.cjs'),
    onFullDisk: createFullDiskWarning(),
    policy: () => settings.keepRuns,
    proxy: () => settings.proxy,
  });
  store.add(settings.onDidChangeKeepRuns(() => keeper.updatePolicy()));
  return store.add(keeper);
}

/** Creates the conversations, their pages and their questions. */
function createChats(store: DisposableStore, services: Services) {
  const { context, interns, clock, log } = services;
  const { extension } = context;
  const keeper = createKeeper(store, services);
  const conversations = store.add(new Conversations({ ...services, keeper }));
  const onDidContinueUnattended = () => void showUnattendedRunNotice(context.globalState);
  const { unattendedSince } = keeper;
  const takeOver = { ...services, conversations, unattendedSince, onDidContinueUnattended };
  store.add(takeOverRuns(takeOver));
  const chatPresence = new ChatPresence(clock);
  const drafts = store.add(new Drafts(conversations, services));
  const contexts = store.add(new PromptContexts({ ...services, drafts }));
  const lastEditor = store.add(new LastTextEditor(clock));
  const internName = ({ account, conversation }: OpenConversation) =>
    interns.name(conversation.transcript.intern, account);
  const chatTexts = store.add(new ChatTexts({ ...services, conversations, internName, extension }));
  const pages = store.add(
    new ChatPages({
      ...services,
      conversations,
      drafts,
      contexts,
      chatPresence,
      extension: context.extensionUri,
      workspaceState: context.workspaceState,
      completions: { file: new FileCompletions(clock), prompt: new PromptFiles(services) },
      editor: store.add(new ReplyActions(lastEditor, log)),
    }),
  );
  const { allowed } = store.add(
    startQuestions({
      ...services,
      answerer: conversations.answerer,
      pendingQuestions: conversations.pendingQuestions,
      chatPresence,
      drafts,
      chats: {
        show: ({ conversation }) => void pages.showFromAnyAccount(conversation),
        compose: ({ conversation }, text) =>
          void pages
            .showFromAnyAccount(conversation)
            .then((page) => page?.postToPage('compose', { text, where: 'append' })),
        returnFocus: (conversation) => pages.returnFocus(conversation),
        isEndSeen: (conversation) =>
          window.state.focused && pages.get(conversation)?.isEndVisible === true,
      },
    }),
  );
  const { pendingQuestions } = conversations;
  const deleteConversations = createDeletion({ conversations, pages, contexts, drafts });
  const composing = { contexts, drafts, lastEditor };
  const chats = { conversations, chatTexts, pages, pendingQuestions, deleteConversations };
  return { ...chats, keeper, allowed, ...composing };
}

/** Creates the views of interns, conversations and vault secrets. */
function createLists(store: DisposableStore, chats: Chats) {
  const { workspaceState } = chats.context;
  const list = store.add(new ConversationList({ ...chats, workspaceState }));
  const view = store.add(new ConversationsView({ ...chats, list }));
  const picker = new InternPicker({ ...chats, conversations: list });
  const creations = store.add(new Creations(chats));
  const internPorts = { ...chats, conversations: list, picker, creations };
  const { reveal } = store.add(new InternsView(internPorts));
  registerInternCommands({ ...internPorts, reveal });
  store.add(registerCreateCommands({ ...internPorts, reveal }));
  store.add(new SecretsView(chats));
  const vaultServices = { ...chats, storeSecret: createStoreSecret(chats) };
  registerSecretCommands(vaultServices);
  registerImportCommands(vaultServices);
  store.add(registerEnvActions());
  return { list, view, picker };
}

/** Registers the commands of chats, links to chats and the notifications of runs. */
function registerChats(store: DisposableStore, parts: Parts): void {
  const { accounts, registrar } = parts;
  registrar.register(chatCommands, parts);
  store.add(registerProblemActions(() => accounts.active !== undefined));
  store.add(trackReads(parts));
  store.add(notifyOfRuns(parts));
  store.add(window.registerUriHandler({ handleUri: (uri) => openChatLink(parts, uri) }));
}

/** Registers accounts, the activity summary, the key information, the export of decisions and the log. */
function registerOthers(store: DisposableStore, parts: Parts) {
  const { context, accounts, registrar, log, conversations, drafts, pages, texts } = parts;
  const costsOf = (account: Account) => conversations.costs.sum(account);
  const runs = runsOfAccounts(conversations, log);
  store.add(
    registerAccounts({
      ...parts,
      runs,
      costs: { of: costsOf, onDidChange: conversations.onDidEndRun },
      forgetDrafts: async (account) => {
        pages.closeAll(account);
        drafts.stopWriting(account);
        await forgetInstructions(texts, account);
      },
    }),
  );
  store.add(new KeyInfoPanel(parts, costsOf));
  store.add(remindOfKeys({ accounts, log, globalState: context.globalState, runs }));
  registerLogCommands({ ...parts, manifest: context.extension.packageJSON });
  registrar.register({
    'interns.checkConnection': () => checkConnection({ ...parts, environment: process.env }),
    'interns.exportDecisions': () => exportDecisions(parts),
  });
  return store.add(startActivitySummary(parts));
}
