import { l10n } from 'vscode';
import {
  MACHINE_SLEPT,
  MAX_REPLY_CHARACTERS,
  MAX_TOOL_CALLS,
  wasNeverSent,
  type ApiError,
  type ApiErrorKind,
  type Route,
} from '../../api/index.ts';
import type { ActionId } from '../../protocol/view.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { formatNumber } from './format.ts';

/** Longest reason of the service that is shown, in characters. */
const MAX_REASON_CHARACTERS = 64;

/** The fields that explain a failure: those of an `ApiError`, or of a failure in a record. */
export type FailureDetails = Pick<
  ApiError,
  'kind' | 'route' | 'status' | 'reason' | 'message' | 'inStream'
> &
  Partial<Pick<ApiError, 'code' | 'retryAfterMs' | 'redirectedTo'>>;

/** Our own words for a failure. */
export interface FailureMessage {
  /** One sentence without its full stop. */
  readonly title: string;
  /** One or two sentences: why, and what to do. Empty if the title says all. */
  readonly detail: string;
  /** Best first; default `retry`. */
  readonly actions?: readonly ActionId[];
}

type MessagesByKind = Readonly<Record<ApiErrorKind, (failure: FailureDetails) => FailureMessage>>;

/** Explains each kind of failure (interface: Authentication, Access rules, Errors). */
export const failureMessages: MessagesByKind = {
  // The key, and what it may reach.
  'signed-out': ({ status }) =>
    status === 401
      ? {
          title: l10n.t('Unknown API key'),
          detail: l10n.t(
            'It may have expired or been revoked. Sign in with a valid key. Your interns and conversations are kept.',
          ),
          actions: ['signIn'],
        }
      : {
          title: l10n.t('This account’s API key is missing'),
          detail: l10n.t('The key is no longer stored here. Sign in again. Nothing else was lost.'),
          actions: ['signIn'],
        },
  'left-organization': () => ({
    title: l10n.t('API key refused'),
    detail: l10n.t(
      'The key’s creator has left the organization. Sign in with another key. Your interns and conversations are kept.',
    ),
    actions: ['signIn'],
  }),
  outsider: ({ route }) => ({
    title:
      route === 'secret'
        ? l10n.t('Vault not available for this API key')
        : l10n.t('Interns not available for this API key'),
    detail: l10n.t(
      'This key may not be part of the interns program. Ask your workspace administrator, or sign in with a member’s key.',
    ),
    actions: ['signIn'],
  }),
  'vault-writes-off': () => ({
    title: l10n.t('Storing secrets is turned off for this API key'),
    detail: l10n.t(
      'The secret wasn’t stored. Ask your workspace administrator to allow it, or sign in with another key.',
    ),
    actions: ['signIn'],
  }),
  'intern-not-found': () => ({
    title: l10n.t('Unknown intern'),
    detail: l10n.t(
      'It may have been deleted or belong to another workspace. Select another intern, or sign in with a key for its workspace.',
    ),
    actions: ['continueInNew', 'signIn'],
  }),

  // The request, and the response of the service.
  'invalid-request': ({ route }) => ({
    title: l10n.t('The service refused the input'),
    detail: refusalDetail(route),
    actions: route === 'chat' ? ['editLast'] : [],
  }),
  refused: ({ route, status }) => ({
    title: l10n.t('The service refused the request'),
    detail:
      route === 'chat'
        ? l10n.t(
            'The API key may not be allowed to do this, or a proxy blocked the request. Try again later.',
          )
        : refusalDetail(route, status),
    actions: route === 'chat' ? ['retry', 'openLog'] : ['openLog'],
  }),
  'payload-too-large': ({ route }) => ({
    title: l10n.t('The request is too large'),
    detail:
      route === 'create'
        ? l10n.t('The service accepts at most 1 MiB. Shorten the instructions or the description.')
        : l10n.t('The service accepts at most 1 MiB. Shorten the message or attach less.'),
    actions: route === 'chat' ? ['editLast'] : [],
  }),
  'rate-limited': ({ route }) => ({
    title: route === 'chat' ? l10n.t('Too many runs') : l10n.t('Too many requests'),
    detail: l10n.t('The service limits requests per user or organization. Try again later.'),
  }),
  'server-error': ({ inStream }) => ({
    title: inStream ? l10n.t('The run failed for an unknown reason') : l10n.t('Service error'),
    detail: l10n.t('Try again later.'),
    actions: ['retry', 'openLog'],
  }),
  'unexpected-answer': ({ route }) => ({
    title: l10n.t('Unreadable response from the service'),
    detail:
      route === 'create' || route === 'secret'
        ? l10n.t(
            'The request was accepted, but the response is incomplete. Update the extension if you can.',
          )
        : l10n.t('The response is incomplete. Update the extension if you can.'),
    actions: ['openLog'],
  }),

  // An intern, its runs and its questions.
  'not-ready': () => ({
    title: l10n.t('The intern isn’t running'),
    detail: l10n.t(
      'If it’s being provisioned, try again later. Otherwise start it where your interns are managed.',
    ),
  }),
  busy: () => ({
    title: l10n.t('Another run is active in this session'),
    detail: l10n.t('Try again when it ends, or start a new conversation.'),
    actions: ['retry', 'newConversation'],
  }),
  'no-capacity': () => ({
    title: l10n.t('The intern has too many open runs'),
    detail: l10n.t(
      'Its other runs are waiting for answers. Answer those, or try again in a few minutes.',
    ),
  }),
  'attachment-failed': () => ({
    title: l10n.t('This run is already open elsewhere'),
    detail: l10n.t(
      'Another window or program may be receiving the reply. Try again when it’s done.',
    ),
  }),
  'run-output-lost': () => ({
    title: l10n.t('The reply can’t be resumed'),
    detail: l10n.t(
      'The run produced more than the intern keeps. Send the prompt again to start over.',
    ),
    actions: ['retry', 'newConversation'],
  }),
  'run-ended': () => ({
    title: l10n.t('The run was canceled or ran out of time'),
    detail: l10n.t('The reply so far is kept. Send the prompt again to start over.'),
  }),
  'interaction-unknown': () => ({
    title: l10n.t('The intern doesn’t know this question'),
    detail: l10n.t(
      'It was answered elsewhere, or its run has ended. Send the prompt again if you still need the result.',
    ),
  }),
  'interaction-not-pending': () => ({
    title: l10n.t('The question has closed'),
    detail: l10n.t(
      'It was already answered, or it expired. Send the prompt again if you still need the result.',
    ),
  }),
  unreachable: () => ({
    title: l10n.t('The service couldn’t reach the intern'),
    detail: l10n.t('It may be starting or stopping. Try again later.'),
  }),
  rejected: () => ({
    title: l10n.t('The intern didn’t accept the request'),
    detail: l10n.t('Try again. If it happens again, start a new conversation.'),
    actions: ['retry', 'newConversation'],
  }),
  'turn-failed': ({ inStream }) =>
    inStream
      ? {
          title: l10n.t('The run failed'),
          detail: l10n.t('The reply so far is kept. Send the prompt again to start over.'),
        }
      : {
          title: l10n.t('The intern didn’t accept the prompt'),
          detail: l10n.t('The run ended without output. Try again, or change the prompt.'),
          actions: ['retry', 'editLast'],
        },
  'client-closed': () => ({
    title: l10n.t('The connection closed, and the run was canceled'),
    detail: l10n.t('The reply isn’t complete. Send the prompt again to start over.'),
  }),
  'reply-too-long': () => ({
    title: l10n.t('The reply is too long'),
    detail: l10n.t(
      'Only the first {0} characters were read. Ask for less at a time, or for a file.',
      formatNumber(MAX_REPLY_CHARACTERS),
    ),
    actions: ['editLast', 'newConversation'],
  }),
  'too-many-calls': () => ({
    title: l10n.t('The reply asks too many questions at once'),
    detail: l10n.t(
      'Only the first {0} questions were read. Send the prompt again to start over.',
      formatNumber(MAX_TOOL_CALLS),
    ),
    actions: ['editLast', 'newConversation'],
  }),
  unanswerable: () => ({
    title: l10n.t('The intern’s question can’t be answered'),
    detail: l10n.t('The service will probably cancel the run when the question expires.'),
    actions: ['retry', 'newConversation'],
  }),

  // The connection.
  severed: ({ inStream, code }) =>
    inStream
      ? lostMessage(code)
      : {
          title: l10n.t('The connection to the intern was lost, probably before the run started'),
          detail: l10n.t('Try again later.'),
        },
  timeout: ({ status }) => ({
    title:
      status === null
        ? l10n.t('The service didn’t respond in time')
        : l10n.t('The intern didn’t respond in time'),
    detail: l10n.t('It may be busy, or the network may be slow. Try again later.'),
  }),
  'broken-stream': () => ({
    title: l10n.t('The reply ended unexpectedly'),
    detail: l10n.t(
      'The reply so far is kept, but parts may be missing. Send the prompt again to start over.',
    ),
    actions: ['retry', 'openLog'],
  }),
  'unlisted-finish': ({ reason }) => ({
    title: l10n.t('The reply ended with “{0}”', plainLine(reason ?? '', MAX_REASON_CHARACTERS)),
    detail: l10n.t('This version doesn’t know that reason. The reply may be incomplete.'),
    actions: ['retry', 'openLog'],
  }),
  'not-the-service': () => ({
    title: l10n.t('The server isn’t an intern service'),
    detail: l10n.t(
      'Check the service URL, for example https://interns.example.com/api/v1, and your proxy settings.',
    ),
    actions: ['signIn', 'openLog'],
  }),
  redirect: ({ redirectedTo }) => ({
    title: l10n.t('The service redirects requests'),
    detail: redirectedTo
      ? l10n.t(
          'Redirects aren’t followed, to protect your API key. If you trust {0}, sign in with it as the service URL.',
          plainLine(redirectedTo),
        )
      : l10n.t('Redirects aren’t followed, to protect your API key. Check the service URL.'),
    actions: ['signIn'],
  }),
  network: ({ code }) => ({ ...networkMessage(code), actions: ['retry', 'openLog'] }),
  tls: ({ code }) => ({
    title: l10n.t('The connection to the service isn’t secure'),
    detail:
      code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER'
        ? l10n.t('The server doesn’t use TLS. Check the service URL and its port.')
        : l10n.t(
            'The certificate isn’t trusted, so nothing was sent. Check the service URL, your clock and your certificate authorities.',
          ),
    actions: ['retry', 'openLog'],
  }),
  aborted: () => ({ title: l10n.t('The request was canceled'), detail: '' }),
};

