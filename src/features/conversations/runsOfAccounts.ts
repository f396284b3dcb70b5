import { canStop } from '../../conversation/machine/state.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { RunsOfAccounts } from '../accounts/signOut.ts';
import { fileNamesIn } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { conversationOf } from './conversationResponses.ts';
import type { Conversations, OpenConversation } from './conversations.ts';

/** Returns the runs of all accounts, for signing out. */
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
    activity: async (account) => {
      const names = await fileNamesIn(account.store.responsesDir).catch(() => []);
      const heads = await conversations.list(account).catch(() => []);
      const responding = new Set(names.map(conversationOf));
      // Those of other windows, or of none, have a response file. The file of a run that ended may be left.
      const elsewhere = heads.filter(
        ({ id, state }) => state === 'working' && responding.has(toFileName(id)),
      );
      const running = runningOf(account.id).map(({ conversation }) => conversation);
      return {
        runs: new Set([...running, ...elsewhere].map(({ id }) => id)).size,
        questions: questionsOf(account.id).length,
      };
    },
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
