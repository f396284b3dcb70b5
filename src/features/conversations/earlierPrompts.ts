import { parseEntry } from '../../conversation/journal.ts';
import { Transcript } from '../../conversation/transcript.ts';
import { readText } from '../../platform/storage/files.ts';
import { recordPath } from './conversationRecord.ts';
import type { Conversations, OpenConversation } from './conversations.ts';
import type { ConversationHead } from './heads.ts';

/** How many of a conversation's own prompts, the last ones, its page has without asking. */
export const lastPrompts = 100;
/** Most older prompts of the conversation itself that are given. */
const mostOwn = 400;
/** Most prompts of other conversations that are given at a time, and most conversations that are looked at for them. */
const most = 50;

/** What was sent in a conversation until a time, epoch ms. */
interface Sent {
  readonly at: number;
  readonly prompts: readonly string[];
}

/**
 * What is recalled after the last prompts of a conversation: its older ones, then those of the intern's other conversations,
 * where a record is read again only once more was said in it.
 */
export class EarlierPrompts {
  readonly #conversations: Pick<Conversations, 'list'>;
  /** Of the conversations that were asked for last. */
  #read = new Map<string, Sent>();

  constructor(conversations: Pick<Conversations, 'list'>) {
    this.#conversations = conversations;
  }

  /**
   * At most 400 of the conversation's own prompts before the last ones, and at most 50 of the other conversations with the same intern; oldest
   * first, each text once.
   */
  async before({ account, conversation }: OpenConversation): Promise<readonly string[]> {
    const heads = await this.#conversations.list(account, conversation.transcript.intern);
    const others = heads.filter(({ id }) => id !== conversation.id).slice(0, most);
    const read = new Map<string, Sent>();
    const own = conversation.transcript.ownPrompts.slice(0, -lastPrompts).slice(-mostOwn);
    const found = new Set(own.toReversed());
    const enough = found.size + most;
    for (const head of others) {
      if (found.size >= enough) break;
      const sent = await this.#sentIn(recordPath(account, head.id), head);
      read.set(head.id, sent);
      for (const prompt of sent.prompts.toReversed()) found.add(prompt);
    }
    this.#read = read;
    return [...found].slice(0, enough).reverse();
  }

  async #sentIn(path: string, { id, at }: ConversationHead): Promise<Sent> {
    const known = this.#read.get(id);
    return known?.at === at ? known : { at, prompts: await promptsIn(path) };
  }
}

/** The last prompts of a record that its user wrote, oldest first; none where it cannot be read, which is told where it is opened. */
async function promptsIn(path: string): Promise<readonly string[]> {
  const text = await readText(path).catch(() => undefined);
  // Replies may be megabytes: only the lines of prompts, and those that stand before one, are parsed.
  const lines = text?.split('\n').filter((line) => /"type":"(?:prompt|notice)"/.test(line)) ?? [];
  return Transcript.fold(lines.flatMap((line) => parseEntry(line) ?? [])).ownPrompts.slice(-most);
}
