/**
 * Runs the conversations and questions of one window, without VS Code, as a process that takes commands from its parent:
 * `node questionProcess.ts FOLDER SERVICE_URL WINDOW`.
 */
import type { AnswerOutcome, QuestionStage } from '../../../../src/conversation/questions/types.ts';
import { Conversations } from '../../../../src/features/conversations/conversations.ts';
import { eventually } from '../../../harness/until.ts';
import { conversationOptions } from '../../support/accountWindow.ts';
import { ALLOW } from '../../conversation/questions/fakes.ts';

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
  const options = conversationOptions(folder, url, window);
  const { account } = options;
  const conversations = new Conversations(options);
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
          open: pendingQuestions
            .listOpen()
            .map(({ question, stage }) => ({ id: question.id, stage })),
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
