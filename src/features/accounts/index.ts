import * as vscode from 'vscode';
import { createServiceClient, type ServiceUrl } from '../../api/index.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { plainText } from '../../platform/dialogs/plainText.ts';
import type { Log } from '../../platform/log/log.ts';
import { reportFailure } from '../../platform/text/reportFailure.ts';
import { AccountManager, type AccountPorts, type ServiceUrlConsent } from './accountManager.ts';
import { readEnvironment } from './environment.ts';

/** Creates the accounts of this editor; {@link startAccounts} reads them. */
export function createAccounts(
  context: vscode.ExtensionContext,
  ports: Pick<AccountPorts, 'log' | 'redactor' | 'watch' | 'reportUnreadable'>,
): AccountManager {
  return new AccountManager({
    ...ports,
    storageRoot: context.globalStorageUri.fsPath,
    secrets: context.secrets,
    preferences: context.globalState,
    createClient: createServiceClient,
    now: Date.now,
  });
}

/** Reads the accounts, and signs in from the environment if needed. Only a new key needs the network. */
export async function startAccounts(accounts: AccountManager, log: Log): Promise<void> {
  try {
    await accounts.start();
    if (!accounts.needsEnvironment) return;
    const session = readEnvironment(process.env);
    if (session !== undefined) await accounts.signInFromEnvironment(session, askAboutServiceUrl);
  } catch (failure) {
    reportFailure(log, 'Starting the accounts', failure);
  }
}

/**
 * Asks before the key is sent to the environment's URL from an untrusted folder, which may have set that URL itself (by
 * container settings or a shell hook). A user who leaves the question agrees by trusting the folder.
 */
async function askAboutServiceUrl(root: ServiceUrl): Promise<ServiceUrlConsent> {
  if (vscode.workspace.isTrusted) return 'agreed';
  const listening = new DisposableStore();
  const trusted = new Promise<'agreed'>((resolve) => {
    listening.add(vscode.workspace.onDidGrantWorkspaceTrust(() => resolve('agreed')));
  });
  const chosen = showQuestion(root).then((answer) => (answer === 'left' ? trusted : answer));
  const answer = await Promise.race([chosen, trusted]);
  listening.dispose();
  return answer;
}

async function showQuestion(root: ServiceUrl): Promise<ServiceUrlConsent> {
  const signIn = vscode.l10n.t('Sign In');
  const refuse = vscode.l10n.t('Don’t Send or Ask Again');
  const chosen = await vscode.window.showWarningMessage(
    plainText(
      vscode.l10n.t(
        'This untrusted folder sets the service to {0}. Send your API key to that server?',
        root,
      ),
    ),
    signIn,
    refuse,
  );
  if (chosen === undefined) return 'left';
  return chosen === signIn ? 'agreed' : 'refused';
}
