import { l10n } from 'vscode';
import { CANCEL } from '../../chat/questions/permission.ts';
import { formatTimeLeft } from '../../base/timeLeft.ts';
import type { PendingQuestion } from '../../chat/questions/types.ts';
import { plainLine } from '../dialogs/plainText.ts';

/** Longest piece of service text in a title or a prompt, in characters. */
export const TEXT_LIMIT = 300;

/** Longest text of an option in its row, in characters. */
export const OPTION_LIMIT = 200;

/** The intern's name, inert and on one line. */
export function internName({ internName: name }: PendingQuestion): string {
  return plainLine(name, 80);
}

/** `4:59`, or that the time is up. */
export function timeText(left: number): string {
  return left === 0 ? l10n.t('time is up') : formatTimeLeft(left);
}

/** The operation that a permission is for. */
export function operationName(operation: string | null): string {
  return operation === null || operation.trim() === ''
    ? l10n.t('an unnamed tool')
    : plainLine(operation, TEXT_LIMIT);
}

/** What is asked, in one line without a full stop. */
export function questionLine(pending: PendingQuestion): string {
  const { question } = pending;
  const name = internName(pending);
  switch (question.kind) {
    case 'permission':
      return l10n.t('{0} asks to use {1}', name, operationName(question.operation));
    case 'elicitation':
      return question.message.trim() === ''
        ? l10n.t('{0} asks a question', name)
        : l10n.t('{0} asks: {1}', name, plainLine(question.message, TEXT_LIMIT));
    case 'unreadable':
      return l10n.t('{0} asks something that cannot be read', name);
  }
}

/** The row of a permission that gives an answer; an option that is not known comes verbatim. */
export function choiceLabel(choice: string): string {
  switch (choice) {
    case 'allow_once':
      return l10n.t('Allow once');
    case 'allow_always':
      return l10n.t('Allow always');
    case 'reject_once':
      return l10n.t('Reject once');
    case 'reject_always':
      return l10n.t('Reject always');
    case CANCEL:
      return l10n.t('Cancel the question');
    default:
      return plainLine(choice);
  }
}

/** What gave an answer, as its dialog calls it; `how` is the way of the answer. */
export function answerLabel({ question }: PendingQuestion, how: string): string {
  if (question.kind === 'permission' || how === CANCEL) return choiceLabel(how);
  return how === 'accept' ? l10n.t('Accept') : l10n.t('Decline');
}

/** That nobody can be sure any more whether an answer counts. */
export function timeIsUp(pending: PendingQuestion): string {
  return l10n.t('{0} has probably cancelled the question. You can still try.', internName(pending));
}

/** What a dialog says in its box: how to leave it, or that its time ran out. */
export function dialogHint(pending: PendingQuestion, left: number): string {
  return left === 0
    ? timeIsUp(pending)
    : l10n.t('Choose with the arrow keys. Escape keeps the question open.');
}
