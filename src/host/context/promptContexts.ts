import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ConversationAttachmentsOptions } from './conversationAttachments.ts';
import { ConversationAttachments } from './conversationAttachments.ts';
import type { PromptContext } from './promptContext.ts';

/** What is attached to the prompts being written, by conversation. */
export class PromptContexts implements Disposable {
  readonly #optionsFor: (conversation: string) => ConversationAttachmentsOptions;
  readonly #store = new DisposableStore();
  readonly #contexts = new Map<string, ConversationAttachments>();

  constructor(optionsFor: (conversation: string) => ConversationAttachmentsOptions) {
    this.#optionsFor = optionsFor;
  }

  /** The one context of a conversation in this window; what was attached before a reload is attached again. */
  for(conversation: string): PromptContext {
    const known = this.#contexts.get(conversation);
    if (known !== undefined) return known;
    const context = new ConversationAttachments(this.#optionsFor(conversation));
    this.#contexts.set(conversation, context);
    return this.#store.add(context);
  }

  dispose(): void {
    this.#contexts.clear();
    this.#store.dispose();
  }
}
