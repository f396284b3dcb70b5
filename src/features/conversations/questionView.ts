import { l10n } from 'vscode';
import { questionDeadline } from '../../base/limits.ts';
import { CANCEL_CHOICE } from '../../conversation/questions/permission.ts';
import { AUTO_ANSWER, type RecordedAnswer } from '../../conversation/questions/types.ts';
import type { WhenUnanswered } from '../../conversation/questions/unanswered.ts';
import type { StoredFailure } from '../../conversation/journal.ts';
import { failureDetails } from '../../conversation/machine/failures.ts';
import { findMaybeReceived, type QuestionPart } from '../../conversation/messages.ts';
import type { ActionView, QuestionView } from '../../protocol/view.ts';
import { choiceLabel, unansweredMessage, wholeQuestionText } from '../questions/questionText.ts';
import { quotedOperation } from '../../platform/text/operations.ts';
import { actionView, explainFailure } from '../../platform/text/failures.ts';
import { asSentence, formatSentences } from '../../platform/text/format.ts';

/**
 * Returns the card of a question.
 *
 * @param isAsked whether the question is the one that is asked now, and its run is open here
 * @param deadline the end of its countdown, epoch ms
 */
export function questionView(
  part: QuestionPart,
  isAsked: boolean,
  whenUnanswered: WhenUnanswered = 'expire',
  deadline = questionDeadline(part),
): QuestionView {
  const { question } = part;
  const pending = isAsked && part.stage !== 'over' && question.kind !== 'unreadable';
  return {
    id: part.id,
    kind: question.kind,
    title: titleOf(part),
    detail: detailOf(part),
    pending,
    stateMessage: stateMessage(part, isAsked, whenUnanswered),
    ...(pending ? { deadline } : {}),
    actions: actionsOf(part, pending),
  };
}

function titleOf({ question }: QuestionPart): string {
  if (question.kind === 'permission')
    return l10n.t('Allow {0}?', quotedOperation(question.operation));
  return question.kind === 'elicitation'
    ? l10n.t('The intern has a question')
    : l10n.t('A question that can’t be displayed');
}

function detailOf({ question, call }: QuestionPart): string {
  if (question.kind === 'permission') return wholeQuestionText(question) ?? '';
  return question.kind === 'elicitation' ? question.message : `${call.name}\n${call.arguments}`;
}

function stateMessage(
  part: QuestionPart,
  isAsked: boolean,
  whenUnanswered: WhenUnanswered,
): string {
  if (part.question.kind === 'unreadable') return unreadableMessage(part);
  switch (part.stage) {
    case 'over':
      if (part.answer?.by === AUTO_ANSWER) return automaticallyClosedMessage(part);
      return part.ending === 'answered' ? answerMessage(part.answer?.how) : closedMessage(part);
    case 'sending':
      // The window that sent the answer is gone.
      if (isAsked) return failedMessage(part);
      return part.answer?.by === AUTO_ANSWER
        ? l10n.t('Not answered. Sending an automatic answer…')
        : l10n.t('Sending your answer');
    case 'refused':
      return failedMessage(part);
    case 'open': {
      if (!isAsked) return l10n.t('Answer the question above first');
      const unanswered = unansweredMessage(whenUnanswered);
      return unanswered === undefined
        ? l10n.t('Waiting for you')
        : l10n.t('Waiting for you. {0}', unanswered);
    }
  }
}

/** Says whether a failed answer may have been received, why it failed, and what to do. */
function failedMessage(part: QuestionPart): string {
  const maybeReceived = findMaybeReceived(part, part.stage === 'refused');
  return formatSentences([
    maybeReceived === null ? refusedMessage(part) : receivedMessage(maybeReceived),
    part.failure && failureReasonMessage(part.failure),
  ]);
}

