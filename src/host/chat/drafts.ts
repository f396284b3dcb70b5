import type { Memento } from 'vscode';
import * as v from 'valibot';
import type { QueuedPrompt } from '../../chat/conversation/state.ts';

/**
 * What a window remembers of a conversation's tab beside its record: the draft, what is attached to it, where the
 * reader was, and prompts that wait. Kept in the workspace's memento: it is of this window's layout.
 */
const draftSchema = v.object({
  text: v.optional(v.string(), ''),
  scroll: v.optional(v.nullable(v.object({ message: v.string(), offset: v.number() })), null),
  queue: v.optional(
    v.array(
      v.object({
        id: v.string(),
        text: v.string(),
        sent: v.string(),
        attachments: v.array(v.object({ label: v.string(), size: v.number() })),
      }),
    ),
    [],
  ),
});

export interface Draft {
  readonly text: string;
  readonly scroll: { readonly message: string; readonly offset: number } | null;
  readonly queue: readonly QueuedPrompt[];
}

/** Drafts by conversation. */
export class Drafts {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get(conversation: string): Draft {
    const result = v.safeParse(draftSchema, this.#memento.get(keyOf(conversation)) ?? {});
    return result.success ? result.output : { text: '', scroll: null, queue: [] };
  }

  /** Changes a draft; an empty one is forgotten. VS Code writes it to disk when it sees fit. */
  set(conversation: string, change: Partial<Draft>): void {
    const draft = { ...this.get(conversation), ...change };
    const isEmpty = draft.text === '' && draft.scroll === null && draft.queue.length === 0;
    void this.#memento.update(keyOf(conversation), isEmpty ? undefined : draft);
  }

  forget(conversation: string): void {
    void this.#memento.update(keyOf(conversation), undefined);
  }
}

function keyOf(conversation: string): string {
  return `draft/${conversation}`;
}
