import { commands, l10n, window } from 'vscode';
import type { ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { CANCEL_CHOICE } from '../../conversation/questions/permission.ts';
import type { TrackedQuestion } from '../../conversation/questions/pendingQuestions.ts';
import {
  AUTO_ANSWER,
  type AnswerOutcome,
  type PendingQuestion,
  type MaybeReceived,
} from '../../conversation/questions/types.ts';
import { showStatusMessage } from '../../platform/dialogs/statusMessage.ts';
import { plainLine, plainText } from '../../platform/dialogs/plainText.ts';
import { actionLabel, explainFailure } from '../../platform/text/failures.ts';
import { explanationMessage } from '../../platform/text/reportFailure.ts';
import { MAX_TEXT_CHARACTERS, quotedOperation } from '../../platform/text/operations.ts';
import type { QuestionsPorts } from './presenter.ts';
import { answerFailureMessage, answerLabel, shownInternName } from './questionText.ts';
import { formatSentences } from '../../platform/text/format.ts';

export interface OutcomeActions extends Pick<
  QuestionsPorts['chats'],
  'show' | 'compose' | 'isEndSeen'
> {
  readonly answer: (question: PendingQuestion) => void;
}

/**
 * Shows the outcome of an answer from a dialog, unless the user sees it in the chat, where the message would cover the
 * composer. Resolves when the message is closed.
 */
export async function showOutcome(
  question: PendingQuestion,
  outcome: AnswerOutcome,
  actions: OutcomeActions,
): Promise<void> {
  if (actions.isEndSeen(question.conversation)) return;
  const name = shownInternName(question);
  const answer = { title: l10n.t('Answer'), run: actions.answer };
  const show = { title: l10n.t('Show Conversation'), run: actions.show };
  const signIn = {
    title: actionLabel('signIn'),
    run: ({ account }: PendingQuestion) =>
      void commands.executeCommand('interns.signIn', { account }),
  };
  const again = {
    title: l10n.t('Ask Again'),
    run: () => actions.compose(question, askAgainPrompt(question)),
  };
  switch (outcome.kind) {
    case 'refused': {
      const { error, maybeReceived } = outcome;
      const text = maybeReceived
        ? receivedMessage(question, maybeReceived)
        : l10n.t('{0} didn’t get your answer. The question is still open.', name);
      const message = plainText(formatSentences([text, reasonMessage(error)]));
      const isOfKey = explainFailure(error).actions.includes('signIn');
      const offered = isOfKey ? [signIn, answer, show] : [answer, show];
      (await window.showErrorMessage(message, ...offered))?.run(question);
      return;
    }
    case 'gone': {
      const text = l10n.t('{0}’s question has closed. Your answer wasn’t used.', name);
      const message = plainText(formatSentences([text, reasonMessage(outcome.error)]));
      (await window.showWarningMessage(message, again, show))?.run(question);
      return;
    }
    case 'maybe-answered': {
      const closed = l10n.t('The question has closed.');
      const message = plainText(formatSentences([receivedMessage(question, outcome), closed]));
      (await window.showWarningMessage(message, show, again))?.run(question);
      return;
    }
    default:
      // The conversation shows the other outcomes.
      return;
  }
}

function receivedMessage(question: PendingQuestion, { how, by, isEarlier }: MaybeReceived): string {
  const name = shownInternName(question);
  if (!isEarlier) return l10n.t('Your answer to {0} may have been received.', name);
  const answer = answerLabel(question, how);
  return by === AUTO_ANSWER
    ? l10n.t('An automatic answer to {0} ({1}) may have been received.', name, answer)
    : l10n.t('Your earlier answer to {0} ({1}) may have been received.', name, answer);
}

/** Says why an answer failed, and what the user can do. */
function reasonMessage(error: ApiError): string {
  return answerFailureMessage(error) ?? explanationMessage(explainFailure(error));
}

/** Returns a prompt that asks the intern to repeat its question. */
function askAgainPrompt({ question }: PendingQuestion): string {
  return question.kind === 'permission'
    ? l10n.t(
        'Your request to use {0} closed before I answered. Please ask again.',
        quotedOperation(question.operation),
      )
    : l10n.t(
        'Your question “{0}” closed before I answered. Please ask again.',
        plainLine(question.message, MAX_TEXT_CHARACTERS),
      );
}

/** Questions that expire within this many ms of each other get one message. */
const EXPIRY_BATCH_MS = 10_000;

/** Returns a listener that shows messages when questions expire, or end without an answer from this window. */
export function createEndingMessages(
  { answer, show: showChat }: OutcomeActions,
  clock: Clock,
): (tracked: TrackedQuestion) => void {
  /** Expired questions that wait. */
  const late = new Set<string>();
  let messageAt = Number.NEGATIVE_INFINITY;
  const show = { title: l10n.t('Show Conversation'), run: showChat };
  const showTimeIsUp = async (question: PendingQuestion) => {
    const now = clock.monotonic();
    if (now - messageAt < EXPIRY_BATCH_MS) return;
    messageAt = now;
    const text = l10n.t('The time to answer {0} is up.', shownInternName(question));
    const more = l10n.t('The run was probably canceled. You can still try to answer.');
    const anyway = { title: l10n.t('Answer Anyway'), run: answer };
    const message = formatSentences([text, more]);
    (await window.showWarningMessage(message, anyway, show))?.run(question);
  };
  const showNotAnswered = async (question: PendingQuestion, how: string) => {
    const name = shownInternName(question);
    const text =
      how === CANCEL_CHOICE
        ? l10n.t('{0}’s question wasn’t answered and was canceled automatically.', name)
        : l10n.t('{0}’s question wasn’t answered and was rejected automatically.', name);
    (await window.showInformationMessage(text, show))?.run(question);
  };
  return (tracked) => {
    const { question, ending, isCountedAsWaiting } = tracked;
    const wasLate = late.delete(question.id);
    if (tracked.isWaiting && tracked.isLate) {
      late.add(question.id);
      if (!wasLate && isCountedAsWaiting) void showTimeIsUp(question);
    } else if (ending?.kind === 'answered' && ending.by === AUTO_ANSWER)
      void showNotAnswered(question, ending.how);
    else if (ending?.kind === 'elsewhere')
      showStatusMessage(
        l10n.t('{0}’s question was closed in another window.', shownInternName(question)),
      );
  };
}
