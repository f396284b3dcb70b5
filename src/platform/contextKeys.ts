import * as vscode from 'vscode';

/** Every context key that this extension sets, for `when` and `enablement` clauses. */
interface ContextKeyValues {
  /** Whether an account is active. */
  'interns.signedIn': boolean;
  /** Whether a run streams or is paused in this window. */
  'interns.running': boolean;
  /** Whether one does so in the chat that commands mean: the active editor's, or the side bar's. */
  'interns.activeChatRunning': boolean;
  /** Whether the keyboard focus is in a chat. */
  'interns.chatFocused': boolean;
  /** Whether the view in the side bar is in sight with a conversation in it. */
  'interns.chatViewShown': boolean;
  /** Whether commands that name no conversation mean that one. */
  'interns.chatViewActive': boolean;
  /** Whether the view keeps its conversation. */
  'interns.chatViewPinned': boolean;
  /** How many questions wait for an answer. */
  'interns.pendingQuestions': number;
  /** Whether the Interns view groups by status. */
  'interns.grouped': boolean;
  /** Whether it lists archived conversations too. */
  'interns.archivedShown': boolean;
  /** How lists show the conversation of the chat that is the active editor. */
  'interns.activeChatListed': 'plain' | 'pinned' | 'archived' | undefined;
  /** Whether an intern was shown, created or added in this window: a step of the walkthrough. */
  'interns.hasInterns': boolean;
  /** Whether a secret was shown or stored in this window: a step of the walkthrough. */
  'interns.hasSecrets': boolean;
  /** Whether a question was answered while this window was open: a step of the walkthrough. */
  'interns.answered': boolean;
}

/** Sets context keys, each only when its value changes: every call makes VS Code look at its clauses again. */
export class ContextKeys {
  readonly #values = new Map<keyof ContextKeyValues, unknown>();

  set<K extends keyof ContextKeyValues>(key: K, value: ContextKeyValues[K]): void {
    if (this.#values.get(key) === value) return;
    this.#values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
