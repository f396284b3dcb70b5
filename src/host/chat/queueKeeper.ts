import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { QueuedPrompt } from '../../chat/conversation/state.ts';
import type { Conversations, OpenConversation } from './conversations.ts';
import type { Drafts } from './drafts.ts';

/**
 * Keeps the prompts that wait, for a reload: with the drafts of this window, and whether or not a tab is open, since a
 * run and its queue go on without one.
 */
export class QueueKeeper implements Disposable {
  readonly #drafts: Drafts;
  readonly #store = new DisposableStore();

  constructor(conversations: Pick<Conversations, 'onDidOpen'>, drafts: Drafts) {
    this.#drafts = drafts;
    this.#store.add(conversations.onDidOpen((open) => this.#follow(open)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #follow({ conversation }: OpenConversation): void {
    // Prompts that wait outlive the window; the run that they waited for does not, so the user has the word.
    const { queue } = this.#drafts.get(conversation.id);
    if (queue.length > 0) conversation.send({ type: 'requeue', queue });
    let kept: readonly QueuedPrompt[] = conversation.state.queue;
    this.#store.add(
      conversation.onDidChange(() => {
        const { queue: now } = conversation.state;
        if (now === kept) return;
        kept = now;
        this.#drafts.set(conversation.id, { queue: now });
      }),
    );
  }
}
