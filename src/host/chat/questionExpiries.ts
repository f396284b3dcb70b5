import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { QuestionChange } from '../../chat/questions/types.ts';
import type { Log } from '../log/log.ts';
import type { Conversations } from './conversations.ts';

/** Records in their conversations which questions nobody answered: one that is not told would wait for ever. */
export function recordExpiries(
  onDidChange: Event<QuestionChange>,
  conversations: Pick<Conversations, 'expire'>,
  log: Pick<Log, 'warn'>,
): Disposable {
  return onDidChange(({ question, ending }) => {
    if (ending?.kind !== 'expired') return;
    conversations.expire(question).catch((failure: unknown) => {
      log.warn(`Could not record the end of question ${question.id}`, failure);
    });
  });
}
