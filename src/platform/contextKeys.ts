import * as vscode from 'vscode';

/** The context keys of this extension, for `when` and `enablement` clauses. */
interface ContextKeyValues {
  /** True once the accounts are read. No view invites the user to sign in before that. */
  'interns.accountsLoaded': boolean;
  'interns.signedIn': boolean;
  /** True if a run streams or is paused in this window. */
  'interns.running': boolean;
  /** True if a run streams or is paused in the chat that commands apply to. */
  'interns.activeChatRunning': boolean;
  'interns.chatFocused': boolean;
  /** True if the chat in the side bar is visible with a conversation. */
  'interns.chatViewShown': boolean;
  /** True if commands without a target mean the chat in the side bar. */
  'interns.chatViewActive': boolean;
  /** True if the chat in the side bar keeps its conversation. */
  'interns.chatViewPinned': boolean;
  'interns.pendingQuestions': number;
  'interns.archivedShown': boolean;
  /** True if a creation of the active account can be resumed. */
  'interns.creationToResume': boolean;
  /** True if the Conversations view lists those of other workspaces too. */
  'interns.allWorkspacesShown': boolean;
  /** True if the Conversations view shows one intern's conversations, or the activity summary. */
  'interns.conversationsFiltered': boolean;
  /** How lists show the conversation of the active editor. */
  'interns.activeChatListed': 'plain' | 'pinned' | 'archived' | undefined;
  /** True if a view found interns in the list of the active account, or one was added. */
  'interns.hasInterns': boolean;
  /** True once a view has read the active account's list and found it empty. */
  'interns.noConversations': boolean;
  'interns.noInterns': boolean;
  'interns.noSecrets': boolean;
  // Steps of the walkthrough, done in this window.
  'interns.hasSecrets': boolean;
  'interns.answered': boolean;
}

/** Sets context keys when their value changes: each call makes VS Code evaluate all clauses. */
export class ContextKeys {
  readonly #values = new Map<keyof ContextKeyValues, unknown>();

  set<K extends keyof ContextKeyValues>(key: K, value: ContextKeyValues[K]): void {
    if (this.#values.get(key) === value) return;
    this.#values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
