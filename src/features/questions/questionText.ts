import { l10n } from 'vscode';
import {
  type ApiError,
  type ApiErrorKind,
  countCharacters,
  type Question,
  type ReadableQuestion,
} from '../../api/index.ts';
import { MINUTE_MS } from '../../base/clock.ts';
import { CANCEL_CHOICE } from '../../conversation/questions/permission.ts';
import { formatTimeLeft } from '../../base/timeLeft.ts';
import { MAX_STATEMENT_CHARACTERS } from '../../conversation/questions/questionContext.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import {
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  type WhenUnanswered,
} from '../../conversation/questions/unanswered.ts';
import { shortTitle } from '../../base/shortTitle.ts';
import { plainLine, withoutDeceptive, visibleText } from '../../platform/dialogs/plainText.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { formatDuration, formatFacts, formatSentences } from '../../platform/text/format.ts';
import { MAX_TEXT_CHARACTERS, inQuotes, quotedOperation } from '../../platform/text/operations.ts';

/** Maximum number of characters of an option in its row. */
export const MAX_OPTION_CHARACTERS = 200;

/** Maximum number of characters of an operation's name beside earlier decisions. The title shows more of it. */
const MAX_DECIDED_CHARACTERS = 40;

/** The intern's name, inert and on one line. */
export function shownInternName({ internName: name }: Pick<PendingQuestion, 'internName'>): string {
  return plainLine(name, 80);
}

/** How often the time in words changes in the last minute, in ms. */
const LAST_MINUTE_STEP_MS = 15_000;

/**
 * The time left, for accessible names and notifications. Screen readers speak each change, so it changes once a minute,
 * and every 15 seconds in the last minute.
 */
export function spokenTimeLeft(leftMs: number): string {
  if (leftMs === 0) return l10n.t('time is up');
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  if (minutes > 1) return l10n.t('less than {0} minutes left', minutes);
  const seconds = (Math.ceil(leftMs / LAST_MINUTE_STEP_MS) * LAST_MINUTE_STEP_MS) / 1_000;
  return seconds === 60
    ? l10n.t('less than a minute left')
    : l10n.t('less than {0} seconds left', seconds);
}

/** The time left as `4:59`, for texts that screen readers do not speak when they change. */
export function shownTimeLeft(leftMs: number): string {
  return leftMs === 0 ? l10n.t('time is up') : formatTimeLeft(leftMs);
}

/** The question in one line without a full stop. */
export function questionLabel(pending: PendingQuestion): string {
  const { question } = pending;
  const name = shownInternName(pending);
  if (question.kind === 'permission')
    return l10n.t('{0} asks to use {1}', name, quotedOperation(question.operation));
  return question.message.trim() === ''
    ? l10n.t('{0} asks a question', name)
    : l10n.t('{0} asks: {1}', name, plainLine(question.message, MAX_TEXT_CHARACTERS));
}

/** The intern's last words before it asked, in quotation marks; empty if there are none. */
export function quotedStatement({ context }: PendingQuestion): string {
  const words = plainLine(context.said, MAX_STATEMENT_CHARACTERS);
  return words === '' ? '' : inQuotes(words);
}

/** Earlier decisions on the operation: `“shell”: allowed 4 times, rejected once`. Empty if there are none. */
export function earlierDecisionsLabel({ question, context }: PendingQuestion): string {
  if (question.kind !== 'permission') return '';
  const { allowed, rejected } = context;
  const decided = [
    allowed > 1 ? l10n.t('allowed {0} times', allowed) : allowed === 1 && l10n.t('allowed once'),
    rejected > 1
      ? l10n.t('rejected {0} times', rejected)
      : rejected === 1 && l10n.t('rejected once'),
  ];
  const facts = formatFacts(decided);
  return facts && `${quotedOperation(question.operation, MAX_DECIDED_CHARACTERS)}: ${facts}`;
}

/** The label of an option of a permission. An unknown option is returned as it is. */
export function choiceLabel(choice: string): string {
  const labels = new Map([
    ['allow_once', l10n.t('Allow once')],
    ['allow_always', l10n.t('Allow always')],
    ['reject_once', l10n.t('Reject once')],
    ['reject_always', l10n.t('Reject always')],
    [CANCEL_CHOICE, l10n.t('Cancel the question')],
  ]);
  return labels.get(choice) ?? plainLine(visibleText(choice), MAX_OPTION_CHARACTERS);
}

/** The label by which the dialog gave an answer. */
export function answerLabel({ question }: PendingQuestion, how: string): string {
  if (question.kind === 'permission' || how === CANCEL_CHOICE) return choiceLabel(how);
  return how === 'accept' ? l10n.t('Accept') : l10n.t('Decline');
}

