import { l10n } from 'vscode';
import type { Answer, ApiError } from '../../api/index.ts';
import type { FieldInput } from '../../conversation/questions/fieldPlan.ts';
import {
  AUTO_ANSWER,
  type PendingQuestion,
  type RecordedAnswer,
} from '../../conversation/questions/types.ts';
import type { EditText } from '../../platform/dialogs/editText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { BoxButton, PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import {
  answerFailureMessage,
  answerLabel,
  earlierDecisionsLabel,
  shownInternName,
  quotedStatement,
  timeIsUpMessage,
} from './questionText.ts';
import { formatSentences } from '../../platform/text/format.ts';

export interface DialogContext {
  readonly dialogs: Dialogs;
  readonly question: PendingQuestion;
  /** Milliseconds until the question expires. */
  readonly timeLeftMs: () => number;
  /** The service's refusal of the last answer; null without one. */
  readonly error: ApiError | null;
  /** The first answer that may have been received; null without one. */
  readonly maybeReceived: RecordedAnswer | null;
  /** Closes the dialog when the question is over. */
  readonly signal: AbortSignal;
  readonly editText: EditText;
  readonly drafts: QuestionDrafts;
  /** Shows the whole question beside the open dialog; undefined if the dialog has room for all of it. Never rejects. */
  readonly showWhole?: (() => Promise<void>) | undefined;
}

/** The input of each field, in their order; undefined for a field that was not reached. */
export type Inputs = readonly (FieldInput | undefined)[];

/** The drafts of a question's dialogs until it is over. In memory only: values of answers are not stored. */
export interface QuestionDrafts {
  elicitation?: {
    readonly inputs: Inputs;
    /** The ID of the step that was shown last. */
    readonly step: string;
  };
  /** The reason for a rejection that was not sent. */
  reason?: string;
  /** The hash of the value that was last taken from the clipboard. */
  clipboardHash?: string;
  wasWholeTextShown?: boolean;
  /** True once all fields were asked. */
  wasReviewed?: boolean;
}

/** How the user left a question's dialog. Without an answer the question stays pending. */
export type QuestionResult =
  | {
      readonly answer: Answer;
      /** Explains a rejection; it is the next prompt. */
      readonly reason?: string | undefined;
    }
  | 'hidden'
  | 'conversation';

/** The line below a dialog: how to leave the dialog, or that the time of its question is up. */
export function dialogHint({ question, timeLeftMs }: DialogContext): string {
  if (timeLeftMs() === 0) return timeIsUpMessage(question);
  return l10n.t('Use the arrow keys. Escape keeps the question open.');
}

export const conversationButton = (): BoxButton => ({
  id: 'conversation',
  label: l10n.t('Show Conversation'),
  icon: 'comment-discussion',
});

/** The buttons of an elicitation's fields and of its review. */
export function elicitationButtons({ showWhole }: DialogContext): readonly BoxButton[] {
  if (showWhole === undefined) return [conversationButton()];
  const label = l10n.t('Show Full Question');
  return [{ id: 'whole', label, icon: 'go-to-file', run: showWhole }, conversationButton()];
}

/** The first row of a permission: the intern's last words, which open the conversation, and earlier decisions. */
export function contextRows({ question }: DialogContext): readonly PickRow<'conversation'>[] {
  const words = quotedStatement(question);
  const decided = earlierDecisionsLabel(question);
  if (words === '' && decided === '') return [];
  if (words === '')
    return [{ note: decided, detail: l10n.t('Decided earlier in this conversation') }];
  const unchecked = l10n.t('The intern’s words, not verified');
  const use = l10n.t('Select to open the conversation');
  return [
    {
      label: l10n.t('{0} said: {1}', shownInternName(question), words),
      // A long row is cut at its end, so the hint comes last.
      detail: [unchecked, decided, use].filter(Boolean).join(' · '),
      icon: 'comment',
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
export function earlierAnswerRows({
  question,
  maybeReceived,
  error,
}: DialogContext): readonly PickRow<never>[] {
  const rows: PickRow<never>[] = [];
  if (maybeReceived !== null) {
    const label = answerLabel(question, maybeReceived.how);
    const note =
      maybeReceived.by === AUTO_ANSWER
        ? l10n.t('An automatic answer ({0}) may have been received', label)
        : l10n.t('Your earlier answer ({0}) may have been received', label);
    const detail = l10n.t('You can answer again. The service accepts only one answer.');
    rows.push({ note, detail, icon: 'warning' });
  }
  if (error !== null) {
    const { title, detail, serviceQuote } = explainFailure(error);
    const reason = answerFailureMessage(error);
    const more = reason === undefined ? formatSentences([serviceQuote, detail]) : '';
    const note = plainLine(reason ?? title, 500);
    rows.push({ note, detail: plainLine(more, 500), icon: 'error' });
  }
  return rows;
}
