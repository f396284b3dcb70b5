import { l10n, ThemeIcon } from 'vscode';
import type { Answer, ApiError } from '../../api/index.ts';
import { AUTO_ANSWER, type RecordedAnswer } from '../../conversation/questions/types.ts';
import type { EditText } from '../../platform/dialogs/editText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { BoxButton, PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import {
  answerLabel,
  earlierDecisionsLabel,
  shownInternName,
  quotedStatement,
  type TimedQuestion,
} from './questionText.ts';

export interface DialogContext extends TimedQuestion {
  readonly dialogs: Dialogs;
  /** The service's refusal of the last answer; null without one. */
  readonly error: ApiError | null;
  /** The first answer that may have been received; null without one. */
  readonly maybeReceived: RecordedAnswer | null;
  /** Closes the dialog when the question is over. */
  readonly signal: AbortSignal;
  readonly editText: EditText;
  /** Called with a value that was taken from the clipboard. */
  readonly onClipboardRead: (text: string) => void;
  /** Undefined if the dialog has room for all of the question. */
  readonly whole?: WholeText | undefined;
}

/** The whole text of a question that is cut in its dialog. */
export interface WholeText {
  readonly wasShown: () => boolean;
  /** Shows the text beside the open dialog. Never rejects. */
  readonly show: () => Promise<void>;
}

/** Rejects the operation once, with a reason that is the next prompt. */
export interface Rejection {
  readonly kind: 'rejection';
  readonly reason: string;
}

/** How the user left a question's dialog. Without an answer the question stays pending. */
export type QuestionResult = Answer | Rejection | 'hidden' | 'conversation';

/** The draft of an open question. In memory only: an answer's values go only to the service. */
export interface DraftKeeper<T> {
  read(): T | undefined;
  write(draft: T): void;
}

export const conversationButton = (): BoxButton => ({
  id: 'conversation',
  label: l10n.t('Show Conversation'),
  icon: 'comment-discussion',
});

/** The buttons of an elicitation's fields and of its review. */
export function elicitationButtons({ whole }: DialogContext): readonly BoxButton[] {
  if (whole === undefined) return [conversationButton()];
  const label = l10n.t('Show Full Question');
  return [{ id: 'whole', label, icon: 'go-to-file', run: whole.show }, conversationButton()];
}

/**
 * The first row of a permission: the intern's last words and earlier decisions. Selecting it shows the conversation.
 * Without words it cannot be selected.
 */
export function contextRows({ question }: DialogContext): readonly PickRow<'conversation'>[] {
  const words = quotedStatement(question);
  const decided = earlierDecisionsLabel(question);
  if (words === '')
    return decided === ''
      ? []
      : [{ note: decided, detail: l10n.t('Decided earlier in this conversation') }];
  const unchecked = l10n.t('The intern’s words, not verified');
  const use = l10n.t('Select to open the conversation');
  return [
    {
      label: l10n.t('{0} said: {1}', shownInternName(question), words),
      // A long row is cut at its end, so the hint comes last.
      detail: [unchecked, decided, use].filter(Boolean).join(' · '),
      icon: new ThemeIcon('comment'),
      value: 'conversation',
    },
  ];
}

/** The intern's last words, for a dialog without a row for them; empty if there are none. */
export function lastStatementLabel({ question }: DialogContext): string {
  const words = quotedStatement(question);
  return words === ''
    ? ''
    : l10n.t('{0} said (not verified): {1}', shownInternName(question), words);
}

/** Notes on earlier answers: which one may have been received, and why the last one failed. */
export function earlierAnswerRows(context: DialogContext): readonly PickRow<never>[] {
  return [...receivedRows(context), ...failureRows(context)];
}

function receivedRows({ question, maybeReceived }: DialogContext): readonly PickRow<never>[] {
  if (maybeReceived === null) return [];
  const { how, by } = maybeReceived;
  const label = answerLabel(question, how);
  return [
    {
      note:
        by === AUTO_ANSWER
          ? l10n.t('An automatic answer ({0}) may have been received', label)
          : l10n.t('Your earlier answer ({0}) may have been received', label),
      detail: l10n.t('You can answer again. The service accepts only one answer.'),
      icon: new ThemeIcon('warning'),
    },
  ];
}

function failureRows({ error }: DialogContext): readonly PickRow<never>[] {
  if (error === null) return [];
  const { title, detail, serviceMessage } = explainFailure(error);
  const said = serviceMessage && l10n.t('The service says: “{0}”', serviceMessage);
  return [
    {
      note: plainLine(title),
      detail: plainLine([said, detail].filter(Boolean).join(' '), 500),
      icon: new ThemeIcon('error'),
    },
  ];
}
