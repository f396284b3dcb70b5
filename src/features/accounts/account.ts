import { l10n } from 'vscode';
import { serviceUrlHost, parseServiceUrl } from '../../api/index.ts';
import type { PickOptions } from '../../platform/dialogs/dialogs.ts';
import type { PlatformServices } from '../../platform/services.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import type { Account, AccountState } from './accountStore.ts';
import type { AccountManager } from './accountManager.ts';
import type { AccountRecord } from './records.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';

export type { Account, AccountState, AccountStore } from './accountStore.ts';

/** The accounts of this editor, one of them active in this window. */
export type Accounts = Omit<
  AccountManager,
  'dispose' | 'needsEnvironment' | 'signInFromEnvironment' | 'start'
>;

export interface AccountServices extends PlatformServices {
  readonly accounts: Accounts;
}

/** The services that keep an account's lists of interns and secrets. */
export type ListServices = Pick<AccountServices, 'accounts' | 'clock' | 'contextKeys' | 'log'>;

/** Returns the active account. @throws UserError with a button to sign in */
export function activeAccount({ active }: Pick<Accounts, 'active'>): Account {
  if (active !== undefined) return active;
  throw new UserError(l10n.t('Sign in first.'), [
    { label: l10n.t('Sign In…'), command: 'interns.signIn' },
  ]);
}

const MAX_PART_CHARACTERS = 48;

/** Returns `LABEL · WORKSPACE` as inert text. */
export function accountName({ label, workspaceId }: AccountRecord): string {
  return `${keyLabel(label)} · ${plainLine(workspaceId, MAX_PART_CHARACTERS)}`;
}

export function keyLabel(label: string): string {
  return label.trim() === '' ? l10n.t('Unnamed API key') : plainLine(label, MAX_PART_CHARACTERS);
}

/** Returns the limit of an account's key and what is left of it, if both were read today. */
export function keyLimit(
  { limit, limitRemaining, keyReadAt = 0 }: AccountRecord,
  now: number,
): { readonly limit: number; readonly remaining: number } | undefined {
  const isOfToday = new Date(keyReadAt).toDateString() === new Date(now).toDateString();
  return isOfToday && typeof limit === 'number' && typeof limitRemaining === 'number'
    ? { limit, remaining: limitRemaining }
    : undefined;
}

export function accountStateLabel(state: AccountState): string {
  return {
    ready: l10n.t('signed in'),
    'needs-key': l10n.t('API key missing'),
    refused: l10n.t('API key refused'),
  }[state];
}

export function accountRow({
  record,
  state,
}: Account): Record<'label' | 'description' | 'detail', string> {
  return {
    label: accountName(record),
    description: accountStateLabel(state),
    detail: serviceUrlLabel(record.root),
  };
}

export function accountPick(title: string, all: readonly Account[]): PickOptions<Account> {
  return {
    title,
    placeholder: l10n.t('Select an account'),
    rows: all.map((account) => ({ ...accountRow(account), value: account })),
  };
}

/** Returns the host and port of a service URL, or other text on one plain line. */
export function serviceUrlLabel(root: string): string {
  const parsed = parseServiceUrl(root);
  return parsed.ok ? serviceUrlHost(parsed.value) : plainLine(root, MAX_PART_CHARACTERS);
}
