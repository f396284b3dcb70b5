import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import * as v from 'valibot';
import { recordPath } from '../../conversations/conversationRecord.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { markOf } from './foundChat.ts';

/** What is remembered of a conversation that stands somewhere. */
export const keptChatSchema = v.object({
  account: v.string(),
  intern: v.string(),
  conversation: v.string(),
  /** The mark of the place where its record is; absent before there is one. */
  record: v.optional(v.string()),
});

export type KeptChat = Readonly<v.InferOutput<typeof keptChatSchema>>;

/** What is remembered of a conversation that is open. */
export function keptOf({ account, conversation, diskFailed }: OpenConversation): KeptChat {
  const { id, transcript } = conversation;
  const isRecorded = transcript.lastPrompt !== undefined && !diskFailed;
  return {
    account: account.id,
    intern: transcript.intern,
    conversation: id,
    ...(isRecorded && { record: markOf(recordPath(account, id)) }),
  };
}

const tabSchema = v.object({ ...keptChatSchema.entries, title: v.string() });

/**
 * A chat tab as it is remembered: VS Code tells of a tab that lost its page no more than the title. That is made of what
 * was said, so the workspace's state, which nobody else can clear, holds a hash of it.
 */
export type KeptTab = Readonly<v.InferOutput<typeof tabSchema>>;

const key = 'tabs';

/** The most tabs that are remembered. */
const most = 100;

/** Which conversations stood in tabs when this window's extension host last lived, and which do now. */
export class OpenTabs {
  readonly #memento: Memento;
  /** Those of the last host that were not taken up yet: their pages are restored when they are shown. */
  #earlier: readonly KeptTab[];
  #open: readonly KeptTab[] = [];

  constructor(memento: Memento) {
    this.#memento = memento;
    const kept = v.safeParse(v.array(tabSchema), memento.get(key));
    this.#earlier = kept.success ? kept.output : [];
  }

  /** Remembers the tabs that are open now. VS Code writes them to disk when it sees fit. */
  remember(tabs: readonly KeptTab[]): void {
    const open = tabs.map((tab) => ({ ...tab, title: hashOf(tab.title) }));
    if (JSON.stringify(open) === JSON.stringify(this.#open)) return;
    this.#open = open;
    this.#earlier = this.#earlier.filter(
      (tab) => !open.some(({ conversation }) => conversation === tab.conversation),
    );
    void this.#memento.update(key, [...open, ...this.#earlier].slice(0, most));
  }

  /** The conversation of a tab of the last host, by its title; where that does not tell, the first that is left. */
  take(title: string): KeptTab | undefined {
    const tab = this.#earlier.find((each) => each.title === hashOf(title)) ?? this.#earlier[0];
    this.#earlier = this.#earlier.filter((each) => each !== tab);
    return tab;
  }

  /** Whether a conversation stood in one of the tabs of these titles, and was not taken up yet. */
  isLeft(conversation: string, titles: readonly string[]): boolean {
    const hashes = titles.map(hashOf);
    return this.#earlier.some(
      (tab) => tab.conversation === conversation && hashes.includes(tab.title),
    );
  }

  /** What was taken is still to be opened. */
  giveBack(tab: KeptTab): void {
    this.#earlier = [tab, ...this.#earlier];
  }
}

function hashOf(title: string): string {
  return createHash('sha256').update(title).digest('base64url');
}
