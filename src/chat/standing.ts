import type { ConversationState } from './conversation/state.ts';
import type { Transcript } from './transcript.ts';

/** What a conversation is doing at a glance, as its tab and every list show it. */
export const STANDINGS = ['idle', 'working', 'waiting', 'failed'] as const;

export type Standing = (typeof STANDINGS)[number];

/**
 * Where a conversation stands. It is `working` while anything of it is under way, in this window or another, a prompt
 * that is held back before it goes out included; `waiting` while the intern asks; `failed` where its last run did.
 */
export function standingOf(conversation: {
  readonly state: Pick<ConversationState, 'phase'>;
  readonly transcript: Pick<Transcript, 'lastReply'>;
}): Standing {
  const { state, transcript } = conversation;
  switch (state.phase.kind) {
    case 'paused':
      return 'waiting';
    case 'requesting':
    case 'backing-off':
    case 'holding':
    case 'elsewhere':
      return 'working';
    case 'idle': {
      const last = transcript.lastReply?.state;
      return last === 'failed' || last === 'cut' ? 'failed' : 'idle';
    }
  }
}
