import { l10n } from 'vscode';
import { interactionDeadlineMs } from '../../../chat/conversation/state.ts';
import type { QuestionPart } from '../../../chat/transcript.ts';
import type { ActionView, QuestionView } from '../../../protocol/view.ts';
import { actionView } from '../../words/actions.ts';

/** A question as a card in the transcript. `isAsked`: it is this question's turn, and its run is open here. */
export function questionView(part: QuestionPart, isAsked: boolean): QuestionView {
  const { question } = part;
  const isOpen = part.state === 'pending' || part.state === 'answering';
  const pending = isAsked && isOpen && question.kind !== 'unreadable';
  return {
    id: part.id,
    kind: question.kind,
    title: titleOf(part),
    detail: detailOf(part),
    pending,
    stateText: stateText(part, isAsked),
    ...(pending ? { deadline: part.askedAt + interactionDeadlineMs } : {}),
    actions: actionsOf(part, pending),
  };
}

function titleOf({ question }: QuestionPart): string {
  switch (question.kind) {
    case 'permission':
      return question.operation === null
        ? l10n.t('May an unnamed tool run?')
        : l10n.t('May {0} run?', question.operation);
    case 'elicitation':
      return l10n.t('The intern has a question');
    case 'unreadable':
      return l10n.t('A question that cannot be read');
  }
}

function detailOf({ question, call }: QuestionPart): string {
  switch (question.kind) {
    case 'permission':
      return '';
    case 'elicitation':
      return question.message;
    case 'unreadable':
      return `${call.name}\n${call.arguments}`;
  }
}

function stateText(part: QuestionPart, isAsked: boolean): string {
  switch (part.state) {
    case 'answered':
      return answerText(part.how);
    case 'answering':
      // Nobody is sending one while it is this question's turn: the window that was is gone.
      return isAsked
        ? l10n.t('Nobody can say whether your answer arrived. Answer again.')
        : l10n.t('Sending your answer');
    case 'closed':
      return closedText(part);
    case 'pending':
      if (part.question.kind === 'unreadable')
        return l10n.t('Nothing was sent. It will expire on the service.');
      if (part.failure !== null)
        return l10n.t('The service did not take the answer. Answer again.');
      return isAsked ? l10n.t('Waiting for you') : l10n.t('Asked after the question before it');
  }
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

function closedText({ why }: QuestionPart): string {
  switch (why) {
    case 'expired':
      return l10n.t('Not answered in time');
    case 'maybe-answered':
      return l10n.t('Probably answered: the service no longer waits');
    case 'abandoned':
      return l10n.t(
        'You stopped the run while your answer was on its way. Nobody can say whether it arrived.',
      );
    case 'run-ended':
      return l10n.t('The run ended before an answer');
    case 'unanswerable':
      return l10n.t('It cannot be answered, and will expire on the service');
    case 'gone':
    case null:
      return l10n.t('The intern no longer waits for an answer');
  }
}

function actionsOf(part: QuestionPart, pending: boolean): readonly ActionView[] {
  if (pending) return [actionView('answer')];
  const isOver = part.state === 'closed' && (part.why === 'gone' || part.why === 'expired');
  return isOver ? [actionView('askAgain')] : [];
}
