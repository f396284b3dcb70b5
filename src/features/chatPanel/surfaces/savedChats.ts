import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import * as v from 'valibot';
import { wasRemoved } from '../../../platform/storage/files.ts';
import { UnreadableFileError } from '../../../platform/storage/unreadable.ts';
import type { Accounts } from '../../accounts/account.ts';
import { recordPath } from '../../conversations/conversationRecord.ts';
import type { Conversations, OpenConversation } from '../../conversations/conversations.ts';
import { withoutArchived } from '../../conversations/heads.ts';
import type { GoneReason } from './emptyChat.ts';

const TABS_KEY = 'tabs';
const MAX_TABS = 100;

/** A conversation on a surface, as the workspace's state or the page saves it. */
export const savedChatSchema = v.object({
  account: v.string(),
  intern: v.string(),
  conversation: v.string(),
  /** The hash of its record's path; absent before there is a record. */
  record: v.optional(v.string()),
});

export type SavedChat = Readonly<v.InferOutput<typeof savedChatSchema>>;

export function savedChatOf({ account, conversation, diskFailed }: OpenConversation): SavedChat {
  const { id, transcript } = conversation;
  const chat = { account: account.id, intern: transcript.intern, conversation: id };
  const isRecorded = transcript.lastPrompt !== undefined && !diskFailed;
  return isRecorded ? { ...chat, record: hashOf(recordPath(account, id)) } : chat;
}

/** The conversation of a saved chat, or the reason why it is gone. */
export type FoundChat = { readonly open: OpenConversation } | { readonly gone: GoneReason };

interface RecentChatsOptions {
  readonly accounts: Accounts;
  readonly conversations: Pick<Conversations, 'create' | 'list' | 'open'>;
}

/** Opens saved chats, and tracks which were used last in this window. */
export class RecentChats {
  readonly #options: RecentChatsOptions;
  /** The last used first. */
  #used: readonly SavedChat[] = [];

  constructor(options: RecentChatsOptions) {
    this.#options = options;
  }

  /** Records the conversation that the user went to. */
  markUsed(open: OpenConversation): void {
    const chat = savedChatOf(open);
    this.forget(({ conversation }) => conversation === chat.conversation);
    this.#used = [chat, ...this.#used];
  }

  forget(isGone: (chat: SavedChat) => boolean): void {
    this.#used = this.#used.filter((chat) => !isGone(chat));
  }

  /** Opens a saved chat; undefined if its account is gone. One without a record starts again, with its draft. */
  async openSaved(saved: SavedChat | undefined): Promise<FoundChat | undefined> {
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
    // The workspace's state may come from another machine, where the record had another path.
    const path = recordPath(account, conversation);
    const isDeleted = record === hashOf(path) && (await wasRemoved(path));
    return { gone: isDeleted ? 'deleted' : 'not-here' };
  }

  /** Opens the last used conversation of this window that fits and can be read, else the account's latest. */
  async openLatest(fits: (conversation: string) => boolean): Promise<OpenConversation | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const { active: account } = accounts;
    const heads = account === undefined ? [] : withoutArchived(await conversations.list(account));
    const chats: readonly SavedChat[] = [
      ...this.#used,
      // A chat without `record` would start again if its record is gone.
      ...heads.map(({ id, intern }) => ({
        ...{ account: account?.id ?? '', intern, conversation: id, record: '' },
      })),
    ];
    for (const chat of chats) {
      const found = fits(chat.conversation) ? await this.openSaved(chat) : undefined;
      if (found !== undefined && 'open' in found) return found.open;
    }
    return undefined;
  }
}

const savedTabSchema = v.object({ ...savedChatSchema.entries, title: v.string() });

/** A saved chat tab. Its `title` is a hash: the title itself quotes the conversation, and the state outlives that. */
export type SavedTab = Readonly<v.InferOutput<typeof savedTabSchema>>;

/** Saves which conversations are in tabs, and reads those of the last extension host of this window. */
export class SavedTabs {
  readonly #memento: Memento;
  /** Tabs of the last host that were not taken yet. VS Code restores their pages when they are shown. */
  #earlier: readonly SavedTab[];
  #open: readonly SavedTab[] = [];

  constructor(memento: Memento) {
    this.#memento = memento;
    const saved = v.safeParse(v.array(savedTabSchema), memento.get(TABS_KEY));
    this.#earlier = saved.success ? saved.output : [];
  }

  /** Saves the tabs that are open now. */
  remember(tabs: readonly SavedTab[]): void {
    const open = tabs.map((tab) => ({ ...tab, title: hashOf(tab.title) }));
    if (JSON.stringify(open) === JSON.stringify(this.#open)) return;
    this.#open = open;
    const isOpen = (id: string) => open.some(({ conversation }) => conversation === id);
    this.#earlier = this.#earlier.filter(({ conversation }) => !isOpen(conversation));
    void this.#memento.update(TABS_KEY, [...open, ...this.#earlier].slice(0, MAX_TABS));
  }

  /** Takes a tab of the last host by its title, else the first one left. */
  take(title: string): SavedTab | undefined {
    const tab = this.#earlier.find((each) => each.title === hashOf(title)) ?? this.#earlier[0];
    this.#earlier = this.#earlier.filter((each) => each !== tab);
    return tab;
  }

  /** Returns whether a conversation is in one of the tabs with these titles, and was not taken yet. */
  isUnrestored(conversation: string, titles: readonly string[]): boolean {
    const hashes = titles.map(hashOf);
    return this.#earlier.some(
      (tab) => tab.conversation === conversation && hashes.includes(tab.title),
    );
  }

  /** Puts back a tab that cannot be opened yet. */
  giveBack(tab: SavedTab): void {
    this.#earlier = [tab, ...this.#earlier];
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
