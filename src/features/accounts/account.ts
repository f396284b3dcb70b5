import { l10n } from 'vscode';
import {
  type ApiRoot,
  hostOf,
  type KeyInfo,
  parseApiRoot,
  type ServiceClient,
} from '../../api/index.ts';
import type { Event } from '../../base/event.ts';
import { UserError } from '../../platform/words/report.ts';
import type { Collection } from '../../platform/storage/jsonFolder.ts';
import type {
  AccountRecord,
  AllowedRecord,
  CreationRecord,
  InternRecord,
  SecretRecord,
} from './records.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';

/** What this editor keeps for one account. Nothing is read before it is asked for. */
export interface AccountStore {
  readonly interns: Collection<InternRecord>;
  readonly secrets: Collection<SecretRecord>;
  readonly creations: Collection<CreationRecord>;
  /** What was allowed always from this editor. */
  readonly allowed: Collection<AllowedRecord>;
  /** Absolute path of the folder of conversation records; may not exist yet. */
  readonly conversationsDir: string;
  /** Absolute path of the folder of drafts, in which each workspace has its own; may not exist yet. */
  readonly draftsDir: string;
}

/**
 * Whether an account can speak to the service: `ready`; `needs-key` where the host has lost the key (no keyring,
 * another window of code-server); `refused` where the service answered 401 to it, or 403 on the routes of chat and key.
 */
export type AccountState = 'ready' | 'needs-key' | 'refused';

/** An API root, a workspace in it, and who acts there. A rotated key is the same account. */
export interface Account {
  readonly id: string;
  readonly record: AccountRecord;
  readonly state: AccountState;
  /** The same one from sign-in to sign-out; the next sign-in opens another. */
  readonly store: AccountStore;
  /** What the service last said of the key in this window; undefined where it was not asked yet. */
  readonly keyInfo: KeyInfo | undefined;
}

/** What becomes of an account's lists and conversations when it is signed out. */
export interface SignOutOptions {
  readonly forgetData: boolean;
}

/** The accounts of this editor, one of them active in this window. */
export interface Accounts {
  /** In the order of their first sign-in. */
  readonly all: readonly Account[];
  readonly active: Account | undefined;
  /** An account was added, removed, activated, or is not what it was. */
  readonly onDidChange: Event<void>;
  /** Settled when the accounts have been read from disk; before that there are none. */
  readonly whenLoaded: Promise<void>;

  get(id: string): Account | undefined;

  /** Makes an account the active one of this window, and of windows opened later. */
  activate(id: string): Promise<void>;

  /**
   * Checks a key with GET /key, keeps it with its root, and makes its account the active one.
   *
   * @throws ApiError where the service refuses the key or does not answer; nothing is kept then.
   */
  signIn(root: ApiRoot, key: string, signal?: AbortSignal): Promise<Account>;

  /** Forgets an account's key, and its lists and conversations where asked to. Runs under way keep their key. */
  signOut(id: string, options: SignOutOptions): Promise<void>;

  /**
   * A client of the given account, or the active one. It holds on to the root and the key of this moment, whatever
   * happens to the account later. Where there is no key, its calls fail with an `ApiError` of kind `signed-out`; a 401,
   * and on the routes of chat and key a 403, marks the account by itself, and a later success takes the mark away.
   *
   * @throws ApiError `signed-out` where no account was given and none is active.
   */
  client(account?: Account): ServiceClient;

  /** Asks the service about an account's key (GET /key), and takes note of its label and expiry. @throws ApiError */
  readKeyInfo(id: string, signal?: AbortSignal): Promise<KeyInfo>;
}

/** The active account. @throws UserError, with a button to sign in, where nobody is signed in. */
export function activeAccount({ active }: Pick<Accounts, 'active'>): Account {
  if (active !== undefined) return active;
  throw new UserError(l10n.t('Sign in first.'), [
    { label: l10n.t('Sign In…'), command: 'interns.signIn' },
  ]);
}

/** Most characters of a label or a workspace in one line. */
const MAX_PART_CHARACTERS = 48;

/** `LABEL · WORKSPACE`: what tells accounts apart, as inert text. */
export function accountName({ label, workspaceId }: AccountRecord): string {
  return `${accountLabel(label)} · ${plainLine(workspaceId, MAX_PART_CHARACTERS)}`;
}

/** The label of a key; a key may have none. */
export function accountLabel(label: string): string {
  return label.trim() === '' ? l10n.t('Unnamed API key') : plainLine(label, MAX_PART_CHARACTERS);
}

/** The state of an account, in words that say what it needs. */
export function accountStateLabel(state: AccountState): string {
  return {
    ready: l10n.t('signed in'),
    'needs-key': l10n.t('needs its key again'),
    refused: l10n.t('its key is refused'),
  }[state];
}

/** Host and port of an API root. */
export function rootHost(root: string): string {
  const parsed = parseApiRoot(root);
  return parsed.ok ? hostOf(parsed.value) : plainLine(root, MAX_PART_CHARACTERS);
}
