import type { ServiceClient } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import type { JournalEntry } from './journal.ts';
import type { AskableQuestion } from './machine/state.ts';
import type { PendingQuestions } from './questions/pendingQuestions.ts';
import type { PendingQuestion } from './questions/types.ts';
import type { TranscriptChange } from './messages.ts';

/**
 * The right to continue a conversation. One living window has it, from before it sends something until it has read the
 * stream. A conversation that waits for its user has no owner, so that any window may answer. Never rejects.
 */
export interface ConversationOwner {
  /** True from a successful {@link take} to {@link release}. */
  readonly isOurs: boolean;
  /** Resolves with false if another window owns the conversation. */
  take(): Promise<boolean>;
  release(): Promise<unknown>;
}

/** The responses that a stream keeper keeps until they are on record. Never rejects. */
export interface ResponseStore {
  /** Returns `foreign` for a response of a version that this window cannot read. */
  find(response: string): Promise<'none' | 'readable' | 'foreign'>;
  /** Makes sure that no keeper sends the request of this response anymore. Returns false if it may have been sent. */
  reserve(response: string): Promise<boolean>;
  /** Removes a response, and ends it if it is still received. */
  remove(response: string): Promise<unknown>;
}

export interface ConversationPorts {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Returns false in an untrusted workspace. */
  readonly selfDriveAllowed: () => boolean;
  /** Returns whether the cost limit of the account and day is reached. */
  readonly isDailyCostReached: () => boolean;
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * Returns the client for one request, by the ID of its response. It uses the account's present key, and sends the
   * request once the record is on disk. If the request was sent before, it only reads the response.
   */
  readonly client: (response: string, isSent: boolean) => Pick<ServiceClient, 'streamChat'>;
  readonly responses: ResponseStore;
  readonly append: (entry: JournalEntry) => void;
  /** Resolves when all appended entries are on disk, or with false if the disk refused them. */
  readonly whenRecorded: () => Promise<boolean>;
  /** Passes what other windows have recorded to {@link Conversation.follow}. Never rejects. */
  readonly catchUp: () => Promise<unknown>;
  readonly owner: ConversationOwner;
  readonly pendingQuestions: Pick<
    PendingQuestions,
    'add' | 'endQuestion' | 'followOutcome' | 'deadline'
  >;
  /** Adds to a question what the conversation does not know, such as the intern's name. */
  readonly describeQuestion: (question: AskableQuestion) => PendingQuestion;
  /** Called when a response showed whether the intern runs (interface: Intern status). */
  readonly onStatusObserved: (running: boolean) => void;
  readonly onRunEnd: (run: { readonly endedWell: boolean; readonly tookMs: number }) => void;
  /** Called when a stream that a proxy may buffer has been silent for a while. */
  readonly onSilence: (quietMs: number) => void;
}

export interface ConversationChange {
  readonly transcript: readonly TranscriptChange[];
  /** True if the state, title, mode, consent or session changed. False if only text came. */
  readonly stateChanged: boolean;
}
