import { l10n } from 'vscode';
import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import { CANCEL } from '../../conversation/questions/permission.ts';
import { NOBODY } from '../../conversation/questions/types.ts';
import type { WhenUnanswered } from '../../conversation/questions/unanswered.ts';
import type { QuestionPart } from '../../conversation/messages.ts';
import type { ActionView, QuestionView } from '../../protocol/view.ts';
import { wholeTextOf } from '../questions/wholeTexts.ts';
import { unansweredText } from '../questions/words.ts';
import { quotedOperation } from '../../platform/words/operations.ts';
import { actionView } from '../../platform/words/actions.ts';

/**
 * A question as a card in the transcript. `isAsked`: it is this question's turn, and its run is open here; `whenUnanswered`
 * is what its conversation says of questions that nobody answers.
 */
export function questionView(
  part: QuestionPart,
  isAsked: boolean,
  whenUnanswered: WhenUnanswered = 'expire',
): QuestionView {
  const { question } = part;
  const pending = isAsked && part.stage !== 'over' && question.kind !== 'unreadable';
  return {
    id: part.id,
    kind: question.kind,
    title: titleOf(part),
    detail: detailOf(part),
    pending,
    stateText:
      part.by === NOBODY ? nobodyText(part, isAsked) : stateText(part, isAsked, whenUnanswered),
    ...(pending ? { deadline: part.askedAt + INTERACTION_DEADLINE_MS } : {}),
    actions: actionsOf(part, pending),
  };
}

function titleOf({ question }: QuestionPart): string {
  switch (question.kind) {
    case 'permission':
      return l10n.t('May {0} run?', quotedOperation(question.operation));
    case 'elicitation':
      return l10n.t('The intern has a question');
    case 'unreadable':
      return l10n.t('A question that cannot be read');
  }
}

function detailOf({ question, call }: QuestionPart): string {
  switch (question.kind) {
    case 'permission':
      return wholeTextOf(question) ?? '';
    case 'elicitation':
      return question.message;
    case 'unreadable':
      return `${call.name}\n${call.arguments}`;
  }
}

function stateText(part: QuestionPart, isAsked: boolean, whenUnanswered: WhenUnanswered): string {
  if (part.question.kind === 'unreadable') return unreadableText(part);
  switch (part.stage) {
    case 'over':
      return part.ending === 'answered' ? answerText(part.how) : closedText(part);
    case 'sending':
      // Nobody is sending one while it is this question's turn: the window that was is gone.
      return isAsked
        ? l10n.t('It is not known whether your answer arrived. Answer again.')
        : l10n.t('Sending your answer');
    case 'refused':
      return part.how === 'cancel'
        ? l10n.t('The service did not take the cancellation. Answer, or stop the run again.')
        : l10n.t('The service did not take the answer. Answer again.');
    case 'open':
      return isAsked
        ? [l10n.t('Waiting for you'), unansweredText(whenUnanswered)].filter(Boolean).join('. ')
        : l10n.t('Asked once the question above is answered');
  }
}

/** Where a question stands that was answered for nobody: its user is not to be told that it was theirs. */
function nobodyText(part: QuestionPart, isAsked: boolean): string {
  switch (part.stage) {
    case 'over':
      return nobodyClosedText(part);
    case 'sending':
      return isAsked
        ? l10n.t(
            'Nobody answered. It is not known whether the automatic answer arrived: answer it yourself.',
          )
        : l10n.t('Nobody answered: sending an automatic answer');
    case 'refused':
    case 'open':
      return l10n.t(
        'Nobody answered, and the service did not take the automatic answer. Answer it yourself.',
      );
  }
}

function nobodyClosedText(part: QuestionPart): string {
  switch (part.ending) {
    case 'answered':
      if (part.how === CANCEL) return l10n.t('Nobody answered: it was cancelled automatically');
      return part.how === 'decline'
        ? l10n.t('Nobody answered: it was declined automatically')
        : l10n.t('Nobody answered: it was refused automatically');
    case 'maybe-answered':
      return l10n.t(
        'Nobody answered: an automatic answer was probably received, and the service no longer waits',
      );
    case 'abandoned':
      return l10n.t(
        'Nobody answered, and the run was stopped while an automatic answer was on its way. It is not known whether it arrived.',
      );
    default:
      return closedText(part);
  }
}

/** What became of a question that is cancelled without its user being asked. */
function unreadableText(part: QuestionPart): string {
  if (part.stage !== 'over') return l10n.t('Cancelling it: it could not be read');
  return part.ending === 'answered'
    ? l10n.t('Cancelled by this editor: it could not be read')
    : closedText(part);
}

function answerText(how: string | null): string {
  switch (how) {
    case 'allow_once':
      return l10n.t('Allowed once');
    case 'allow_always':
      return l10n.t('Allowed always');
    case 'reject_once':
      return l10n.t('Rejected once');
    case 'reject_always':
      return l10n.t('Rejected always');
    case 'accept':
      return l10n.t('Answered');
    case 'decline':
      return l10n.t('Declined');
    case 'cancel':
      return l10n.t('Cancelled');
    default:
      return l10n.t('Answered: {0}', how ?? '');
  }
}

function closedText({ ending }: QuestionPart): string {
  switch (ending) {
    case 'expired':
      return l10n.t('Not answered in time');
    case 'maybe-answered':
      return l10n.t('Probably answered: the service no longer waits');
    case 'abandoned':
      return l10n.t(
        'You stopped the run while your answer was on its way. It is not known whether it arrived.',
      );
    case 'run-ended':
      return l10n.t('The run ended before an answer');
    case 'unanswerable':
      return l10n.t('It cannot be answered, and will expire on the service');
    default:
      return l10n.t('The intern no longer waits for an answer');
  }
}

function actionsOf(part: QuestionPart, pending: boolean): readonly ActionView[] {
  if (pending) return [actionView('answer')];
  const isNobodys = part.ending === 'answered' || part.ending === 'maybe-answered';
  if (part.by === NOBODY && isNobodys) return part.isTold ? [] : [actionView('tellIntern')];
  const canAskAgain = part.ending === 'gone' || part.ending === 'expired';
  return canAskAgain ? [actionView('askAgain')] : [];
}
