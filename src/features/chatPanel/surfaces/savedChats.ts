import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import * as v from 'valibot';
import { wasRemoved } from '../../../platform/storage/files.ts';
import { UnreadableFileError } from '../../../platform/storage/unreadable.ts';
import type { Accounts } from '../../accounts/account.ts';
import { recordPath } from '../../conversations/conversationRecord.ts';
import type { Conversations, OpenConversation } from '../../conversations/conversations.ts';
import { unarchived } from '../../conversations/heads.ts';
import type { GoneReason } from './emptyChat.ts';

/** A conversation that stands on a surface, as the workspace's state or the page remembers it. */
export const savedChatSchema = v.object({
  account: v.string(),
  intern: v.string(),
  conversation: v.string(),
  /** The hash of its record's path; absent before there is a record. */
  record: v.optional(v.string()),
});

export type SavedChat = Readonly<v.InferOutput<typeof savedChatSchema>>;

/** Returns what is remembered of a conversation that is open. */
export function savedChatOf({ account, conversation, diskFailed }: OpenConversation): SavedChat {
  const { id, transcript } = conversation;
  const isRecorded = transcript.lastPrompt !== undefined && !diskFailed;
  return {
    account: account.id,
    intern: transcript.intern,
    conversation: id,
    ...(isRecorded && { record: hashOf(recordPath(account, id)) }),
  };
}

/** The conversation of a restored chat, or the reason why there is none. */
export type FoundChat = { readonly open: OpenConversation } | { readonly gone: GoneReason };

interface RecentChatsOptions {
  readonly accounts: Accounts;
  readonly conversations: Pick<Conversations, 'create' | 'list' | 'open'>;
}

/** Opens conversations that are remembered, and knows which were used last in this window. */
export class RecentChats {
  readonly #options: RecentChatsOptions;
  /** The one that was used last first. */
  #used: readonly SavedChat[] = [];

  constructor(options: RecentChatsOptions) {
    this.#options = options;
  }

  /** The user is at a conversation. */
  use(open: OpenConversation): void {
    const chat = savedChatOf(open);
    this.forget(({ conversation }) => conversation === chat.conversation);
    this.#used = [chat, ...this.#used];
  }

  forget(isGone: (chat: SavedChat) => boolean): void {
    this.#used = this.#used.filter((chat) => !isGone(chat));
  }

  /**
   * Opens a conversation that is remembered; undefined if its account is gone. One in which nothing was said has no
   * record: it begins again, with the draft that it had.
   */
  async find(saved: SavedChat | undefined): Promise<FoundChat | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const account = saved && accounts.get(saved.account);
    if (saved === undefined || account === undefined) return undefined;
    const { intern, conversation, record } = saved;
    try {
      const open = await conversations.open(account, conversation);
      if (open !== undefined) return { open };
    } catch (failure) {
      if (failure instanceof UnreadableFileError) return { gone: 'unreadable' };
      throw failure;
    }
    if (record === undefined) return { open: conversations.create(account, intern, conversation) };
    // The state of a workspace may come from another machine: it counts as deleted only if it once was at this very path.
    const path = recordPath(account, conversation);
    const isDeleted = record === hashOf(path) && (await wasRemoved(path));
    return { gone: isDeleted ? 'deleted' : 'not-here' };
  }

  /** Opens the conversation that was used last in this window, else the account's latest, of those that `fits` allows. */
  async latest(fits: (conversation: string) => boolean): Promise<OpenConversation | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const { active: account } = accounts;
    const heads = account === undefined ? [] : await conversations.list(account);
    const recorded = unarchived(heads).map(({ id, intern }) => ({
      account: account?.id ?? '',
      intern,
      conversation: id,
    }));
    const chats = [...this.#used, ...recorded];
    const found = await this.find(chats.find(({ conversation }) => fits(conversation)));
    return found !== undefined && 'open' in found ? found.open : undefined;
  }
}

const savedTabSchema = v.object({ ...savedChatSchema.entries, title: v.string() });

/**
 * A chat tab as it is remembered: VS Code tells no more than the title of a tab that lost its page. The title holds what
 * was said, so the workspace's state, which nobody else can clear, holds a hash of it.
 */
export type SavedTab = Readonly<v.InferOutput<typeof savedTabSchema>>;

const tabsKey = 'tabs';
const mostTabs = 100;

/** Remembers which conversations stood in tabs when this window's extension host last lived, and which do now. */
export class SavedTabs {
  readonly #memento: Memento;
  /** Those of the last host that were not taken yet: their pages are restored when they are shown. */
  #earlier: readonly SavedTab[];
  #open: readonly SavedTab[] = [];

  constructor(memento: Memento) {
    this.#memento = memento;
    const saved = v.safeParse(v.array(savedTabSchema), memento.get(tabsKey));
    this.#earlier = saved.success ? saved.output : [];
  }

  /** Remembers the tabs that are open now. VS Code writes them to disk when it sees fit. */
  remember(tabs: readonly SavedTab[]): void {
    const open = tabs.map((tab) => ({ ...tab, title: hashOf(tab.title) }));
    if (JSON.stringify(open) === JSON.stringify(this.#open)) return;
    this.#open = open;
    const isOpen = (id: string) => open.some(({ conversation }) => conversation === id);
    this.#earlier = this.#earlier.filter(({ conversation }) => !isOpen(conversation));
    void this.#memento.update(tabsKey, [...open, ...this.#earlier].slice(0, mostTabs));
  }

  /** Takes the conversation of a tab of the last host, by its title; if none has it, the first that is left. */
  take(title: string): SavedTab | undefined {
    const tab = this.#earlier.find((each) => each.title === hashOf(title)) ?? this.#earlier[0];
    this.#earlier = this.#earlier.filter((each) => each !== tab);
    return tab;
  }

  /** Whether a conversation stood in one of the tabs of these titles, and was not taken yet. */
  isLeft(conversation: string, titles: readonly string[]): boolean {
    const hashes = titles.map(hashOf);
    return this.#earlier.some(
      (tab) => tab.conversation === conversation && hashes.includes(tab.title),
    );
  }

  /** Puts back what was taken and cannot be opened yet. */
  giveBack(tab: SavedTab): void {
    this.#earlier = [tab, ...this.#earlier];
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
