import { l10n } from 'vscode';
import type { WordsOf } from './explanation.ts';

/** Failures of the key, and of what it may reach (interface: Authentication, Access rules). */
export const accessWords: WordsOf<
  'signed-out' | 'left-organization' | 'outsider' | 'vault-writes-off' | 'intern-not-found'
> = {
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
            'This editor does not have the key at hand. Sign in with it once more: nothing else was lost.',
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
};
