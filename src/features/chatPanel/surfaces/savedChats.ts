import { hash } from 'node:crypto';
import type { Memento } from 'vscode';
import * as v from 'valibot';
import { wasRemoved } from '../../../platform/storage/files.ts';
import { UnreadableFileError } from '../../../platform/storage/unreadable.ts';
import { recordPath } from '../../conversations/conversationRecord.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatServices } from '../chatServices.ts';
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

/** Opens a saved chat; undefined if its account is gone. A chat without a record starts again, with its draft. */
export async function openSaved(
  { accounts, conversations }: Pick<ChatServices, 'accounts' | 'conversations'>,
  saved: SavedChat | undefined,
): Promise<FoundChat | undefined> {
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

const savedTabSchema = v.object({ ...savedChatSchema.entries, title: v.string() });

/** A saved chat tab. Its `title` is a hash: the title itself quotes the conversation, and the state outlives that. */
export type SavedTab = Readonly<v.InferOutput<typeof savedTabSchema>>;

/** Saves which conversations are in tabs, and reads those of the last extension host of this window. */
export class SavedTabs {
  readonly #workspaceState: Memento;
  /** Tabs of the last host that were not taken yet. VS Code restores their pages when they are shown. */
  #earlier: readonly SavedTab[];
  #open: readonly SavedTab[] = [];

  constructor(workspaceState: Memento) {
    this.#workspaceState = workspaceState;
    this.#earlier = v.parse(v.fallback(v.array(savedTabSchema), []), workspaceState.get(TABS_KEY));
  }

  /** Saves the tabs that are open now. */
  remember(tabs: readonly SavedTab[]): void {
    const open = tabs.map((tab) => ({ ...tab, title: hashOf(tab.title) }));
    if (JSON.stringify(open) === JSON.stringify(this.#open)) return;
    this.#open = open;
    const isOpen = (id: string) => open.some(({ conversation }) => conversation === id);
    this.#earlier = this.#earlier.filter(({ conversation }) => !isOpen(conversation));
    void this.#workspaceState.update(TABS_KEY, [...open, ...this.#earlier].slice(0, MAX_TABS));
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
  return hash('sha256', text, 'base64url');
}
