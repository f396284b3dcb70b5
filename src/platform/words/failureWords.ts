import { l10n } from 'vscode';
import {
  MAX_REPLY_CHARACTERS,
  MAX_TOOL_CALLS,
  type ApiError,
  type ApiErrorKind,
  type Route,
} from '../../api/index.ts';
import type { ActionId } from '../../protocol/view.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { formatNumber } from './format.ts';

/** Longest reason of the service that is shown, in characters. */
const MAX_REASON_CHARACTERS = 64;

/** The facts that explain a failure: an `ApiError`, or a failure from a journal. */
export type FailureFacts = Pick<
  ApiError,
  'kind' | 'route' | 'status' | 'reason' | 'message' | 'inStream'
> &
  Partial<Pick<ApiError, 'code' | 'retryAfterMs'>>;

/** Our own words for a failure. */
export interface FailureWords {
  /** One sentence without its full stop. */
  readonly title: string;
  /** One or two sentences: why, and what to do. */
  readonly detail: string;
  /** Best first; default `retry`. */
  readonly actions?: readonly ActionId[];
}

type WordsByKind = Readonly<Record<ApiErrorKind, (failure: FailureFacts) => FailureWords>>;

/** Explains each kind of failure (interface: Authentication, Access rules, Errors). */
export const failureWords: WordsByKind = {
  // The key, and what it may reach.
  'signed-out': ({ status }) =>
    status === 401
      ? {
          title: l10n.t('The service does not know this API key'),
          detail: l10n.t(
            'It may have expired, been revoked or been replaced. Sign in with a valid key: your interns and conversations are kept.',
          ),
          actions: ['signIn'],
        }
      : {
          title: l10n.t('This account needs its API key again'),
          detail: l10n.t(
            'This editor no longer has the key. Sign in with it once more: nothing else was lost.',
          ),
          actions: ['signIn'],
        },
  'left-organization': () => ({
    title: l10n.t('The service refuses this API key'),
    detail: l10n.t(
      'Its creator has left the organization, and it holds no grant. Sign in with another key: your interns and conversations are kept.',
    ),
    actions: ['signIn'],
  }),
  outsider: ({ route }) => ({
    title:
      route === 'secret'
        ? l10n.t('The vault is not available to this API key')
        : l10n.t('Interns are not available to this API key'),
    detail: l10n.t(
      'The service answers “not found” to everyone outside the interns programme. Ask whoever runs your workspace for membership, or sign in with the key of a member.',
    ),
    actions: ['signIn'],
  }),
  'vault-writes-off': () => ({
    title: l10n.t('Storing secrets is turned off for this API key'),
    detail: l10n.t(
      'The secret was not stored. Ask whoever runs your workspace to turn vault writes on, or sign in with another key.',
    ),
    actions: ['signIn'],
  }),
  'intern-not-found': () => ({
    title: l10n.t('The service does not know this intern'),
    detail: l10n.t(
      'It may have been deleted, or it belongs to another workspace than this API key. Choose another intern, or sign in with the key of its workspace.',
    ),
    actions: ['chooseIntern', 'signIn'],
  }),

  // The request, and the response of the service.
  'invalid-request': ({ route }) => ({
    title: l10n.t('The service did not accept what was sent'),
    detail: possibleCauses(route),
    actions: route === 'chat' ? ['editLast'] : [],
  }),
  refused: ({ route, status }) => ({
    title: l10n.t('The service refused the request'),
    detail:
      route === 'chat' && status === 403
        ? l10n.t(
            'The API key may not be allowed to do this, or a proxy refused the request. Try again later.',
          )
        : possibleCauses(route),
    actions: route === 'chat' ? ['retry', 'openLog'] : ['openLog'],
  }),
  'payload-too-large': ({ route }) => ({
    title: l10n.t('The request is too large for the service'),
    detail:
      route === 'create'
        ? l10n.t('It takes at most 1 MiB. Shorten the instructions or the description.')
        : l10n.t('It takes at most 1 MiB. Shorten the message, or attach less to it.'),
    actions: route === 'chat' ? ['editLast'] : [],
  }),
  'rate-limited': ({ route }) => ({
    title:
      route === 'chat'
        ? l10n.t('Too many turns were started')
        : l10n.t('Too many requests were sent'),
    detail: l10n.t(
      'The service limits them for the user or organization of this API key. Try again later.',
    ),
  }),
  'server-error': ({ inStream }) => ({
    title: inStream
      ? l10n.t('The run failed for a reason that the service did not name')
      : l10n.t('The service failed'),
    detail: l10n.t('You did nothing wrong. Try again later.'),
    actions: ['retry', 'openLog'],
  }),
  'unexpected-answer': ({ route }) => ({
    title: l10n.t('The answer of the service could not be read'),
    detail:
      route === 'create' || route === 'secret'
        ? l10n.t(
            'The service accepted the request, but its answer lacks required fields. A newer version of this extension may understand it.',
          )
        : l10n.t('It lacks required fields. A newer version of this extension may understand it.'),
    actions: ['openLog'],
  }),

  // An intern, its runs and its questions.
  'not-ready': () => ({
    title: l10n.t('The intern is not running'),
    detail: l10n.t(
      'It takes prompts only while it runs. If it is being provisioned, try again later; otherwise start it where your interns are managed.',
    ),
  }),
  busy: () => ({
    title: l10n.t('Another turn is running in this session'),
    detail: l10n.t('Try again when it has ended, or start a new conversation.'),
    actions: ['retry', 'newConversation'],
  }),
  'no-capacity': () => ({
    title: l10n.t('The intern has too many open runs'),
    detail: l10n.t(
      'Other runs of it wait for answers. Answer those, or try again in a few minutes.',
    ),
  }),
  'attachment-failed': () => ({
    title: l10n.t('Another request is attached to this run'),
    detail: l10n.t(
      'Another window or program may be reading its reply. Try again when that has ended.',
    ),
  }),
  'run-output-lost': () => ({
    title: l10n.t('The paused reply can no longer be resumed'),
    detail: l10n.t(
      'The run produced more than the intern keeps. Send the prompt again; the work then starts over.',
    ),
    actions: ['retry', 'newConversation'],
  }),
  'run-ended': () => ({
    title: l10n.t('The run was ended'),
    detail: l10n.t(
      'The intern says that it was cancelled or ran out of time. What came before is kept. Sending the prompt again starts the work over.',
    ),
  }),
  'interaction-unknown': () => ({
    title: l10n.t('The intern does not know this question'),
    detail: l10n.t(
      'It was answered elsewhere, or its run is over. Send the prompt again if you still need the result.',
    ),
  }),
  'interaction-not-pending': () => ({
    title: l10n.t('The question is no longer waiting'),
    detail: l10n.t(
      'It was answered already, or its time ran out. Send the prompt again if you still need the result.',
    ),
  }),
  unreachable: () => ({
    title: l10n.t('The service could not reach the intern'),
    detail: l10n.t('It may be starting or stopping. Try again later.'),
  }),
  rejected: () => ({
    title: l10n.t('The intern rejected the request'),
    detail: l10n.t('Try again; if it goes on, a new conversation may help.'),
    actions: ['retry', 'newConversation'],
  }),
  'turn-failed': ({ inStream }) =>
    inStream
      ? {
          title: l10n.t('The intern’s turn failed'),
          detail: l10n.t(
            'What came before is kept. Sending the prompt again starts the work over.',
          ),
        }
      : {
          title: l10n.t('The intern refused the turn'),
          detail: l10n.t('It ended before any output. Try again, or change the prompt.'),
          actions: ['retry', 'editLast'],
        },
  'client-closed': () => ({
    title: l10n.t('The connection closed, so the run was cancelled'),
    detail: l10n.t(
      'The connection was closed before the reply was complete, and the run was cancelled. Sending the prompt again starts the work over.',
    ),
  }),
  'reply-too-long': () => ({
    title: l10n.t('The reply is too long'),
    detail: l10n.t(
      'At most {0} characters of a reply are kept, so this editor stopped following the run. What came before is above. Ask for less at a time, or for a file.',
      formatNumber(MAX_REPLY_CHARACTERS),
    ),
    actions: ['editLast', 'newConversation'],
  }),
  'too-many-calls': () => ({
    title: l10n.t('The reply asks too many questions at once'),
    detail: l10n.t(
      'At most {0} are taken of one reply, so this editor stopped following the run. What came before is kept. Sending the prompt again starts the work over.',
      formatNumber(MAX_TOOL_CALLS),
    ),
    actions: ['editLast', 'newConversation'],
  }),
  unanswerable: () => ({
    title: l10n.t('The intern waits for an answer that cannot be given'),
    detail: l10n.t(
      'Its question could not be read, or came without a session ID. The service will probably cancel the run when the question expires.',
    ),
    actions: ['retry', 'newConversation'],
  }),

  // The connection.
  severed: ({ inStream }) =>
    inStream
      ? {
          title: l10n.t('The connection was lost'),
          detail: l10n.t(
            'What came before is kept. Whether the intern went on is not known; sending the prompt again starts the work over.',
          ),
        }
      : {
          title: l10n.t('The connection to the intern was lost before the turn started'),
          detail: l10n.t('It is not known whether the intern received the prompt.'),
        },
  timeout: ({ status }) => ({
    title:
      status === null
        ? l10n.t('The service did not answer in time')
        : l10n.t('The intern did not answer in time'),
    detail: l10n.t('It may be busy, or something between you and it is slow. Try again later.'),
  }),
  'broken-stream': () => ({
    title: l10n.t('The reply ended unexpectedly'),
    detail: l10n.t(
      'What came before is kept, but parts may be missing. Sending the prompt again starts the work over.',
    ),
    actions: ['retry', 'openLog'],
  }),
  'unlisted-finish': ({ reason }) => ({
    title: l10n.t('The reply ended with “{0}”', plainLine(reason ?? '', MAX_REASON_CHARACTERS)),
    detail: l10n.t(
      'This version doesn’t know that ending. What came before is kept, but the reply may be incomplete.',
    ),
    actions: ['retry', 'openLog'],
  }),
  'not-the-service': () => ({
    title: l10n.t('The server is not an intern service'),
    detail: l10n.t(
      'The API root may be wrong, or a proxy or sign-in page stands in between. An API root looks like https://interns.example.com/api/v1.',
    ),
    actions: ['signIn', 'openLog'],
  }),
  redirect: () => ({
    title: l10n.t('The service redirects requests'),
    detail: l10n.t(
      'Redirects are not followed, because the API key would go along. Sign in with the API root that it redirects to, if you trust it.',
    ),
    actions: ['signIn'],
  }),
  network: ({ code }) => ({ ...networkWords(code), actions: ['retry', 'openLog'] }),
  tls: ({ code }) => ({
    title: l10n.t('The connection to the service is not secure'),
    detail:
      code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER'
        ? l10n.t('The server does not use TLS. Check the API root and its port.')
        : l10n.t(
            'Its certificate was refused, so nothing was sent. Check the API root, the clock of this machine, and its certificate authorities.',
          ),
    actions: ['retry', 'openLog'],
  }),
  aborted: () => ({
    title: l10n.t('Cancelled'),
    detail: l10n.t('The request was cancelled here.'),
  }),
};