function refusedMessage({ answer }: QuestionPart): string {
  if (answer?.by === AUTO_ANSWER)
    return l10n.t(
      'Not answered. The service refused the automatic answer. Answer the question yourself.',
    );
  return answer?.how === CANCEL_CHOICE
    ? l10n.t('The service refused the cancellation. Answer, or stop the run again.')
    : l10n.t('The service refused the answer. Answer again.');
}

function receivedMessage({ how, by }: RecordedAnswer): string {
  if (by === AUTO_ANSWER)
    return l10n.t('Not answered. An automatic answer may have been received. You can answer.');
  return how === CANCEL_CHOICE
    ? l10n.t('The cancellation may have been received. Answer, or stop the run again.')
    : l10n.t('Your answer may have been received. You can answer again.');
}

/** Returns why an answer failed, with the service's own sentence. */
export function failureReasonMessage(failure: StoredFailure): string {
  const { title, serviceQuote } = explainFailure(failureDetails(failure));
  return formatSentences([asSentence(title), serviceQuote]);
}

function automaticallyClosedMessage(part: QuestionPart): string {
  switch (part.ending) {
    case 'answered':
      if (part.answer?.how === CANCEL_CHOICE)
        return l10n.t('Not answered. Canceled automatically.');
      return part.answer?.how === 'decline'
        ? l10n.t('Not answered. Declined automatically.')
        : l10n.t('Not answered. Rejected automatically.');
    case 'maybe-answered':
      return automaticAnswerReceivedMessage();
    case 'abandoned':
      return l10n.t(
        'Not answered. The run stopped during an automatic answer, which may have been received.',
      );
    default:
      return closedMessage(part);
  }
}

function automaticAnswerReceivedMessage(): string {
  return l10n.t(
    'Not answered. An automatic answer may have been received. The question has closed.',
  );
}

/** Returns the state of a question that this version cannot read, and cancels by itself. */
function unreadableMessage(part: QuestionPart): string {
  if (part.stage !== 'over') return l10n.t('Canceling a question that can’t be displayed…');
  return part.ending === 'answered'
    ? l10n.t('Canceled: the question couldn’t be displayed')
    : closedMessage(part);
}

function answerMessage(how = ''): string {
  const texts = new Map([
    ['allow_once', l10n.t('Allowed once')],
    ['allow_always', l10n.t('Allowed always')],
    ['reject_once', l10n.t('Rejected once')],
    ['reject_always', l10n.t('Rejected always')],
    ['accept', l10n.t('Answered')],
    ['decline', l10n.t('Declined')],
    ['cancel', l10n.t('Canceled')],
  ]);
  return texts.get(how) ?? l10n.t('Answered: {0}', choiceLabel(how));
}

function closedMessage({ ending, maybeReceived }: QuestionPart): string {
  switch (ending) {
    case 'expired':
      return l10n.t('Not answered in time');
    case 'maybe-answered':
      return maybeReceived?.by === AUTO_ANSWER
        ? automaticAnswerReceivedMessage()
        : l10n.t('Your answer may have been received. The question has closed.');
    case 'abandoned':
      return l10n.t(
        'You stopped the run while your answer was being sent. It may have been received.',
      );
    case 'given-up':
      return maybeReceived === null
        ? l10n.t('You gave up on the question')
        : l10n.t('You gave up on the question. Your answer may have been received.');
    case 'run-ended':
      return l10n.t('The run ended before you answered');
    case 'unanswerable':
      return l10n.t('This question can’t be answered. It will expire.');
    default:
      return l10n.t('The intern no longer needs an answer');
  }
}

function actionsOf(part: QuestionPart, pending: boolean): readonly ActionView[] {
  if (pending) return [actionView('answer')];
  const isAnsweredAutomatically = part.ending === 'answered' || part.ending === 'maybe-answered';
  if (part.answer?.by === AUTO_ANSWER && isAnsweredAutomatically)
    return part.isReportedToIntern ? [] : [actionView('tellIntern')];
  const canAskAgain = part.ending === 'gone' || part.ending === 'expired';
  return canAskAgain ? [actionView('askAgain')] : [];
}
