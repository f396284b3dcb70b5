import { questionDeadline } from '../../base/limits.ts';
import { MAX_WAITING_AFTER_DEADLINE_MS } from '../../conversation/questions/pendingQuestions.ts';
import type { ConversationHead } from './heads.ts';
import { KEPT_SINCE, type ReadPosition } from './readPositions.ts';

/** The state of a conversation in lists. */
export interface ListedState {
  readonly state: 'waiting' | 'failed' | 'finished' | 'running';
  readonly isUnread: boolean;
  /** When its question probably expires, epoch ms; undefined if that has passed or none is waiting. */
  readonly deadline: number | undefined;
}

export interface Listed extends ListedState {
  readonly head: ConversationHead;
}

/** Returns the state for lists. @param isInterrupted true if a run has no window and no end on record */
export function listedState(
  head: ConversationHead,
  reads: ReadonlyMap<string, Pick<ReadPosition, 'at' | 'isUnread'>>,
  now: number,
  isInterrupted = false,
): ListedState {
  const { state, question, at } = head;
  const expiresAt = questionDeadline(question ?? { askedAt: at });
  const isOverdue = now - expiresAt >= MAX_WAITING_AFTER_DEADLINE_MS;
  const read = reads.get(head.id);
  const readAt = Math.max(read?.at ?? 0, reads.get(KEPT_SINCE)?.at ?? 0);
  return {
    state: {
      idle: 'finished',
      working: isInterrupted ? 'failed' : 'running',
      waiting: isOverdue ? 'failed' : 'waiting',
      failed: 'failed',
    }[state] as ListedState['state'],
    isUnread: read?.isUnread === true || ((state !== 'working' || isInterrupted) && at > readAt),
    deadline: state === 'waiting' && now < expiresAt ? expiresAt : undefined,
  };
}

/**
 * Compares two conversations: those that wait for the user (earliest deadline first, expired ones last), pinned ones,
 * failed and unread, finished and unread, running, the rest. Within these, the latest is first.
 */
export function compareListed(a: Listed, b: Listed): number {
  return (
    rank(a) - rank(b) ||
    (a.deadline ?? 0) - (b.deadline ?? 0) ||
    attention(a) - attention(b) ||
    b.head.at - a.head.at ||
    (a.head.id < b.head.id ? -1 : Number(a.head.id > b.head.id))
  );
}

const PINNED_RANK = 2;

function rank(of: Listed): number {
  if (of.state === 'waiting') return of.deadline === undefined ? 1 : 0;
  return of.head.listed === 'pinned' ? PINNED_RANK : attention(of);
}

function attention({ state, isUnread }: Listed): number {
  const base = PINNED_RANK + 1;
  if (state === 'running') return base + 2;
  if (!isUnread) return base + 3;
  return state === 'failed' ? base : base + 1;
}

export interface ListScope {
  /** The URI of this window's workspace; undefined for an empty window. */
  readonly workspace: string | undefined;
  readonly showsAllWorkspaces: boolean;
  readonly showsArchived: boolean;
}

/**
 * Returns whether a conversation is in the list. Those without a workspace are in all lists. One that waits for the user
 * is never hidden, and an archived one is not hidden while it runs.
 */
export function isInScope({ head, state }: Listed, scope: ListScope): boolean {
  if (state === 'waiting') return true;
  if (head.listed === 'archived' && state !== 'running' && !scope.showsArchived) return false;
  return scope.showsAllWorkspaces || isHere(head, scope);
}

/** Returns whether a conversation was started in this workspace or without one. */
export function isHere(
  { workspace }: Pick<ConversationHead, 'workspace'>,
  scope: Pick<ListScope, 'workspace'>,
): boolean {
  return workspace === undefined || workspace === scope.workspace;
}

/** Returns whether a run ended, or a question was still open, at or after a time, epoch ms. */
export function changedSince({ head, state, isUnread }: Listed, since: number): boolean {
  const { at, question } = head;
  if (state === 'running') return false;
  // The run of a window that died has no known end.
  if (head.state === 'working') return isUnread;
  return (head.state === 'waiting' ? questionDeadline(question ?? { askedAt: at }) : at) >= since;
}
