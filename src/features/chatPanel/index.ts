import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account } from '../accounts/account.ts';
import type { RunsOfAccounts } from '../accounts/signOut.ts';
import { InternPicker } from '../interns/internPicker.ts';
import type { HostParts } from '../parts.ts';
import { PromptFiles } from '../context/promptFiles.ts';
import { PromptContexts } from '../context/promptContext.ts';
import { registerSendCommands } from '../context/sendCommands.ts';
import { ReplyActions } from '../editor/editorActions.ts';
import { LastTextEditor } from '../editor/lastTextEditor.ts';
import { ANSWER_SCHEME } from '../questions/answerEditor.ts';
import { Questions, type ConversationRef } from '../questions/questions.ts';
import { Attention } from './attention.ts';
import { registerChatCommands } from './commands/chatCommands.ts';
import { ChatLinks } from './commands/chatLinks.ts';
import { registerListCommands } from './commands/listCommands.ts';
import { ChatPages } from './chatPages.ts';
import { registerChatViewCommands } from './commands/chatViewCommands.ts';
import { ChatTexts } from './chatTexts.ts';
import { ChatTargetPicker } from './commands/chatTargets.ts';
import { hasRecord } from '../conversations/conversationRecord.ts';
import { EarlierPrompts } from '../conversations/earlierPrompts.ts';
import { Conversations } from '../conversations/conversations.ts';
import { Drafts } from './prompts/drafts.ts';
import { OldDrafts } from './prompts/oldDrafts.ts';
import { runsOfAccounts } from '../conversations/runsOfAccounts.ts';
import { TreeSource } from '../conversations/treeSource.ts';

/** What the rest of the host needs of the chats. */
interface Chats extends Disposable {
  readonly conversations: Conversations;
  /** What of conversations opens as text. */
  readonly texts: ChatTexts;
  /** Conversations and questions, as the Interns view shows them. */
  readonly treeSource: TreeSource;
  readonly picker: InternPicker;
  readonly questions: Questions;
  readonly runs: RunsOfAccounts;
  /** Closes the tabs of an account whose conversations are about to be deleted, and writes no draft of it any more. */
  leave(account: Account): void;
  /** Writes what was said and is not on disk yet. */
  flush(): Promise<void>;
}

/** Builds everything about conversations: their records, tabs, questions, prompt context and commands. */
export function createChats(parts: HostParts): Chats {
  const { context, accounts, interns, registrar, prompts, contextKeys, settings, badge, log } =
    parts;
  const store = new DisposableStore();
  const conversations = store.add(new Conversations({ ...parts, desk: () => questions.broker }));
  const questions: Questions = store.add(
    new Questions({
      ...parts,
      commands: registrar,
      answerScheme: ANSWER_SCHEME,
      answerer: conversations,
      setBadge: (questionBadge) => badge.setQuestions(questionBadge),
      chats: {
        show: (ref) => void showAnywhere(ref),
        compose: (ref, prompt) =>
          void showAnywhere(ref).then((panel) =>
            panel?.postToPage('compose', { text: prompt, where: 'append' }),
          ),
        returnFocus: (id) => panels.returnFocus(id),
      },
    }),
  );
  const treeSource = store.add(
    new TreeSource({
      accounts,
      conversations,
      log,
      desk: questions.broker,
      onDidChangeQuestions: questions.broker.onDidChange,
    }),
  );
  const old = new OldDrafts(context.workspaceState);
  void accounts.whenLoaded.then(() => old.sweep((id) => hasRecord(accounts.all, id)));
  const drafts = store.add(new Drafts(conversations, { ...parts, old }));
  const picker = new InternPicker({ interns, conversations: treeSource, prompts });
  const lastEditor = store.add(new LastTextEditor(parts.clock));
  const contexts = store.add(new PromptContexts(parts.clock, drafts));
  const texts = store.add(
    new ChatTexts({
      conversations,
      internName: ({ account, conversation }) =>
        interns.name(conversation.transcript.intern, account),
      extension: context.extension,
      settings,
    }),
  );
  const panels: ChatPages = store.add(
    new ChatPages({
      ...parts,
      texts,
      extension: context.extensionUri,
      conversations,
      drafts,
      contextFor: (conversation) => contexts.for(conversation),
      promptFiles: new PromptFiles(parts),
      earlierPrompts: new EarlierPrompts(conversations),
      editor: store.add(new ReplyActions(lastEditor, log)),
      memento: context.workspaceState,
      dialogs: prompts,
      presence: (conversation, presence) => questions.users.presence(conversation, presence),
      typed: (conversation) => questions.users.typed(conversation),
    }),
  );
  const targets = new ChatTargetPicker({ accounts, conversations, picker, panels });
  const contextFor = (conversation: string) => contexts.for(conversation);
  store.add(registerSendCommands(parts, { targets, contextFor, lastEditor }));
  const showAnywhere = ({ conversation }: ConversationRef) => panels.showOfAnyAccount(conversation);
  const forget = (account: Account, conversation: string): Promise<void> => {
    contexts.for(conversation).clear();
    return drafts.forget(account, conversation);
  };
  const commandPorts = {
    ...{ ...parts, picker, conversations, panels, texts, forget },
    broker: questions.broker,
  };
  store.add(registerChatCommands(registrar, commandPorts));
  store.add(registerListCommands(registrar, commandPorts));
  store.add(registerChatViewCommands(registrar, commandPorts));
  store.add(new Attention({ conversations, panels, interns, contextKeys, settings, badge }));
  store.add(vscode.window.registerUriHandler(new ChatLinks(accounts, interns, conversations)));
  return {
    conversations,
    texts,
    treeSource,
    picker,
    questions,
    runs: runsOfAccounts(conversations, questions.broker),
    leave: (account) => {
      panels.closeAll(account);
      drafts.leave(account);
    },
    flush: async () => {
      await Promise.all([conversations.flush(), drafts.flush(), questions.broker.flush()]);
    },
    dispose: () => store.dispose(),
  };
}
