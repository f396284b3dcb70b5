import { CancellationError, l10n, type CancellationToken } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import { failureDetails } from '../../conversation/machine/failures.ts';
import { DISCONNECT_NOTICE_MS } from '../../conversation/machine/state.ts';
import type { ReplyMessage } from '../../conversation/messages.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { explanationMessage, UserError } from '../../platform/text/reportFailure.ts';
import type { Conversations, OpenConversation } from '../conversations/conversations.ts';

/** How long a run may wait for its user, in ms. After that the service has canceled the question. */
const MAX_WAIT_MS = INTERACTION_DEADLINE_MS + DISCONNECT_NOTICE_MS;

interface RunPorts {
  readonly conversations: Pick<Conversations, 'onDidChangeDeletion'>;
  readonly clock: Pick<Clock, 'setTimeout'>;
}

/**
 * Sends a prompt in a new conversation and returns the text of the reply.
 *
 * @param token Stops the run.
 * @throws UserError if the run failed or a question expired; CancellationError after a cancellation
 */
export async function runOnce(
  open: OpenConversation,
  text: string,
  token: CancellationToken,
  { conversations, clock }: RunPorts,
): Promise<string> {
  const { conversation } = open;
  const waiting = new DisposableStore();
  let runningOut: Disposable | undefined;
  const reply = await new Promise<ReplyMessage | undefined>((resolve) => {
    conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
    const run = conversation.transcript.lastPrompt?.run ?? '';
    const look = (): void => {
      const now = conversation.transcript.reply(run);
      if (now?.endedAt !== null) resolve(now);
      else if (conversation.state.phase.kind === 'paused')
        runningOut ??= clock.setTimeout(() => resolve(now), MAX_WAIT_MS);
      else {
        runningOut?.dispose();
        runningOut = undefined;
      }
    };
    waiting.add({ dispose: () => runningOut?.dispose() });
    waiting.add(conversation.onDidChange(look));
    waiting.add(
      conversations.onDidChangeDeletion((deleted) => {
        if (deleted === open) resolve(undefined);
      }),
    );
    waiting.add(token.onCancellationRequested(() => conversation.send({ type: 'stop' })));
    look();
  }).finally(() => waiting.dispose());
  if (token.isCancellationRequested) throw new CancellationError();
  if (reply?.state === 'done') return textOf(reply);
  throw new UserError(endingOf(reply));
}

function textOf({ parts }: ReplyMessage): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}

function endingOf(reply: ReplyMessage | undefined): string {
  if (reply?.failure)
    return explanationMessage(
      explainFailure(failureDetails(reply.failure), reply.endedAt ?? reply.at),
    );
  if (reply?.state === 'waiting')
    return l10n.t('The intern’s question wasn’t answered. The run may be canceled.');
  if (reply?.state === 'cut') return l10n.t('The run was interrupted before it ended.');
  return l10n.t('The run was stopped before it ended.');
}
