import { l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { type Step, runSteps } from '../../platform/dialogs/steps.ts';
import {
  type Account,
  accountName,
  type Accounts,
  accountStateLabel,
  shownHost,
} from './account.ts';
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
  readonly forgetData: boolean | undefined;
}

/** Asks which account to sign out of, if there are several, and whether to delete its data. */
export async function signOut(ports: SignOutPorts): Promise<void> {
  const { accounts, dialogs } = ports;
  const account = accounts.active;
  if (account === undefined) return;
  const initial: Values = { account, forgetData: undefined };
  const steps = [accountStep(accounts.all), dataStep(ports)];
  const { kind, values } = await runSteps(dialogs, steps, initial);
  if (kind === 'done') await performSignOut(ports, values);
}

/** Signs out after a confirmation elsewhere. Asks only about the data, and keeps it if the user leaves. */
export async function signOutOfAccount(ports: SignOutPorts, accountId: string): Promise<void> {
  const account = ports.accounts.get(accountId);
  if (account === undefined) return;
  const initial: Values = { account, forgetData: undefined };
  const { kind, values } = await runSteps(ports.dialogs, [dataStep(ports)], initial);
  await performSignOut(ports, kind === 'done' ? values : initial);
}

async function performSignOut(
  { accounts, runs, forgetDrafts }: SignOutPorts,
  { account, forgetData = false }: Values,
): Promise<void> {
  await runs.stop(account);
  if (forgetData) await forgetDrafts(account);
  await accounts.signOut(account.id, { forgetData });
}

function accountStep(all: readonly Account[]): Step<Values> {
  return {
    id: 'account',
    applies: () => all.length > 1,
    show: (values, ask) =>
      ask.pick({
        title: l10n.t('Sign Out'),
        placeholder: l10n.t('Select an account'),
        active: values.account,
        rows: all.map((account) => ({
          label: accountName(account.record),
          description: accountStateLabel(account.state),
          detail: shownHost(account.record.root),
          value: account,
        })),
        write: (account) => ({ ...values, account }),
      }),
  };
}

function dataStep({ runs }: SignOutPorts): Step<Values> {
  return {
    id: 'data',
    show: async ({ account }, ask) =>
      ask.pick({
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
        write: (forgetData) => ({ account, forgetData }),
      }),
  };
}

function consequences({ runs, questions }: Activity): string {
  if (runs === 0 && questions === 0) return l10n.t('Removes the API key from VS Code.');
  return l10n.t(
    'Removes the API key and stops active runs ({0}) and open questions ({1}).',
    formatNumber(runs),
    formatNumber(questions),
  );
}
