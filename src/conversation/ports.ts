import type { ServiceClient } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import type { JournalEntry } from './journal.ts';
import type { AskableQuestion } from './machine/state.ts';
import type { PendingQuestions } from './questions/pendingQuestions.ts';
import type { PendingQuestion } from './questions/types.ts';
import type { TranscriptChange } from './messages.ts';

/**
 * The right to go on with a conversation, which one living window has at a time: while it reads a stream or sends an
 * answer. One that waits for its user has no owner, so that any window may take it and answer. Never rejects.
 */
export interface ConversationOwner {
  /** False where another window has it. */
  take(): Promise<boolean>;
  release(): Promise<unknown>;
  isElsewhere(): Promise<boolean>;
}

/** What a conversation needs of the world. */
export interface ConversationPorts {
  readonly clock: Clock;
  /** A fresh unique id. */
  readonly newId: () => string;
  readonly selfDriveAllowed: () => boolean;
  /** In [0, 1). */
  readonly random: () => number;
  /** A client with the key that the account has now. Asked for at each request: a run may outlive the key it started with. */
  readonly client: () => Pick<ServiceClient, 'streamChat'>;
  /** Appends to the record; returns at once. */
  readonly append: (entry: JournalEntry) => void;
  /** Resolves when what was appended is on disk, or when the disk has refused it. */
  readonly recorded: () => Promise<unknown>;
  /** Reads on what other windows have recorded, which comes by {@link Conversation.follow}. Never rejects. */
  readonly catchUp: () => Promise<unknown>;
  readonly owner: ConversationOwner;
  readonly pendingQuestions: Pick<PendingQuestions, 'arrive' | 'end' | 'follow' | 'deadline'>;
  /** Completes a question with what the conversation does not know of itself. */
  readonly describe: (question: AskableQuestion) => PendingQuestion;
  readonly observedStatus: (running: boolean) => void;
  readonly runEnded: (run: { readonly ok: boolean; readonly tookMs: number }) => void;
  /** A stream that a proxy may buffer has said nothing for so many ms. */
  readonly silent: (quietMs: number) => void;
}

export interface ConversationChange {
  readonly transcript: readonly TranscriptChange[];
  /** Whether the state is another one, or title, mode, consent or session are: never where nothing came but text. */
  readonly state: boolean;
}
