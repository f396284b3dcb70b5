import type { ChatUser } from './chatUsers.ts';

/** How long the keyboard must have been quiet before a dialog may open under it. */
export const QUIET_MS = 1_000;

/** The same while unsent text stands in the composer: its writer may only be thinking. */
export const QUIET_WITH_DRAFT_MS = 3_000;

/** What surrounds the chats. Times are the monotonic clock's, in milliseconds. */
export interface Surroundings {
  readonly windowFocused: boolean;
  /** A dialog of this extension is open: a second one would close it. */
  readonly dialogOpen: boolean;
  /** When the window got the focus, or the last dialog closed: keys may still be on their way to what was there. */
  readonly settledAt: number;
}

/**
 * When a question's dialog may open by itself, on the monotonic clock, if nothing changes until then; undefined where
 * something must change first.
 *
 * Only where its chat's page has the keyboard focus: a palette or another dialog would have taken it, so none is
 * replaced, and a user who looks elsewhere is not interrupted.
 */
export function opensAt(user: ChatUser | undefined, around: Surroundings): number | undefined {
  if (user === undefined || !user.focused || user.composing) return undefined;
  if (!around.windowFocused || around.dialogOpen) return undefined;
  const quietSince = Math.max(user.typedAt, user.focusedAt, around.settledAt);
  return quietSince + (user.hasDraft ? QUIET_WITH_DRAFT_MS : QUIET_MS);
}
