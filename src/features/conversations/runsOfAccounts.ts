import { canStop } from '../../conversation/machine/state.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { RunsOfAccounts } from '../accounts/signOut.ts';
import type { Conversations, OpenConversation } from './conversations.ts';

/** Returns the runs of this window by account, for signing out. */
export function runsOfAccounts(
  conversations: Conversations,
  pendingQuestions: Pick<PendingQuestions, 'listOpen' | 'endQuestion'>,
): RunsOfAccounts {
  const runningOf = (account: string): readonly OpenConversation[] =>
    conversations.live.filter(
      ({ account: { id }, conversation: { state } }) => id === account && canStop(state),
    );
  const questionsOf = (account: string) =>
    pendingQuestions.listOpen().filter(({ question }) => question.account === account);
  return {
    activity: (account) => ({
      runs: runningOf(account).length,
      questions: questionsOf(account).length,
    }),
    stop: async (account) => {
      const running = runningOf(account).map(({ conversation }) => conversation);
      await Promise.all(running.map((conversation) => conversation.leave()));
      // The questions of conversations that are not open here.
      for (const { question } of questionsOf(account))
        pendingQuestions.endQuestion(question.id, { kind: 'run-ended' });
      await conversations.endResponses(account);
      await conversations.flush();
    },
  };
}
