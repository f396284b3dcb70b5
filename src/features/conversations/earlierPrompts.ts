import { Transcript } from '../../conversation/transcript.ts';
import { readEntries, recordPath } from './conversationRecord.ts';
import type { Conversations, OpenConversation } from './conversations.ts';
import type { ConversationHead } from './heads.ts';

/** The number of last prompts that a snapshot contains. */
export const SNAPSHOT_PROMPT_COUNT = 100;
/** Maximum number of older prompts of the conversation itself. */
const MAX_OWN_PROMPTS = 400;
/** Maximum number of prompts of other conversations, and of these conversations. */
const MAX_OTHER_PROMPTS = 50;

/** The last prompts of conversations that were read. A conversation in which more was said has another head. */
const promptsByHead = new WeakMap<ConversationHead, readonly string[]>();

/**
 * Reads at most 400 older prompts of a conversation, and before them 50 of the intern's others, for recall in the
 * composer; oldest first, each once.
 */
export async function readEarlierPrompts(
  conversations: Pick<Conversations, 'list'>,
  { account, conversation: { id, transcript } }: OpenConversation,
): Promise<readonly string[]> {
  const heads = await conversations.list(account, transcript.intern);
  const others = heads.filter((head) => head.id !== id).slice(0, MAX_OTHER_PROMPTS);
  const own = transcript.ownPrompts.slice(0, -SNAPSHOT_PROMPT_COUNT).slice(-MAX_OWN_PROMPTS);
  const found = new Set(own.toReversed());
  const enough = found.size + MAX_OTHER_PROMPTS;
  for (const head of others) {
    if (found.size >= enough) break;
    const prompts = promptsByHead.get(head) ?? (await promptsIn(recordPath(account, head.id)));
    promptsByHead.set(head, prompts);
    for (const prompt of prompts.toReversed()) found.add(prompt);
  }
  return [...found].slice(0, enough).reverse();
}

/** Reads the user's last prompts in a record, oldest first; none if it cannot be read. */
async function promptsIn(path: string): Promise<readonly string[]> {
  // Parses only prompts and notices, since replies may have megabytes.
  const isNeeded = (line: string) => /"type":"(?:prompt|notice)"/.test(line);
  const entries = await readEntries(path, isNeeded).catch(() => undefined);
  return Transcript.fold(entries ?? []).ownPrompts.slice(-MAX_OTHER_PROMPTS);
}
