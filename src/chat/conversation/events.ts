import type { Answer, ApiError, ApprovalMode, ChatEvent, ChatRequest } from '../../api/index.ts';
import type { EntryBody } from '../journal.ts';
import type { AnswerOutcome } from '../questions/types.ts';
import type { ConversationState, OpenQuestion, Prompt, QueuedPrompt } from './state.ts';

/** Everything that can happen to a conversation. */
export type ConversationEvent =
  | { readonly type: 'submit'; readonly prompt: Prompt }
  /** The last prompt once more, as a run of its own. */
  | { readonly type: 'resubmit'; readonly prompt: Prompt; readonly edited: boolean }
  | { readonly type: 'stop' }
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode }
  | { readonly type: 'answer'; readonly question: string; readonly answer: Answer }
  /** The desk is done with the `cancel` of a Stop; `isTaken`: another answer to the question is on its way. */
  | { readonly type: 'cancel-settled'; readonly question: string; readonly isTaken: boolean }
  /** The question's countdown ran out so long ago that nobody will answer. */
  | { readonly type: 'expire'; readonly question: string }
  | { readonly type: 'edit-queued'; readonly id: string; readonly prompt: Prompt }
  | { readonly type: 'remove-queued'; readonly id: string }
  /** Prompts that waited when the window went away: held for the user. */
  | { readonly type: 'requeue'; readonly queue: readonly QueuedPrompt[] }
  /** Sends what waits: a held prompt now, or the queue that was held for the user. */
  | { readonly type: 'send-now' }
  /** Answers the pending question with `cancel`, then sends the queue. */
  | { readonly type: 'cancel-and-send' }
  /** Headers of an accepted response. */
  | { readonly type: 'opened'; readonly request: string }
  | { readonly type: 'streamed'; readonly request: string; readonly events: readonly ChatEvent[] }
  /** The stream ended with finish chunk, final chunk and `[DONE]`. */
  | { readonly type: 'ended'; readonly request: string }
  | { readonly type: 'failed'; readonly request: string; readonly error: ApiError }
  /** The one timer is due. */
  | { readonly type: 'due' }
  /** The state was read from the transcript, at start or because another window went on. */
  | {
      readonly type: 'restored';
      readonly state: RestoredState;
      /** Whether the last run came to a good end. */
      readonly endedWell: boolean;
    };

export type RestoredState = Pick<
  ConversationState,
  'mode' | 'session' | 'phase' | 'questions' | 'leftAt' | 'hasHistory'
>;

/** Everything that a conversation asks of its ports. */
export type Effect =
  | { readonly type: 'record'; readonly entry: EntryBody }
  | { readonly type: 'request'; readonly request: string; readonly chat: ChatRequest }
  | { readonly type: 'abort'; readonly request: string }
  /** Sets the one timer to this moment, epoch ms; null clears it. */
  | { readonly type: 'timer'; readonly at: number | null }
  | { readonly type: 'ask'; readonly question: OpenQuestion }
  /** The question is over without an answer of the user's. */
  | { readonly type: 'withdraw'; readonly question: string }
  /** Answers the question with `cancel`, through the desk, so that no dialog answers it as well. */
  | { readonly type: 'cancel'; readonly question: OpenQuestion }
  /** What became of an answer that the user gave. */
  | { readonly type: 'settle'; readonly question: string; readonly outcome: AnswerOutcome }
  /** Chat tells whether the intern runs (interface: Intern status). */
  | { readonly type: 'learned'; readonly running: boolean }
  /** A run came to its end by itself, after so many ms. */
  | {
      readonly type: 'run-ended';
      readonly run: string;
      readonly ok: boolean;
      readonly tookMs: number;
    };

/** What the machine may not make up itself. */
export interface Environment {
  /** Epoch ms. */
  readonly now: number;
  /** A fresh unique id. */
  readonly id: () => string;
  /** In [0, 1). */
  readonly random: () => number;
}
