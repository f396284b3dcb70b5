/**
 * Runs the conversations and questions of one window, without VS Code, as a process that takes commands from its parent:
 * `node questionProcess.ts FOLDER SERVICE_URL WINDOW`.
 */
import { join } from 'node:path';
import { createServiceClient, parseApiRoot } from '../../../../src/api/index.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { AnswerOutcome, QuestionStage } from '../../../../src/conversation/questions/types.ts';
import type { Account, Accounts } from '../../../../src/features/accounts/account.ts';
import { Conversations } from '../../../../src/features/conversations/conversations.ts';
import type { InternModel } from '../../../../src/features/interns/internModel.ts';
import { eventually } from '../../../harness/until.ts';
import { ALLOW } from '../../conversation/questions/fakes.ts';
import { nodeWatcher } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

export type Command = { readonly id: number } &
  /** `ask` is done when the question is visible in all windows. */
  (
    | { readonly do: 'ask' }
    | { readonly do: 'look' }
    | { readonly do: 'answer'; readonly question: string }
  );

/** Sent when a command is done. */
export interface Done {
  readonly id: number;
  /** Open questions, after `look`. */
  readonly open?: readonly { readonly id: string; readonly stage: QuestionStage }[];
  /** After `answer`; `none` if nothing was sent. */
  readonly outcome?: AnswerOutcome['kind'] | 'none';
}

async function main([folder = '', url = '', window = '']: readonly string[]): Promise<void> {
  const root = parseApiRoot(url);
  if (!root.ok) throw new Error('The service has no root');
  const client = createServiceClient({ root: root.value, key: () => 'test-key-owner' });
  const store = { conversationsDir: join(folder, 'conversations') };
  const account = { id: 'account-1', state: 'ready', store } as Account;
  const accounts = {
    all: [account],
    get: () => account,
    client: () => client,
    onDidChange: new Emitter<void>().event,
  } as unknown as Accounts;
  const shared = {
    ...{ accounts, clock: systemClock, watch: nodeWatcher, window },
    ...{ reportUnreadable: () => undefined, log: new RecordingLog() },
  };
  const interns = {
    list: () => Promise.resolve([]),
    name: () => 'ada',
    recordStatus: () => Promise.resolve(),
  } as unknown as InternModel;
  const conversations = new Conversations({
    ...shared,
    interns,
    settings: { approvalMode: 'manual' },
  });
  const pendingQuestions = conversations.pending;
  await pendingQuestions.synchronize();

  const carryOut = async (command: Command): Promise<Omit<Done, 'id'>> => {
    switch (command.do) {
      case 'ask': {
        const { conversation } = conversations.create(account, 'intern_ada');
        const prompt = { text: 'ask permission', sent: 'ask permission', attachments: [] };
        conversation.send({ type: 'submit', prompt });
        await eventually(
          () =>
            conversation.transcript.openQuestions.length > 0 ||
            conversation.state.phase.kind === 'idle',
        );
        await conversations.flush();
        return {};
      }
      case 'look':
        await pendingQuestions.synchronize();
        return {
          open: pendingQuestions.open().map(({ question, stage }) => ({ id: question.id, stage })),
        };
      case 'answer': {
        const outcome = await pendingQuestions.answer(command.question, ALLOW);
        return { outcome: outcome?.kind ?? 'none' };
      }
    }
  };
  process.on('message', (command: Command) => {
    void carryOut(command).then((done) => process.send?.({ id: command.id, ...done }));
  });
  process.send?.({ id: 0 });
}

await main(process.argv.slice(2));
