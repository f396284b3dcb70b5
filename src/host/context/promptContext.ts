import type { Uri } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ContextItem } from '../../chat/attachments.ts';
import type { Prompt } from '../../chat/conversation/state.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import type { DraftAttachmentView } from '../../protocol/view.ts';

/**
 * What is attached to the prompt being written in one conversation. Whatever cannot be attached is told to the user
 * here: nothing of this rejects because of a file.
 */
export interface PromptContext extends Disposable {
  readonly attachments: readonly DraftAttachmentView[];
  readonly onDidChange: Event<void>;
  /** The prompt with what is attached. */
  compose(text: string): Prompt;
  /**
   * Attaches an item; a whole file in place of an earlier copy of it.
   *
   * @returns Whether it was; one with which the prompt would be above the limit of 32,000 characters is not.
   */
  add(item: ContextItem): boolean;
  /** Attaches whole files, each where it can be read and still fits, inside the workspace or not. */
  addFiles(uris: readonly Uri[]): Promise<void>;
  /** Waits until every file that is being attached has been read. */
  settled(): Promise<void>;
  remove(id: string): void;
  clear(): void;
  /** Attaches files picked in the native dialog. */
  pick(): Promise<void>;
  /** Attaches what was dropped onto the page: URIs as text, at most 200. */
  drop(uris: readonly string[]): Promise<void>;
  /** Files that match what follows `@`: open editors first, then those of the workspace; at most 50. */
  complete(query: string): Promise<readonly CompletionItem[]>;
  /** Attaches a file by the id that {@link complete} gave it. */
  attachCompletion(id: string): Promise<void>;
}

/** Where selections go: the chats of this window. */
export interface ChatTargets {
  /** The conversation whose tab is active; undefined where another tab is. */
  active(): string | undefined;
  /** Asks for an intern or a conversation. @returns undefined where the user left. */
  choose(): Promise<{ readonly conversation: string } | undefined>;
  /** Shows a conversation's tab and puts the focus into its composer. */
  reveal(conversation: string): Promise<void>;
}
