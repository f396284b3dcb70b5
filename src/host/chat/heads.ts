import { join } from 'node:path';
import * as v from 'valibot';
import type { Conversation } from '../../chat/conversation.ts';
import { STANDINGS, standingOf } from '../../chat/standing.ts';
import type { Account } from '../auth/account.ts';
import type { Log } from '../log/log.ts';
import { JsonFolder } from '../storage/jsonFolder.ts';
import type { WatchFolder } from '../storage/watch.ts';

/**
 * What lists of conversations show: one small file beside each record, so that a tree of 500 conversations does not
 * read 500 records. The record is the truth; a head is written whenever a run starts, pauses or ends.
 */
const headSchema = v.object({
  id: v.string(),
  intern: v.string(),
  title: v.string(),
  createdAt: v.number(),
  /** When something was last said, epoch ms. */
  at: v.number(),
  state: v.picklist(STANDINGS),
});

export type ConversationHead = Readonly<v.InferOutput<typeof headSchema>>;

/** The heads of an account's conversations. */
export function conversationHeads(
  account: Account,
  watch: WatchFolder,
  log: Log,
): JsonFolder<ConversationHead> {
  return new JsonFolder({
    folder: join(account.store.conversationsDir, 'heads'),
    schema: headSchema,
    idOf: (head) => head.id,
    watch,
    log,
  });
}

/** Keeps one conversation's head in step with it. */
export class HeadWriter {
  readonly #heads: JsonFolder<ConversationHead>;
  readonly #written: (head: ConversationHead, failure: unknown) => void;
  /** What was written last, its time aside. */
  #text = '';
  #last: Promise<void> = Promise.resolve();
  #stopped = false;

  /** @param written called after each write, with what it failed of or undefined */
  constructor(
    heads: JsonFolder<ConversationHead>,
    written: (head: ConversationHead, failure: unknown) => void,
  ) {
    this.#heads = heads;
    this.#written = written;
  }

  /** Writes the head where something in it but the time differs: while text streams in, nothing does. */
  keep(conversation: Conversation): void {
    const head = headOf(conversation);
    if (head === undefined || this.#stopped) return;
    const text = JSON.stringify({
      ...head,
      at: 0,
      prompt: conversation.transcript.lastPrompt?.id,
    });
    if (text === this.#text) return;
    this.#text = text;
    this.#last = this.#write(head);
  }

  /** Resolves when the last write is done. */
  async flush(): Promise<void> {
    await this.#last;
  }

  /** Writes nothing any more, and removes what was written. */
  async remove(id: string): Promise<void> {
    this.#stopped = true;
    await this.#last;
    await this.#heads.remove(id);
  }

  async #write(head: ConversationHead): Promise<void> {
    try {
      await this.#heads.put(head);
      this.#written(head, undefined);
    } catch (failure) {
      this.#written(head, failure);
    }
  }
}

/** What a list shows of a conversation; undefined before its first prompt. */
export function headOf(conversation: Conversation): ConversationHead | undefined {
  const { id, transcript } = conversation;
  if (transcript.lastPrompt === undefined) return undefined;
  const { intern, title, updatedAt, messages } = transcript;
  const createdAt = messages[0]?.at ?? updatedAt;
  return { id, intern, title, createdAt, at: updatedAt, state: standingOf(conversation) };
}
