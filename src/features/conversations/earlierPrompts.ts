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

interface SentPrompts {
  /** The `at` of the conversation's head when they were read. */
  readonly at: number;
  readonly prompts: readonly string[];
}

/** Reads the older prompts of a conversation and of the intern's others, for recall in the composer. */
export class EarlierPrompts {
  readonly #conversations: Pick<Conversations, 'list'>;
  /** The prompts of other conversations, as last read. */
  #read = new Map<string, SentPrompts>();

  constructor(conversations: Pick<Conversations, 'list'>) {
    this.#conversations = conversations;
  }

  /** Returns at most 400 older prompts of a conversation, and before them 50 of the intern's others; oldest first, each once. */
  async before({ account, conversation }: OpenConversation): Promise<readonly string[]> {
    const heads = await this.#conversations.list(account, conversation.transcript.intern);
    const others = heads.filter(({ id }) => id !== conversation.id).slice(0, MAX_OTHER_PROMPTS);
    const read = new Map<string, SentPrompts>();
    const own = conversation.transcript.ownPrompts
      .slice(0, -SNAPSHOT_PROMPT_COUNT)
      .slice(-MAX_OWN_PROMPTS);
    const found = new Set(own.toReversed());
    const enough = found.size + MAX_OTHER_PROMPTS;
    for (const head of others) {
      if (found.size >= enough) break;
      const sent = await this.#sentIn(recordPath(account, head.id), head);
      read.set(head.id, sent);
      for (const prompt of sent.prompts.toReversed()) found.add(prompt);
    }
    this.#read = read;
    return [...found].slice(0, enough).reverse();
  }

  async #sentIn(path: string, { id, at }: ConversationHead): Promise<SentPrompts> {
    const known = this.#read.get(id);
    return known?.at === at ? known : { at, prompts: await promptsIn(path) };
  }
}

/** Reads the user's last prompts in a record, oldest first; none if it cannot be read. */
async function promptsIn(path: string): Promise<readonly string[]> {
  // Parses only prompts and notices, since replies may have megabytes.
  const isNeeded = (line: string) => /"type":"(?:prompt|notice)"/.test(line);
  const entries = await readEntries(path, isNeeded).catch(() => undefined);
  return Transcript.fold(entries ?? []).ownPrompts.slice(-MAX_OTHER_PROMPTS);
}
