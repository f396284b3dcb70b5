import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { plainText } from '../dialogs/plainText.ts';
import { LastTextEditor } from '../editor/lastTextEditor.ts';
import type { HostParts } from '../parts.ts';
import { mementoStore } from './attachmentStore.ts';
import { FileCompletions } from './fileCompletions.ts';
import { ProblemActions } from './problems.ts';
import type { ChatTargets, PromptContext } from './promptContext.ts';
import { PromptContexts } from './promptContexts.ts';
import { registerSendCommands } from './sendCommands.ts';

/** Everything that can be attached to a prompt, and the commands that do. */
export interface ChatContexts extends Disposable {
  /** The one context of a conversation in this window. */
  for(conversation: string): PromptContext;
  /** Joins the chats, and with them the commands that send something there. */
  join(targets: ChatTargets): void;
}

/** What the contexts are built from. */
export type ContextParts = Pick<HostParts, 'accounts' | 'clock' | 'context' | 'registrar'>;

/** The text that is being written in a conversation: it counts towards the limit. */
export interface DraftSource {
  get(conversation: string): { readonly text: string };
}

/** Builds the prompt contexts, and the code action that sends a problem. */
export function createPromptContexts(parts: ContextParts, drafts: DraftSource): ChatContexts {
  const { accounts, clock, context, registrar } = parts;
  const { workspaceState } = context;
  const store = new DisposableStore();
  const completions = new FileCompletions(clock);
  const lastEditor = store.add(new LastTextEditor());
  const contexts = store.add(
    new PromptContexts((conversation) => ({
      completions,
      store: mementoStore(workspaceState, conversation),
      draft: () => drafts.get(conversation).text,
      tell: (message) => void vscode.window.showWarningMessage(plainText(message)),
    })),
  );
  const problemActions = new ProblemActions(() => accounts.active !== undefined);
  store.add(
    vscode.languages.registerCodeActionsProvider('*', problemActions, {
      providedCodeActionKinds: ProblemActions.kinds,
    }),
  );
  const contextFor = (conversation: string): PromptContext => contexts.for(conversation);
  return {
    for: contextFor,
    join: (targets) => {
      store.add(registerSendCommands(registrar, { targets, contextFor, lastEditor }));
    },
    dispose: () => store.dispose(),
  };
}