/**
 * Lists possible causes of a refusal without a reason (interface: Errors, "Other routes"). A 403 is about the key or the
 * service URL (interface: Authentication).
 */
function refusalDetail(route: Route, status?: number | null): string {
  const isOfKey = status === 403;
  return {
    chat: l10n.t('The message or answer isn’t valid. Change it and send it again.'),
    create: isOfKey
      ? l10n.t(
          'The key’s creator may have left the organization, or this key, its workspace or a regional service URL may not allow creating interns.',
        )
      : l10n.t(
          'The name may be taken, or this API key, its workspace or a regional service URL may not allow creating interns.',
        ),
    secret: isOfKey
      ? l10n.t(
          'The key’s creator may have left the organization, or this key or a regional service URL may not allow storing secrets.',
        )
      : l10n.t(
          'The name, value or a host may not be allowed, or this API key or a regional service URL may not allow storing secrets.',
        ),
    key: l10n.t('Check the service URL and the API key, then sign in again.'),
  }[route];
}

/** Returns the message about a connection that was lost while a run may have continued. */
function lostMessage(code: FailureDetails['code']): FailureMessage {
  return {
    title:
      code === MACHINE_SLEPT
        ? l10n.t('The connection was lost while the computer slept')
        : l10n.t('The connection was lost'),
    detail: l10n.t('The reply so far is kept. Send the prompt again to start over.'),
  };
}

function networkMessage(code: FailureDetails['code']): FailureMessage {
  switch (code) {
    case 'ENOTFOUND':
    case 'ERR_NAME_NOT_RESOLVED':
      return {
        title: l10n.t('The host of the service URL wasn’t found'),
        detail: l10n.t('Check the service URL and your network.'),
      };
    case 'ECONNREFUSED':
    case 'ERR_CONNECTION_REFUSED':
      return {
        title: l10n.t('The connection was refused'),
        detail: l10n.t(
          'The host exists, but nothing responds on this port. Check the service URL, or try again later.',
        ),
      };
    // The stream keeper died before a response came, or its file is damaged.
    case 'ERR_KEEPER_LOST':
    case 'ERR_RESPONSE_UNREADABLE':
      return lostMessage(code);
    default:
      return {
        title:
          !code || wasNeverSent({ kind: 'network', code })
            ? l10n.t('Couldn’t reach the service')
            : l10n.t('The connection was lost'),
        detail: l10n.t(
          'Check your network, the proxy settings and the service URL, then try again.',
        ),
      };
  }
}
