import * as vscode from 'vscode';
import { createServiceClient } from '../../api/index.ts';
import type { Log } from '../log/log.ts';
import type { Redactor } from '../log/redactor.ts';
import type { WatchFolder } from '../storage/watch.ts';
import { UserError, reportFailure } from '../words/report.ts';
import { AccountManager, type Preferences } from './accountManager.ts';
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
  ports: { readonly log: Log; readonly redactor: Redactor; readonly watch: WatchFolder },
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

/**
 * Reads the accounts, and signs in from the environment where that is due. Only the latter may use the network, the
 * first time that a key is seen.
 */
export async function startAccounts(accounts: AccountManager, log: Log): Promise<void> {
  try {
    await accounts.start();
    if (!accounts.needsEnvironment) return;
    const environment = readEnvironment(process.env);
    if (environment.kind === 'unusable') throw unusable(environment.variable);
    if (environment.kind === 'session') await accounts.signInFromEnvironment(environment.session);
  } catch (failure) {
    reportFailure(log, 'Starting the accounts', failure);
  }
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
