import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account } from '../auth/account.ts';
import type { RunsOfAccounts } from '../auth/signOut.ts';
import { InternPicker } from '../interns/internPicker.ts';
import type { HostParts } from '../parts.ts';
import { createPromptContexts } from '../context/createContext.ts';
import { createReplyActions } from '../editor/createEditor.ts';
import { Questions, type ConversationRef } from '../questions/questions.ts';
import { Attention } from './attention.ts';
import { registerChatCommands } from './chatCommands.ts';
import { ChatLinks } from './chatLinks.ts';
import { ChatPanels } from './chatPanels.ts';
import { ChatTargetPicker } from './chatTargets.ts';
import { ContainerBadge, type BadgeTarget } from './containerBadge.ts';
import { Conversations } from './conversations.ts';
import { Drafts } from './drafts.ts';
import { recordExpiries } from './questionExpiries.ts';
import { QueueKeeper } from './queueKeeper.ts';
import { runsOfAccounts } from './runsOfAccounts.ts';
import { TreeSource } from './treeSource.ts';

/** What the rest of the host needs of the chats. */
export interface Chats extends Disposable {
  /** Conversations and questions, as the Interns view shows them. */
  readonly treeSource: TreeSource;
  readonly picker: InternPicker;
  readonly questions: Questions;
  readonly runs: RunsOfAccounts;
  /** Joins the view whose icon says how many questions wait and how many runs ended unseen. */
  showBadgeOn(view: BadgeTarget): void;
  /** Forgets what was typed and attached in conversations of an account and was not sent. */
  forgetDrafts(account: Account): Promise<void>;
  /** Writes what was said and is not on disk yet. */
  flush(): Promise<void>;
}

/** Builds everything about conversations: their records, tabs, questions, prompt context and commands. */
export function createChats(parts: HostParts): Chats {
  const { context, accounts, interns, registrar, prompts, contextKeys, settings, log } = parts;
  const store = new DisposableStore();
  // Not `vscode.env.sessionId`: without telemetry that is the same for all windows.
  const window = randomUUID();
  const conversations = store.add(new Conversations({ ...parts, window }));
  const badge = new ContainerBadge();
  const questions = store.add(
    new Questions({
      ...parts,
      window,
      commands: registrar,
      dialogs: prompts,
      answerer: { answer: (question, answer) => conversations.answer(question, answer) },
      setBadge: (questionBadge) => badge.setQuestions(questionBadge),
      chats: {
        show: (ref) => void showAnywhere(ref),
        compose: (ref, prompt) =>
          void showAnywhere(ref).then((panel) =>
            panel?.say('compose', { text: prompt, where: 'append' }),
          ),
        focusComposer: (id) => {
          const panel = panels.get(id);
          if (panel?.panel.active === true) panel.say('focusComposer', {});
        },
      },
    }),
  );
  conversations.useDesk(questions.broker);
  store.add(recordExpiries(questions.broker.onDidChange, conversations, log));
  const treeSource = store.add(
    new TreeSource({
      accounts,
      conversations,
      log,
      desk: questions.broker,
      onDidChangeQuestions: questions.broker.onDidChange,
    }),
  );
  const drafts = new Drafts(context.workspaceState);
  store.add(new QueueKeeper(conversations, drafts));
  const picker = new InternPicker({ interns, conversations: treeSource, prompts });
  const contexts = store.add(createPromptContexts(parts, drafts));
  const panels: ChatPanels = store.add(
    new ChatPanels({
      ...parts,
      extension: context.extensionUri,
      conversations,
      drafts,
      contextFor: (conversation) => contexts.for(conversation),
      editor: store.add(createReplyActions(parts)),
      memento: context.workspaceState,
      presence: (conversation, presence) => questions.presence(conversation, presence),
      typed: (conversation) => questions.typed(conversation),
    }),
  );
  contexts.join(new ChatTargetPicker({ accounts, conversations, picker, panels }));
  const showAnywhere = ({ conversation }: ConversationRef) => panels.showOfAnyAccount(conversation);
  const forget = (conversation: string): void => {
    drafts.forget(conversation);
    contexts.for(conversation).clear();
  };
  store.add(registerChatCommands(registrar, { ...parts, picker, conversations, panels, forget }));
  store.add(new Attention({ conversations, panels, interns, contextKeys, settings, badge }));
  store.add(vscode.window.registerUriHandler(new ChatLinks(accounts, interns)));
  return {
    treeSource,
    picker,
    questions,
    runs: runsOfAccounts(conversations, questions.broker),
    showBadgeOn: (view) => badge.showOn(view),
    forgetDrafts: async (account) => {
      const open = conversations.open.filter((each) => each.account.id === account.id);
      open.forEach(({ conversation }) => forget(conversation.id));
      for (const { id } of await conversations.list(account)) forget(id);
    },
    flush: () => conversations.flush(),
    dispose: () => store.dispose(),
  };
}