/** Explains a failure that means something else for an answer than for a prompt; undefined for any other. */
export function answerFailureMessage(error: ApiError): string | undefined {
  const { serviceQuote } = explainFailure(error);
  const busy = l10n.t(
    'This run is open in another window or program. Answer again when it’s done.',
  );
  const lost = l10n.t('The connection was lost. You can answer again.');
  const rejected = l10n.t('The intern didn’t accept the answer. Try again, or give another one.');
  const reasons: Partial<Record<ApiErrorKind, string>> = {
    'invalid-request': formatSentences([serviceQuote, l10n.t('Your input is kept.')]),
    'payload-too-large': l10n.t('The answer is too large for the service. Shorten it.'),
    'attachment-failed': busy,
    busy,
    unreachable: l10n.t('The service couldn’t reach the intern. Try again in a moment.'),
    severed: lost,
    'broken-stream': lost,
    'client-closed': lost,
    rejected,
    'turn-failed': rejected,
    'no-capacity': l10n.t(
      'The intern has too many open runs. Answer its other questions, or try again.',
    ),
    timeout: l10n.t('The intern didn’t respond in time. Try again.'),
    network: l10n.t('No connection. Answer again when it’s back.'),
    'interaction-unknown': l10n.t(
      'The intern doesn’t know this question. It was answered elsewhere or expired.',
    ),
    'interaction-not-pending': l10n.t('It was already answered, or it expired.'),
    'run-output-lost': l10n.t(
      'The run produced more than the intern keeps. Its reply can’t be resumed.',
    ),
    'run-ended': l10n.t('The run was canceled or ran out of time.'),
  };
  return reasons[error.kind];
}

export function timeIsUpMessage(pending: PendingQuestion): string {
  return l10n.t(
    '{0}’s run was probably canceled. You can still try to answer.',
    shownInternName(pending),
  );
}

/** A sentence about the policy for unanswered questions; undefined if the question just expires. */
export function unansweredMessage(when: WhenUnanswered | null): string | undefined {
  const left = formatDuration(AUTO_ANSWER_BEFORE_DEADLINE_MS);
  if (when === 'refuse')
    return l10n.t('If you don’t answer, it’s rejected {0} before time runs out.', left);
  return when === 'cancel'
    ? l10n.t('If you don’t answer, the run is canceled {0} before time runs out.', left)
    : undefined;
}

/** A prompt that tells the intern of an automatic answer, which looks to the intern like the user's. */
export function automaticAnswerPrompt(question: Question, how: string | undefined): string {
  const what =
    question.kind === 'permission'
      ? quotedOperation(question.operation)
      : shortTitle(question.kind === 'elicitation' ? question.message : '');
  if (how === CANCEL_CHOICE)
    return l10n.t(
      'Your question ({0}) wasn’t answered. It was canceled automatically. Ask again if needed.',
      what,
    );
  return how === 'decline'
    ? l10n.t(
        'Your question ({0}) wasn’t answered. It was declined automatically. Ask again if needed.',
        what,
      )
    : l10n.t(
        'Your question ({0}) wasn’t answered. It was rejected automatically. Ask again if needed.',
        what,
      );
}

/** The whole text of a question; undefined if its dialog has room for all of it. */
export function wholeQuestionText(question: ReadableQuestion): string | undefined {
  if (question.kind === 'permission') {
    const operation = visibleText(question.operation ?? '');
    const options = question.options.map(visibleText);
    const long = options.filter((option) => isCut(option, MAX_OPTION_CHARACTERS));
    if (long.length === 0 && !isCut(operation, MAX_TEXT_CHARACTERS)) return undefined;
    return [operation, ...long].join('\n\n');
  }
  const long = question.fields.filter(
    ({ options, description = '' }) =>
      isCut(description, MAX_TEXT_CHARACTERS) ||
      options.some((option) => isCut(option, MAX_OPTION_CHARACTERS)),
  );
  if (long.length === 0 && !isCut(question.message, MAX_TEXT_CHARACTERS)) return undefined;
  const lists = long.map(({ name, options, description = '' }) =>
    [`${name}: ${description}`.trim(), ...options.map((option) => `- ${option}`)].join('\n'),
  );
  return withoutDeceptive([question.message, ...lists].join('\n\n'));
}

/** Returns whether one line of at most `limit` characters cannot hold the text. */
function isCut(text: string, limit: number): boolean {
  return /[\r\n]/.test(text.trim()) || countCharacters(text) > limit;
}
