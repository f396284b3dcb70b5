import type { Conversation } from '../../conversation/conversation.ts';
import { canStop } from '../../conversation/machine/state.ts';
import type { RunsOfAccounts } from '../accounts/signOut.ts';
import type { Log } from '../../platform/log/log.ts';
import { fileNamesIn } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { conversationOf, removeResponses } from './conversationResponses.ts';
import type { Conversations } from './conversations.ts';

/** Returns the runs of all accounts, for signing out and for reminders about keys. */
export function runsOfAccounts(
  conversations: Conversations,
  log: Pick<Log, 'warn'>,
): RunsOfAccounts {
  const { pendingQuestions } = conversations;
  const runningOf = (id: string): readonly Conversation[] =>
    conversations.live.flatMap(({ account, conversation }) =>
      account.id === id && canStop(conversation.state) ? conversation : [],
    );
  const questionsOf = (account: string) =>
    pendingQuestions.listOpen().filter(({ question }) => question.account === account);
  return {
    isRunning: (account) => runningOf(account).length > 0,
    onDidChange: conversations.onDidChange,
    activity: async (account) => {
      const names = await fileNamesIn(account.store.paths.responses).catch(() => []);
      const heads = await conversations.list(account).catch(() => []);
      const responding = new Set(names.map(conversationOf));
      // Runs of other windows, or without a window, have a response file. The file of a run that ended may be left.
      const elsewhere = heads.filter(
        ({ id, state }) => state === 'working' && responding.has(toFileName(id)),
      );
      return {
        runs: new Set([...runningOf(account.id), ...elsewhere].map(({ id }) => id)).size,
        questions: questionsOf(account.id).length,
      };
    },
    stop: async (account) => {
      await Promise.all(runningOf(account.id).map((conversation) => conversation.stopRun()));
      // This leaves the questions of conversations that are not open here.
      for (const { question } of questionsOf(account.id))
        pendingQuestions.endQuestion(question.id, { kind: 'run-ended' });
      // This also ends runs without a window.
      await removeResponses(account, log);
      await conversations.flush();
    },
  };
}
