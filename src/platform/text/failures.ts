import { l10n } from 'vscode';
import { MAX_RETRY_AFTER_MS, type ApiErrorKind } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { failureMessages, type FailureDetails, type FailureMessage } from './failureMessages.ts';
import { formatDateTime } from './format.ts';
import type { ActionId, ActionView } from '../../protocol/view.ts';
import type { CommandId } from '../commands/ids.ts';

/** A failure in words: what happened, what to do, and buttons for it. Plain text, localized. */
export interface Explanation extends Required<FailureMessage> {
  /** The service's own sentence, shortened to one line of inert text; empty if there is none. */
  readonly serviceMessage: string;
  /** The same as a quotation: `The service says: “…”`. */
  readonly serviceQuote: string;
}

/** Longest sentence of the service that is shown, in characters. */
const MAX_SERVICE_MESSAGE_CHARACTERS = 300;

/** Explains a failure. @param at when it failed, epoch ms */
export function explainFailure(failure: FailureDetails, at = Date.now()): Explanation {
  // A later version may have recorded a kind that is not known here.
  const kind = Object.hasOwn(failureMessages, failure.kind) ? failure.kind : 'server-error';
  const { title, detail, actions = ['retry'] } = failureMessages[kind](failure);
  const { retryAfterMs = null } = failure;
  const wait =
    // Shorter waits pass without the user.
    retryAfterMs !== null && retryAfterMs > MAX_RETRY_AFTER_MS
      ? ` ${l10n.t('The service asks you to wait until {0}.', formatDateTime(at + retryAfterMs))}`
      : '';
  const serviceMessage = messageOfService(failure);
  const serviceQuote = serviceMessage && l10n.t('The service says: “{0}”', serviceMessage);
  return { title, detail: detail + wait, actions, serviceMessage, serviceQuote };
}

/** Kinds of failures with a status whose message is ours, not the service's. Without a status, each message is ours. */
const KINDS_WITHOUT_SERVICE_MESSAGE: ReadonlySet<ApiErrorKind> = new Set([
  'not-the-service',
  'redirect',
  'unexpected-answer',
]);

function messageOfService({ kind, status, message }: FailureDetails): string {
  const isOwn =
    KINDS_WITHOUT_SERVICE_MESSAGE.has(kind) ||
    status === null ||
    status === 0 ||
    /^HTTP \d+$/.test(message);
  return isOwn ? '' : plainLine(message, MAX_SERVICE_MESSAGE_CHARACTERS);
}

export function actionLabel(action: ActionId): string {
  return {
    answer: l10n.t('Answer'),
    askAgain: l10n.t('Ask Again'),
    cancelQuestionAndSend: l10n.t('Cancel Question and Send'),
    continueInNew: l10n.t('Continue in New Conversation…'),
    editLast: l10n.t('Edit and Send Again'),
    giveUpAndSend: l10n.t('Give Up Question and Send'),
    limitCost: l10n.t('Change Cost Limit…'),
    newConversation: l10n.t('New Conversation'),
    openLog: l10n.t('Show Log'),
    retry: l10n.t('Retry'),
    sendNow: l10n.t('Send Now'),
    sendQueue: l10n.t('Send Queued Prompts'),
    showFormatted: l10n.t('Show Formatting'),
    signIn: l10n.t('Sign In'),
    stop: l10n.t('Stop'),
    tellIntern: l10n.t('Tell the Intern'),
  }[action];
}

export function actionView(action: ActionId): ActionView {
  return { id: action, label: actionLabel(action) };
}

/** The commands for actions that make sense outside of a conversation. */
export const ACTION_COMMANDS: Partial<Record<ActionId, CommandId>> = {
  signIn: 'interns.signIn',
  openLog: 'interns.showLog',
  newConversation: 'interns.newConversation',
};
