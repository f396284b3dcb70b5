import { canStop } from '../../chat/conversation/state.ts';
import type { QuestionDesk } from '../../chat/questions/types.ts';
import type { RunsOfAccounts } from '../auth/signOut.ts';
import type { Conversations, OpenConversation } from './conversations.ts';

/** The runs of this window by account, for signing out. */
export function runsOfAccounts(
  conversations: Conversations,
  desk: Pick<QuestionDesk, 'open'>,
): RunsOfAccounts {
  const runningOf = (account: string): readonly OpenConversation[] =>
    conversations.open.filter(
      ({ account: { id }, conversation: { state } }) => id === account && canStop(state),
    );
  return {
    activity: (account) => ({
      runs: runningOf(account).length,
      questions: desk.open().filter(({ question }) => question.account === account).length,
    }),
    stop: async (account) => {
      for (const { conversation } of runningOf(account)) conversation.send({ type: 'stop' });
      await conversations.flush();
    },
  };
}
