import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { QuestionChange } from '../../chat/questions/types.ts';
import type { Log } from '../log/log.ts';
import type { Conversations } from './conversations.ts';

/**
 * Records in their conversations which questions ended though no answer of this window's ended them: a conversation that
 * is not told would wait for ever.
 */
export function recordEndings(
  onDidChange: Event<QuestionChange>,
  conversations: Pick<Conversations, 'close'>,
  log: Pick<Log, 'warn'>,
): Disposable {
  return onDidChange(({ question, ending }) => {
    if (ending?.kind !== 'expired' && ending?.kind !== 'maybe-answered') return;
    conversations.close(question, ending.kind).catch((failure: unknown) => {
      log.warn(`Could not record the end of question ${question.id}`, failure);
    });
  });
}
