import { l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { pickStep, type Step, runSteps } from '../../platform/dialogs/steps.ts';
import { type Account, accountName, accountPick, type Accounts } from './account.ts';
import { formatNumber } from '../../platform/text/format.ts';

interface Activity {
  readonly runs: number;
  readonly questions: number;
}

export interface RunsOfAccounts {
  /** Returns whether a run of an account is under way in this window. */
  isRunning(account: string): boolean;
  onDidChange(listener: () => void): Disposable;
  /** Counts the runs in progress and the questions that wait for an answer, in all windows. */
  activity(account: Account): Promise<Activity>;
  stop(account: Account): Promise<void>;
}

export interface SignOutPorts {
  readonly accounts: Pick<Accounts, 'active' | 'all' | 'get' | 'signOut'>;
  readonly dialogs: Dialogs;
  readonly runs: Pick<RunsOfAccounts, 'activity' | 'stop'>;
  readonly forgetDrafts: (account: Account) => Promise<void>;
}

interface Values {
  readonly account: Account;
  readonly forgetData: boolean;
}

/**
 * Asks which account to sign out of, if there are several, and whether to delete its data.
 *
 * @param confirmed the ID of an account whose sign-out was confirmed elsewhere; it happens even if the user leaves the
 *   dialog, but then the data is kept
 */
export async function signOut(ports: SignOutPorts, confirmed?: string): Promise<void> {
  const { accounts, dialogs, runs, forgetDrafts } = ports;
  const proposed = confirmed === undefined ? accounts.active : accounts.get(confirmed);
  if (proposed === undefined) return;
  const initial: Values = { account: proposed, forgetData: false };
  const steps = [dataStep(ports)];
  if (confirmed === undefined && accounts.all.length > 1)
    steps.unshift(pickStep('account', () => accountPick(l10n.t('Sign Out'), accounts.all)));
  const { kind, values } = await runSteps(dialogs, steps, initial);
  if (kind === 'left' && confirmed === undefined) return;
  const { account, forgetData } = kind === 'done' ? values : initial;
  await runs.stop(account);
  if (forgetData) await forgetDrafts(account);
  await accounts.signOut(account.id, { forgetData });
}

function dataStep({ runs }: SignOutPorts): Step<Values> {
  return pickStep('forgetData', async ({ account }) => ({
    title: l10n.t('Sign out of {0}', accountName(account.record)),
    placeholder: consequences(await runs.activity(account)),
    rows: [
      {
        label: l10n.t('Sign out and keep its lists and conversations'),
        detail: l10n.t('They come back when you sign in to this account again.'),
        value: false,
      },
      {
        label: l10n.t('Sign out and delete its lists and conversations'),
        detail: l10n.t(
          'Deletes only what VS Code keeps. Interns, secrets and sessions stay on the service.',
        ),
        value: true,
      },
    ],
  }));
}

function consequences({ runs, questions }: Activity): string {
  if (runs === 0 && questions === 0) return l10n.t('Removes the API key from VS Code.');
  return l10n.t(
    'Removes the API key and stops active runs ({0}) and open questions ({1}).',
    formatNumber(runs),
    formatNumber(questions),
  );
}
