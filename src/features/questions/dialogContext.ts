import { l10n, ThemeIcon } from 'vscode';
import type { Answer, ApiError } from '../../api/index.ts';
import { AUTO_ANSWER, type AnswerWay } from '../../conversation/questions/types.ts';
import type { EditText } from '../../platform/dialogs/editText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { BoxButton, PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { explainFailure } from '../../platform/words/failures.ts';
import {
  answerLabel,
  decidedBefore,
  internName,
  quotedWords,
  type TimedQuestion,
} from './words.ts';

/** What the dialog of a question is opened with. */
export interface DialogContext extends TimedQuestion {
  readonly dialogs: Dialogs;
  /** Why the service refused the last answer; null where none was refused. */
  readonly error: ApiError | null;
  /** The first answer that may have been received; null without one. */
  readonly maybeReceived: AnswerWay | null;
  /** Closes the dialog: the question was answered elsewhere, or is over. */
  readonly signal: AbortSignal;
  readonly editText: EditText;
  /** Takes note of a value that came from the clipboard, which still holds it. */
  readonly copied: (text: string) => void;
  /** Undefined where the dialog has room for all that is asked. */
  readonly whole?: WholeText | undefined;
}

/** What is asked, in full, where a dialog has to cut it. */
export interface WholeText {
  readonly wasShown: () => boolean;
  /** Shows it beside the dialog, which stays as it is. Never rejects. */
  readonly show: () => Promise<void>;
}

/** The operation is rejected this time, and `reason` is the next prompt. */
export interface Rejection {
  readonly kind: 'rejection';
  readonly reason: string;
}

/**
 * What the user did with a question's dialog. Without an answer the question stays pending; `conversation` wants to read
 * what was said before it.
 */
export type QuestionResult = Answer | Rejection | 'hidden' | 'conversation';

/** Where drafts live while their question is open. In memory only: an answer's values go nowhere but to the service. */
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
  const showWhole: BoxButton[] =
    whole === undefined
      ? []
      : [
          {
            id: 'whole',
            label: l10n.t('Show All That Is Asked'),
            icon: 'go-to-file',
            run: whole.show,
          },
        ];
  return [...showWhole, conversationButton()];
}

/**
 * What a permission can be judged by, as the first row: the intern's last words, which lead to the conversation, and what
 * was decided before. Where there are no words, the rest is only to be read.
 */
export function contextRows({ question }: DialogContext): readonly PickRow<'conversation'>[] {
  const words = quotedWords(question);
  const decided = decidedBefore(question);
  if (words === '')
    return decided === ''
      ? []
      : [{ note: decided, detail: l10n.t('Decided before in this conversation.') }];
  const unchecked = l10n.t('Its own words, unchecked');
  const use = l10n.t('Choose them to read the conversation');
  return [
    {
      label: l10n.t('{0} said: {1}', internName(question), words),
      // A row is cut off at its end: what to judge by comes first.
      detail: [unchecked, decided, use].filter(Boolean).join(' · '),
      icon: new ThemeIcon('comment'),
      value: 'conversation',
    },
  ];
}

/** The intern's last words, for a dialog without a row for them; empty where it said nothing. */
export function saidText({ question }: DialogContext): string {
  const words = quotedWords(question);
  return words === ''
    ? ''
    : l10n.t('{0} said (its own words, unchecked): {1}', internName(question), words);
}

/** Rows, only to be read, on earlier answers: which one may have been received, and why the last one failed. */
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
      detail: l10n.t('You can answer again. The service takes only one answer.'),
      icon: new ThemeIcon('warning'),
    },
  ];
}

function failureRows({ error }: DialogContext): readonly PickRow<never>[] {
  if (error === null) return [];
  const { title, detail, serviceSays } = explainFailure(error);
  const said = serviceSays && l10n.t('The service says: “{0}”', serviceSays);
  return [
    {
      note: plainLine(title),
      detail: plainLine([said, detail].filter(Boolean).join(' '), 500),
      icon: new ThemeIcon('error'),
    },
  ];
}