/** Lists possible causes of a refusal without a reason (interface: Errors, "Other routes"). */
function possibleCauses(route: Route): string {
  return {
    chat: l10n.t(
      'The message or the answer is not valid; for an answer, the intern may not have accepted it. Change it and send it again.',
    ),
    create: l10n.t(
      'Possible causes: you already have an intern of this name in the workspace, the workspace is not that of the API key, this API key may not create interns or its creator has left the organization, or this API root is a regional hostname, where interns cannot be created.',
    ),
    secret: l10n.t(
      'Possible causes: the service does not allow one of the hosts, the name or the value, this API key may not store secrets or its creator has left the organization, or this API root is a regional hostname, where secrets cannot be stored.',
    ),
    key: l10n.t('Check the API root and the API key, then sign in again.'),
  }[route];
}

function networkWords(code: FailureFacts['code']): FailureWords {
  switch (code) {
    case 'ENOTFOUND':
    case 'ERR_NAME_NOT_RESOLVED':
      return {
        title: l10n.t('The host in the API root was not found'),
        detail: l10n.t('Check the API root, and whether this machine is in the right network.'),
      };
    case 'ECONNREFUSED':
    case 'ERR_CONNECTION_REFUSED':
      return {
        title: l10n.t('The API root refused the connection'),
        detail: l10n.t(
          'The host exists, but nothing answers on this port. Check the API root, or try again later.',
        ),
      };
    default:
      return {
        title: l10n.t('The service cannot be reached'),
        detail: l10n.t('Check the network, the proxy settings and the API root, then try again.'),
      };
  }
}
