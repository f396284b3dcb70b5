import { l10n } from 'vscode';
import { hostOf, type KeyInfo, parseApiRoot } from '../../api/index.ts';
import { UserError } from '../../platform/words/report.ts';
import type { Collection } from '../../platform/storage/jsonFolder.ts';
import type { AccountManager } from './accountManager.ts';
import type {
  AccountRecord,
  AllowedRecord,
  CreationRecord,
  InternRecord,
  SecretRecord,
} from './records.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';

/** The data of one account on disk, read on first use. */
export interface AccountStore {
  readonly interns: Collection<InternRecord>;
  readonly secrets: Collection<SecretRecord>;
  readonly creations: Collection<CreationRecord>;
  /** Operations that were always allowed here. */
  readonly allowed: Collection<AllowedRecord>;
  /** Absolute path of the conversation records; may not exist yet. */
  readonly conversationsDir: string;
  /** Absolute path of the drafts, with a folder for each workspace; may not exist yet. */
  readonly draftsDir: string;
}

/**
 * Whether an account can use the service. `needs-key`: the host lost the key (no keyring, another window of
 * code-server). `refused`: the service answered 401, or 403 on the routes of chat and key.
 */
export type AccountState = 'ready' | 'needs-key' | 'refused';

/** A service URL, a workspace and the creator of the key. A rotated key belongs to the same account. */
export interface Account {
  readonly id: string;
  readonly record: AccountRecord;
  readonly state: AccountState;
  /** The same object from sign-in to sign-out. */
  readonly store: AccountStore;
  /** The last information about the key in this window; undefined before the first request. */
  readonly keyInfo: KeyInfo | undefined;
}

/** The accounts of this editor, one of them active in this window. */
export type Accounts = Pick<
  AccountManager,
  | 'all'
  | 'active'
  | 'onDidChange'
  | 'whenLoaded'
  | 'get'
  | 'activate'
  | 'signIn'
  | 'signOut'
  | 'client'
  | 'readKeyInfo'
>;

/** Returns the active account. @throws UserError with a button to sign in */
export function activeAccount({ active }: Pick<Accounts, 'active'>): Account {
  if (active !== undefined) return active;
  throw new UserError(l10n.t('Sign in first.'), [
    { label: l10n.t('Sign In…'), command: 'interns.signIn' },
  ]);
}

/** Longest label or workspace in one line, in characters. */
const MAX_PART_CHARACTERS = 48;

/** Returns `LABEL · WORKSPACE` as inert text. */
export function accountName({ label, workspaceId }: AccountRecord): string {
  return `${accountLabel(label)} · ${plainLine(workspaceId, MAX_PART_CHARACTERS)}`;
}

export function accountLabel(label: string): string {
  return label.trim() === '' ? l10n.t('Unnamed API key') : plainLine(label, MAX_PART_CHARACTERS);
}

export function accountStateLabel(state: AccountState): string {
  return {
    ready: l10n.t('signed in'),
    'needs-key': l10n.t('needs its key again'),
    refused: l10n.t('its key is refused'),
  }[state];
}

/** Returns host and port of a service URL. */
export function rootHost(root: string): string {
  const parsed = parseApiRoot(root);
  return parsed.ok ? hostOf(parsed.value) : plainLine(root, MAX_PART_CHARACTERS);
}
