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

/** What a list shows of a conversation; undefined before its first prompt. */
export function headOf(conversation: Conversation): ConversationHead | undefined {
  const { id, transcript } = conversation;
  if (transcript.lastPrompt === undefined) return undefined;
  const { intern, title, updatedAt, messages } = transcript;
  const createdAt = messages[0]?.at ?? updatedAt;
  return { id, intern, title, createdAt, at: updatedAt, state: standingOf(conversation) };
}
