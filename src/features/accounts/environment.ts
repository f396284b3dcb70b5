import { l10n, window, workspace } from 'vscode';
import { parseKey, parseServiceUrl, type ServiceUrl } from '../../api/index.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { plainText } from '../../platform/dialogs/plainText.ts';
import type { Log } from '../../platform/log/log.ts';
import { reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import type { AccountManager } from './accountManager.ts';
import type { CheckedCredentials } from './keyStore.ts';

/** Variables that sign in if no key is stored. Both must be set. */
export const ENVIRONMENT_VARIABLES = {
  root: 'INTERNS_BASE_URL',
  key: 'INTERNS_API_KEY',
} as const;

/** Reads the accounts, and signs in from the environment if needed. Only a new key needs the network. */
export async function startAccounts(accounts: AccountManager, log: Log): Promise<void> {
  try {
    await accounts.start();
    if (!accounts.needsEnvironment) return;
    const found = readEnvironment(process.env);
    if (found !== undefined) await accounts.signInFromEnvironment(found, askAboutServiceUrl);
  } catch (failure) {
    reportFailure(log, 'Starting the accounts', failure);
  }
}

/**
 * Asks before the key is sent to the environment's URL from an untrusted folder, which may have set that URL itself (by
 * container settings or a shell hook). A user who leaves the question agrees by trusting the folder.
 */
async function askAboutServiceUrl(root: ServiceUrl): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const listening = new DisposableStore();
  const trusted = new Promise<true>((resolve) => {
    listening.add(workspace.onDidGrantWorkspaceTrust(() => resolve(true)));
  });
  const text = l10n.t(
    'This untrusted folder sets the service to {0}. Send your API key to that server?',
    root,
  );
  const signIn = l10n.t('Sign In');
  const refuse = l10n.t('Don’t Send or Ask Again');
  const chosen = window
    .showWarningMessage(plainText(text), signIn, refuse)
    .then((answer) => (answer === undefined ? trusted : answer === signIn));
  const isAllowed = await Promise.race([chosen, trusted]);
  listening.dispose();
  return isAllowed;
}

/** Reads the variables; undefined if they are not set. @throws UserError that names a malformed one */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): CheckedCredentials | undefined {
  const rootText = variables[ENVIRONMENT_VARIABLES.root] ?? '';
  const keyText = variables[ENVIRONMENT_VARIABLES.key] ?? '';
  if (rootText.trim() === '' || keyText.trim() === '') return undefined;
  const root = parseServiceUrl(rootText);
  if (!root.ok) throw unusable(ENVIRONMENT_VARIABLES.root);
  const key = parseKey(keyText);
  if (!key.ok) throw unusable(ENVIRONMENT_VARIABLES.key);
  return { root: root.value, key: key.value };
}

function unusable(variable: string): UserError {
  return new UserError(
    l10n.t(
      'Couldn’t sign in with the environment variable {0}. Correct it, or sign in manually.',
      variable,
    ),
    [{ label: l10n.t('Sign In'), command: 'interns.signIn' }],
  );
}
