import { l10n } from 'vscode';
import type { FailureFacts, FailureWords, WordsOf } from './explanation.ts';

/** Failures of the way to the service. */
export const connectionWords: WordsOf<
  | 'severed'
  | 'timeout'
  | 'broken-stream'
  | 'not-the-service'
  | 'redirect'
  | 'network'
  | 'tls'
  | 'aborted'
> = {
  severed: ({ inStream }) =>
    inStream
      ? {
          title: l10n.t('The connection broke off'),
          detail: l10n.t(
            'What came before is kept. Whether the intern went on is not known; sending the prompt again starts the work anew.',
          ),
          actions: ['retry'],
        }
      : {
          title: l10n.t('The connection to the intern was lost before the turn started'),
          detail: l10n.t('Nothing was done yet. Try again.'),
          actions: ['retry'],
        },
  timeout: ({ status, route }) => ({
    title:
      status === null
        ? l10n.t('The service did not answer in time')
        : l10n.t('The intern did not answer in time'),
    detail:
      route === 'create'
        ? l10n.t(
            'Whether the intern was created is not known. Resume the creation: that never creates a second one.',
          )
        : l10n.t('It may be busy, or something between you and it is slow. Try again in a while.'),
    actions: ['retry'],
  }),
  'broken-stream': () => ({
    title: l10n.t('The reply ended without its proper end'),
    detail: l10n.t(
      'What came before is kept, but parts may be missing. Sending the prompt again starts the work anew.',
    ),
    actions: ['retry', 'openLog'],
  }),
  'not-the-service': () => ({
    title: l10n.t('What answered is not an intern service'),
    detail: l10n.t(
      'The API root may be wrong, or a proxy or sign-in page stands in between. An API root looks like https://interns.example.com/api/v1.',
    ),
    actions: ['signIn', 'openLog'],
  }),
  redirect: () => ({
    title: l10n.t('The service sends requests elsewhere'),
    detail: l10n.t(
      'Redirects are not followed, because the API key would go along. Sign in with the API root that it redirects to, if you trust it.',
    ),
    actions: ['signIn'],
  }),
  network: networkWords,
  tls: ({ code }) => ({
    title: l10n.t('The connection to the service is not secure'),
    detail:
      code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER'
        ? l10n.t('The other side does not speak TLS. Check the API root and its port.')
        : l10n.t(
            'Its certificate was refused, so nothing was sent. Check the API root, the clock of this machine, and its certificate authorities.',
          ),
    actions: ['retry', 'openLog'],
  }),
  aborted: () => ({
    title: l10n.t('Cancelled'),
    detail: l10n.t('The request was cancelled here.'),
    actions: ['retry'],
  }),
};

function networkWords({ code }: FailureFacts): FailureWords {
  const actions = ['retry', 'openLog'] as const;
  switch (code) {
    case 'ENOTFOUND':
    case 'ERR_NAME_NOT_RESOLVED':
      return {
        title: l10n.t('There is no host of the name in the API root'),
        detail: l10n.t('Check the API root, and whether this machine is in the right network.'),
        actions,
      };
    case 'ECONNREFUSED':
    case 'ERR_CONNECTION_REFUSED':
      return {
        title: l10n.t('Nobody listens at the API root'),
        detail: l10n.t(
          'The host is there, but no service answers at this port. Check the API root, or try again in a while.',
        ),
        actions,
      };
    default:
      return {
        title: l10n.t('The service cannot be reached'),
        detail: l10n.t('Check the network, the proxy settings and the API root, then try again.'),
        actions,
      };
  }
}
