import type { Memento } from 'vscode';

/** The keys of drafts and of what is attached to them; a conversation's id follows. */
const DRAFT = 'draft/';
const ATTACHED = 'attachments/';
const ofConversation = /^(?:draft|attachments)\/(.+)$/s;

/** The keys of what was written for interns that were not created, and of the tabs with their titles. */
const dropped = /^(create:|draft:|openTabs$)/;

/**
 * What version 0.1 kept in the state of each workspace, where no other window could remove it: the draft of a
 * conversation is moved when that is opened, and all else is dropped.
 */
export class OldDrafts {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  /** Takes the draft of a conversation out of the state; undefined where there is none. */
  take(conversation: string): object | undefined {
    const draft = this.#take(DRAFT + conversation);
    const attached = this.#take(ATTACHED + conversation);
    if (draft === undefined && attached === undefined) return undefined;
    return { ...(typeof draft === 'object' ? draft : undefined), attached };
  }

  /** Drops all but the drafts of conversations that are there still. */
  async sweep(isThere: (conversation: string) => Promise<boolean>): Promise<void> {
    const tabs = JSON.stringify(this.#state.get('openTabs') ?? '');
    for (const key of this.#state.keys()) {
      const id = ofConversation.exec(key)?.[1];
      const isLeft = id !== undefined && !tabs.includes(id) && !(await isThere(id));
      if (isLeft || dropped.test(key)) this.#take(key);
    }
  }

  #take(key: string): unknown {
    const value: unknown = this.#state.get(key);
    if (value !== undefined) void this.#state.update(key, undefined);
    return value;
  }
}
