import { l10n } from 'vscode';
import type { Route } from '../../api/index.ts';
import type { WordsOf } from './explanation.ts';

/** Failures of what a request says, or of how the service answers it (interface: Errors). */
export const requestWords: WordsOf<
  | 'invalid-request'
  | 'refused'
  | 'payload-too-large'
  | 'rate-limited'
  | 'server-error'
  | 'unexpected-answer'
> = {
  'invalid-request': ({ route }) => ({
    title: l10n.t('The service did not accept what was sent'),
    detail: possibleCauses(route),
    actions: route === 'chat' ? ['editLast'] : [],
  }),
  refused: ({ route }) => ({
    title: l10n.t('The service refused the request'),
    detail: possibleCauses(route),
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
      'The service limits them for the user or organization of this API key. Try again in a while.',
    ),
    actions: ['retry'],
  }),
  'server-error': ({ route, inStream }) => ({
    title: inStream
      ? l10n.t('The run failed for a reason that the service did not name')
      : l10n.t('The service failed'),
    detail:
      route === 'create'
        ? l10n.t(
            'Whether the intern was created is not known. Resume the creation: that never creates a second one.',
          )
        : l10n.t('Nothing is wrong with what you did. Try again in a while.'),
    actions: ['retry', 'openLog'],
  }),
  'unexpected-answer': ({ route }) => ({
    title: l10n.t('The answer of the service could not be read'),
    detail:
      route === 'create' || route === 'secret'
        ? l10n.t(
            'The service accepted the request, but its answer lacks what it should hold. A newer version of this extension may understand it.',
          )
        : l10n.t(
            'It lacks what it should hold. A newer version of this extension may understand it.',
          ),
    actions: ['openLog'],
  }),
};

/** What may be behind a refusal that names no reason (interface: Errors, "Other routes", not shown). */
function possibleCauses(route: Route): string {
  switch (route) {
    case 'chat':
      return l10n.t(
        'The message or the answer breaks one of its rules; for an answer, the intern may not have accepted it. Change it and send it again.',
      );
    case 'create':
      return l10n.t(
        'Possible causes: you already have an intern of this name in the workspace, the workspace is not that of the API key, or this API root is a regional hostname, where interns cannot be created.',
      );
    case 'secret':
      return l10n.t(
        'Possible causes: the service does not allow one of the hosts, the name or the value, or this API root is a regional hostname, where secrets cannot be stored.',
      );
    case 'key':
      return l10n.t('Check the API root and the API key, then sign in again.');
  }
}
