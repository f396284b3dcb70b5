import { type Answer, ApiError } from '../../api/index.ts';
import { findMaybeReceived } from '../../conversation/messages.ts';
import type { Answerer, PendingQuestion } from '../../conversation/questions/types.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { Account, Accounts } from '../accounts/account.ts';

/** Opens conversations, or reads them without opening them. */
interface ConversationSource {
  open(account: Account, id: string): Promise<{ readonly conversation: Conversation } | undefined>;
  read(account: Account, id: string): Promise<Transcript>;
}

/** Returns an answerer for the questions of all accounts, whether their conversations are open or not. */
export function createAnswerer(
  conversations: ConversationSource,
  accounts: Pick<Accounts, 'get'>,
): Answerer {
  return {
    /** Opens the conversation of a question, and answers as {@link Conversation.answer}. */
    answer: async (question: PendingQuestion, answer: Answer, reason?: string) => {
      const account = accounts.get(question.account);
      if (account === undefined) return { kind: 'refused', error: failure('signed-out') };
      const open = await conversations.open(account, question.conversation);
      if (open === undefined) return { kind: 'gone', error: failure('interaction-unknown') };
      return open.conversation.answer(question.id, answer, reason);
    },
    /** Reads a question from its record. It expires if its account cannot use the service. */
    readRecordedQuestion: async (question: PendingQuestion) => {
      const account = accounts.get(question.account);
      if (account === undefined)
        return { isOver: false, maybeReceived: null, whenUnanswered: 'expire' };
      const transcript = await conversations.read(account, question.conversation);
      const part = transcript.question(question.id);
      return {
        isOver: part?.stage === 'over',
        maybeReceived: findMaybeReceived(part, false),
        whenUnanswered: account.state === 'ready' ? transcript.whenUnanswered : 'expire',
      };
    },
    /** Opens the conversation of a question, and calls {@link Conversation.applyUnansweredPolicy}. */
    applyUnansweredPolicy: async (question: PendingQuestion) => {
      const account = accounts.get(question.account);
      const open = account && (await conversations.open(account, question.conversation));
      return open?.conversation.applyUnansweredPolicy(question.id);
    },
  };
}

function failure(kind: 'signed-out' | 'interaction-unknown'): ApiError {
  return new ApiError({ kind, route: 'chat', message: 'The answer was not sent' });
}
