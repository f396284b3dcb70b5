import * as vscode from 'vscode';

/** The context keys of this extension, for `when` and `enablement` clauses. */
interface ContextKeyValues {
  'interns.signedIn': boolean;
  /** Whether a run streams or is paused in this window. */
  'interns.running': boolean;
  /** Whether one does in the chat that commands mean. */
  'interns.activeChatRunning': boolean;
  'interns.chatFocused': boolean;
  /** Whether the chat in the side bar is visible with a conversation. */
  'interns.chatViewShown': boolean;
  /** Whether commands without a target mean the chat in the side bar. */
  'interns.chatViewActive': boolean;
  /** Whether the chat in the side bar keeps its conversation. */
  'interns.chatViewPinned': boolean;
  'interns.pendingQuestions': number;
  /** Whether the Interns view groups by status. */
  'interns.grouped': boolean;
  'interns.archivedShown': boolean;
  /** How lists show the conversation of the active editor. */
  'interns.activeChatListed': 'plain' | 'pinned' | 'archived' | undefined;
  // Steps of the walkthrough, done in this window.
  'interns.hasInterns': boolean;
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
