import { l10n } from 'vscode';
import type { StoredFailure } from '../../../conversation/journal.ts';
import { failureDetails, mayBeRunning } from '../../../conversation/machine/failures.ts';
import type { WhenUnanswered } from '../../../conversation/questions/unanswered.ts';
import type { Message, NoticeMessage, Part, ReplyMessage } from '../../../conversation/messages.ts';
import type {
  ActionId,
  FailureView,
  ReplyMessageView,
  MessageView,
  PartView,
} from '../../../protocol/view.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { actionView, explainFailure } from '../../../platform/text/failures.ts';
import {
  excerpt,
  formatDollars,
  formatDuration,
  formatNumber,
  formatSentences,
} from '../../../platform/text/format.ts';
import { questionView } from '../../conversations/questionView.ts';

/**
 * Maximum number of characters of a question in the page, which would hang on a long text of two directions. The dialog of
 * the question and the reply as text show all of it.
 */
const MAX_QUESTION_CHARACTERS = 10_000;

/** Maximum number of characters of a model's name. */
const MAX_MODEL_CHARACTERS = 100;

/** Everything besides the message that its view depends on. */
export interface MessageContext {
  /** The intern's name. */
  readonly author: string;
  /** The question that is asked now. */
  readonly askedQuestion: string | null;
  /** The end of that question's countdown, epoch ms. */
  readonly deadline?: number | undefined;
  readonly whenUnanswered: WhenUnanswered;
  /** The prompt that can be edited and sent again; null during a run. */
  readonly editablePrompt: string | null;
}

/** Returns a message as the page shows it. */
export function messageView(message: Message, context: MessageContext): MessageView {
  const { id, at } = message;
  if (message.kind === 'notice')
    return { kind: 'notice', id, at, text: noticeMessage(message.notice) };
  if (message.kind === 'reply') {
    const parts = message.parts.map((part) => partView(part, context));
    return { ...headerView(message, context), parts };
  }
  const { text, attachments, mode, isByAgent } = message;
  return {
    kind: 'prompt',
    id,
    at,
    text,
    mode,
    attachments: attachments.map(({ label }) => label),
    editable: id === context.editablePrompt,
    ...(isByAgent && { isByAgent }),
  };
}

function noticeMessage(notice: NoticeMessage['notice']): string {
  return {
    'new-session': l10n.t(
      'A new session starts here. The intern doesn’t remember the messages above.',
    ),
    edited: l10n.t('Edited and sent again. The intern also remembers the earlier prompt.'),
    'by-agent': l10n.t('An agent in VS Code wrote the next prompt.'),
    'unreadable-call': l10n.t(
      'Can’t display the question. The service will probably cancel the run when it expires.',
    ),
  }[notice];
}

/** Returns a reply without its parts. */
export function headerView(
  reply: ReplyMessage,
  { author }: MessageContext,
): Omit<ReplyMessageView, 'parts'> {
  const { id, at, state, completion } = reply;
  const failure = failureOf(reply);
  return {
    kind: 'reply',
    id,
    at,
    author,
    state,
    completion,
    facts: factsOf(reply),
    details: detailsOf(reply),
    ...(failure && { failure }),
  };
}

export function partView(part: Part, context: MessageContext): PartView {
  // The text of the part grows. The view stays as it is.
  if (part.kind !== 'question') return { ...part };
  const { askedQuestion, whenUnanswered, deadline } = context;
  const isAsked = part.id === askedQuestion;
  const question = questionView(part, isAsked, whenUnanswered, deadline);
  const detail = excerpt(question.detail, MAX_QUESTION_CHARACTERS);
  return { kind: 'question', question: { ...question, detail } };
}

/** Returns model, tokens and cost, each only if the service gave it (interface: Usage object), and the duration. */
function factsOf({ model, usage, at, endedAt }: ReplyMessage): readonly string[] {
  const facts = model === null ? [] : [plainLine(model, MAX_MODEL_CHARACTERS)];
  if (usage !== null) {
    const { promptTokens, completionTokens, cachedTokens, cost } = usage;
    const tokensIn = formatNumber(promptTokens);
    facts.push(
      cachedTokens === undefined
        ? l10n.t('{0} input tokens', tokensIn)
        : l10n.t('{0} input tokens ({1} cached)', tokensIn, formatNumber(cachedTokens)),
      l10n.t('{0} output tokens', formatNumber(completionTokens)),
    );
    if (cost !== undefined) facts.push(formatDollars(cost));
  }
  if (endedAt !== null) facts.push(l10n.t('Took {0}', formatDuration(endedAt - at)));
  return facts;
}

/** Returns the tooltip of the facts: tokens, what the duration covers, who has the connection, the response's ID. */
function detailsOf({ usage, completion, requestedBy, endedAt }: ReplyMessage): readonly string[] {
  const details: string[] = [];
  if (endedAt !== null)
    details.push(
      l10n.t(
        'Time from your prompt to the end of the reply, including time spent waiting for answers.',
      ),
    );
  if (usage !== null) details.push(l10n.t('{0} tokens in total', formatNumber(usage.totalTokens)));
  if (requestedBy === 'keeper') details.push(l10n.t('Connection: background process'));
  if (requestedBy === 'window') details.push(l10n.t('Connection: VS Code window'));
  if (completion !== null) details.push(l10n.t('Completion ID: {0}', plainLine(completion, 256)));
  return details;
}

/** Kinds of failures whose messages already say that Retry starts the work over. */
const EXPLAINS_RETRY: ReadonlySet<string> = new Set([
  'broken-stream',
  'client-closed',
  'run-ended',
  'run-output-lost',
  'too-many-calls',
  'turn-failed',
]);

/** Failures that change the state of the account. A banner explains them and offers to sign in. */
const SHOWS_SIGN_IN: ReadonlySet<string> = new Set(['signed-out', 'left-organization']);

function failureOf({ state, failure, at, endedAt }: ReplyMessage): FailureView | undefined {
  if (state === 'cut')
    return {
      title: l10n.t('The connection closed, and the run was canceled'),
      // Perhaps a sign-out or the end of the background process closed it.
      detail: l10n.t(
        'This happens, for example, when VS Code closes. The reply so far is above. Retry starts over.',
      ),
      actions: [actionView('retry')],
    };
  if (state !== 'failed' || failure === null) return undefined;
  const { title, detail, serviceQuote, actions } = explainFailure(
    failureDetails(failure),
    endedAt ?? at,
  );
  // A banner offers to sign in until the account has a valid key.
  const others = SHOWS_SIGN_IN.has(failure.kind) ? [] : actions;
  const offered: readonly ActionId[] = others.includes('retry') ? others : [...others, 'retry'];
  return {
    title,
    detail: formatSentences([detail, serviceQuote, retryMessage(failure)]),
    actions: offered.map(actionView),
  };
}

/** Says what happens if a failed prompt is sent again; empty if that is clear. */
export function retryMessage(failure: StoredFailure): string {
  if (mayBeRunning(failure))
    return l10n.t('The intern may already be working on it. Retry may do the work twice.');
  return failure.inStream && !EXPLAINS_RETRY.has(failure.kind) ? l10n.t('Retry starts over.') : '';
}
