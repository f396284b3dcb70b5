import type { Event } from '../../base/event.ts';
import type { ListedAs } from '../../conversation/journal.ts';
import type { CostSums } from '../../platform/words/costs.ts';

/** A conversation with an intern, as a row under it. */
export interface ConversationItem {
  readonly id: string;
  readonly title: string;
  /** When something was last said, epoch ms. */
  readonly at: number;
  readonly state: 'idle' | 'working' | 'waiting' | 'failed';
  /** Absent where its user never chose. */
  readonly listed?: ListedAs | undefined;
}

/** The facts of a conversation that its tooltip shows. */
export interface ConversationFacts {
  /** The id by which the service's side knows it; null where it has none yet. */
  readonly session: string | null;
  /** Its cost, in words; empty if unknown. */
  readonly cost: string;
}

/** The conversations as the view needs them: a port, so that it needs nothing of the chat. */
export interface ConversationSource {
  /** Reads the conversations of the active account if that was not done yet; none where the disk fails. */
  load(): Promise<void>;

  /**
   * The conversations with an intern of the active account, newest first, as far as they are known now. The first call
   * may start to read them; `onDidChange` tells when there is more to say.
   */
  list(internId: string): readonly ConversationItem[];

  /** Reads the facts from the record of a conversation of the active account. */
  facts(conversation: string): Promise<ConversationFacts>;

  /** Sums up the cost of the conversations with an intern of the active account; undefined if they cannot be read. */
  costs(internId: string): Promise<CostSums | undefined>;

  /** The number of questions that wait for an answer, by intern; an intern without any is left out. */
  pendingQuestions(): ReadonlyMap<string, number>;

  /** Conversations or questions changed. */
  readonly onDidChange: Event<void>;
}
