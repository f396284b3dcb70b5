import type { Event } from '../../base/disposable.ts';
import type { ListedAs } from '../../conversation/journal.ts';
import type { CostSums } from '../../platform/text/costs.ts';

/** A conversation with an intern, as a row under it. */
export interface ConversationItem {
  readonly id: string;
  readonly title: string;
  /** Time of the last message, epoch ms. */
  readonly at: number;
  readonly state: 'idle' | 'working' | 'waiting' | 'failed';
  /** Absent if the user never chose. */
  readonly listed?: ListedAs | undefined;
}

export interface ConversationDetails {
  /** The service's session ID; null before the service has sent one. */
  readonly session: string | null;
  /** The cost, in words; empty if unknown. */
  readonly cost: string;
}

/** The conversations of the active account, as a port: this feature comes before conversations. */
export interface ConversationSource {
  /** Reads the conversations, unless that was done already. Does not reject if the disk fails. */
  load(): Promise<void>;

  /** Lists the known conversations with an intern, newest first. The first call may start reading them. */
  list(internId: string): readonly ConversationItem[];

  details(conversation: string): Promise<ConversationDetails>;

  /** Sums up the cost of the conversations with an intern; undefined if they cannot be read. */
  costs(internId: string): Promise<CostSums | undefined>;

  /** Returns the number of pending questions by intern. Interns without any are left out. */
  pendingQuestions(): ReadonlyMap<string, number>;

  /** Conversations or questions changed. */
  readonly onDidChange: Event<void>;
}
