import * as vscode from 'vscode';
import { createServiceClient, type ApiRoot } from '../../api/index.ts';
import { plainText } from '../../platform/dialogs/plainText.ts';
import type { Log } from '../../platform/log/log.ts';
import { UserError, reportFailure } from '../../platform/words/report.ts';
import {
  AccountManager,
  type AccountPorts,
  type Preferences,
  type RootConsent,
} from './accountManager.ts';
import { readEnvironment } from './environment.ts';

/** Small texts in the editor's global state. */
export function preferencesOf(state: vscode.Memento): Preferences {
  return {
    get: (name) => {
      const value: unknown = state.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    set: (name, value) => state.update(name, value),
  };
}

/** Makes the accounts of this editor; they are read by {@link startAccounts}. */
export function createAccounts(
  context: vscode.ExtensionContext,
  ports: Pick<AccountPorts, 'log' | 'redactor' | 'watch' | 'reportUnreadable'>,
): AccountManager {
  return new AccountManager({
    ...ports,
    storageRoot: context.globalStorageUri.fsPath,
    secrets: context.secrets,
    preferences: preferencesOf(context.globalState),
    createClient: createServiceClient,
    now: Date.now,
  });
}

/** Reads the accounts, and signs in from the environment if needed, which uses the network for a key not seen before. */
export async function startAccounts(accounts: AccountManager, log: Log): Promise<void> {
  try {
    await accounts.start();
    if (!accounts.needsEnvironment) return;
    const environment = readEnvironment(process.env);
    if (environment.kind === 'unusable') throw unusable(environment.variable);
    if (environment.kind === 'session')
      await accounts.signInFromEnvironment(environment.session, askAboutRoot);
  } catch (failure) {
    reportFailure(log, 'Starting the accounts', failure);
  }
}

/**
 * A folder may set the environment (a container's settings, a hook of the shell), and so name the server that the key
 * goes to. In one that is trusted nothing is asked: the status bar shows the root.
 */
async function askAboutRoot(root: ApiRoot): Promise<RootConsent> {
  if (vscode.workspace.isTrusted) return 'agreed';
  const signIn = vscode.l10n.t('Sign In');
  const refuse = vscode.l10n.t('Never There');
  const chosen = await vscode.window.showWarningMessage(
    plainText(
      vscode.l10n.t(
        'This folder is not trusted, and the environment names {0} as the service. Send the API key of the environment there?',
        root,
      ),
    ),
    signIn,
    refuse,
  );
  if (chosen === undefined) return 'left';
  return chosen === signIn ? 'agreed' : 'refused';
}

function unusable(variable: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'The environment variable {0} cannot be used to sign in. Correct it, or sign in by hand.',
      variable,
    ),
    [{ label: vscode.l10n.t('Sign In'), command: 'interns.signIn' }],
  );
}
