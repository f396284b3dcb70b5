import { window } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { conversationStatus } from '../../conversation/machine/state.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ConversationList } from '../conversations/conversationList.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ChatPages } from './chatPages.ts';

interface ReadTrackerPorts {
  readonly conversations: Pick<Conversations, 'onDidChangeState' | 'readPositions'>;
  readonly pages: Pick<ChatPages, 'all' | 'onDidChange'>;
  readonly list: Pick<ConversationList, 'get'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Marks a conversation as read when its end comes into sight in a window with the focus, and when a run ends or asks in
 * sight. If the user marks a conversation in sight as unread, it stays unread, even if the window loses the focus.
 */
export function trackReads({ conversations, pages, list, log }: ReadTrackerPorts): Disposable {
  const store = new DisposableStore();
  /** The conversations in sight at the last check, each with the time when something was last said in it by then. */
  let visible = new Map<string, number>();
  const check = (): void => {
    const before = visible;
    visible = new Map();
    for (const { open, isEndVisible } of pages.all) {
      const { id, transcript } = open.conversation;
      if (!isEndVisible || transcript.lastPrompt === undefined) continue;
      const { updatedAt } = transcript;
      const isWorking = conversationStatus(open.conversation) === 'working';
      const seenAt = before.get(id);
      if (!window.state.focused) {
        if (seenAt !== undefined) visible.set(id, seenAt);
        continue;
      }
      visible.set(id, isWorking ? (seenAt ?? 0) : updatedAt);
      const row = list.get(id);
      const isRead = row?.isUnread === false && row.head.at >= updatedAt;
      if (isWorking || seenAt === updatedAt || isRead || open.isDeleted) continue;
      conversations.readPositions
        .mark(open.account, { id, at: updatedAt }, true)
        .catch((failure: unknown) => log.warn('A read position could not be written', failure, id));
    }
  };
  store.add(pages.onDidChange(check));
  store.add(window.onDidChangeWindowState(check));
  store.add(conversations.onDidChangeState(check));
  return store;
}
