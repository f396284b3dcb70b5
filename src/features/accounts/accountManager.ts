import pLimit from 'p-limit';
import {
  ApiError,
  parseApiRoot,
  type ApiRoot,
  type KeyInfo,
  type RequestLogEntry,
  type ServiceClient,
  type ServiceClientConfig,
} from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Redactor } from '../../platform/log/redactor.ts';
import type { Account, Accounts, SignOutOptions } from './account.ts';
import { AccountBook, accountOf, type StorePorts } from './accountBook.ts';
import { accountIdOf, type AccountRecord } from './records.ts';
import { recallEnvironment, rememberEnvironment, type EnvironmentSession } from './environment.ts';
import { KeyStore, type SecretStore, type StoredSession } from './keyStore.ts';

/** Small texts that outlive the window, such as which account was active last. */
export interface Preferences {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined): PromiseLike<void>;
}

export interface AccountPorts extends StorePorts {
  readonly log: Log;
  readonly redactor: Pick<Redactor, 'add'>;
  readonly secrets: SecretStore;
  readonly preferences: Preferences;
  readonly createClient: (config: ServiceClientConfig) => ServiceClient;
  /** Wall clock, epoch ms. */
  readonly now: () => number;
}

const ACTIVE = 'activeAccount';
/** Set when the account of the environment was signed out: it must not come back by itself. */
const ENVIRONMENT_DISMISSED = 'environmentDismissed';
/** The API root that the environment's key must not be sent to. */
const ENVIRONMENT_REFUSED = 'environmentRefused';

/** What the user says of a new API root of the environment; `left` where they do not say. */
export type RootConsent = 'agreed' | 'refused' | 'left';

/**
 * Keeps the accounts in files that all windows share, their keys in the editor's secret storage, and the two apart.
 *
 * An account's file says that a key exists, never which; a key is used only with the root that is stored beside it, so
 * an edited file can send it nowhere.
 */
export class AccountManager extends DisposableBase implements Accounts {
  readonly #ports: AccountPorts;
  readonly #changed = this.own(new Emitter<void>());
  readonly #book: AccountBook;
  readonly #keys: KeyStore;
  /** The session of the environment and whose it is, once it is in use. */
  #environment: { readonly account: string; readonly session: StoredSession } | undefined;
  #all: readonly Account[] = [];
  #activeId: string | undefined;
  readonly #recordInOrder = pLimit(1);
  #markLoaded: () => void = () => undefined;

  readonly onDidChange = this.#changed.event;
  readonly whenLoaded = new Promise<void>((resolve) => {
    this.#markLoaded = resolve;
  });

  constructor(ports: AccountPorts) {
    super();
    this.#ports = ports;
    const { log, secrets, redactor } = ports;
    this.#keys = new KeyStore(secrets, log, redactor);
    this.#book = this.own(new AccountBook(ports, log));
  }

  get all(): readonly Account[] {
    return this.#all;
  }

  get active(): Account | undefined {
    return this.#activeId === undefined ? undefined : this.get(this.#activeId);
  }

  get(id: string): Account | undefined {
    return this.#all.find((account) => account.id === id);
  }

  /**
   * Reads the accounts from disk, then looks which of them have lost their key. Touches no network.
   *
   * @throws The system's error where the accounts cannot be read.
   */
  async start(): Promise<void> {
    try {
      await this.#book.load();
      this.#publish();
    } finally {
      this.#markLoaded();
    }
    this.own(this.#book.onDidSync((added) => void this.#checkKeys(added)));
    this.own(this.#keys.onDidChange((id) => void this.#refreshKey(id)));
    await this.#checkKeys(this.#book.entries.map(({ record }) => record.id));
  }

  /** Whether the environment may sign in: no account has a key of its own, and that of the environment was not signed out. */
  get needsEnvironment(): boolean {
    const { entries } = this.#book;
    return (
      entries.every(({ record, hasKey }) => !hasKey || record.fromEnvironment) &&
      this.#ports.preferences.get(ENVIRONMENT_DISMISSED) === undefined
    );
  }

  /**
   * Signs in with the environment's root and key, where {@link needsEnvironment}. A key that was seen before is
   * not asked about again, so that a window opens without the network.
   *
   * @param ask Called before the first request to an API root that none of the accounts has.
   * @returns Its account; undefined where the environment is not to be used.
   * @throws ApiError where the service refuses the key or does not answer.
   */
  async signInFromEnvironment(
    session: EnvironmentSession,
    ask: (root: ApiRoot) => Promise<RootConsent>,
  ): Promise<Account | undefined> {
    if (!this.needsEnvironment) return undefined;
    this.#ports.redactor.add(session.key);
    const known = await recallEnvironment(this.#ports.secrets, session);
    if (known !== undefined && this.#book.get(known) !== undefined) {
      this.#environment = { account: known, session };
      return this.#activateSignedIn(known);
    }
    if (!(await this.#allowsRoot(session.root, ask))) return undefined;
    const { id, info } = await this.#identify(session.root, session.key);
    const before = await this.#sessionOf(id);
    this.#environment = { account: id, session };
    await rememberEnvironment(this.#ports.secrets, session, id);
    await this.#putRecord(id, session, before, info, true);
    return this.#activateSignedIn(id, info);
  }

  async activate(id: string): Promise<void> {
    if (this.#book.get(id) === undefined) throw new Error('There is no such account');
    this.#activeId = id;
    this.#publish();
    await this.#ports.preferences.set(ACTIVE, id);
  }

  async signIn(root: ApiRoot, key: string, signal?: AbortSignal): Promise<Account> {
    this.#ports.redactor.add(key);
    const { id, info } = await this.#identify(root, key, signal);
    const before = await this.#sessionOf(id);
    const session = { root, key };
    await this.#keys.put(id, session);
    await this.#putRecord(id, session, before, info, false);
    await this.#ports.preferences.set(ENVIRONMENT_DISMISSED, undefined);
    await this.#ports.preferences.set(ENVIRONMENT_REFUSED, undefined);
    return this.#activateSignedIn(id, info);
  }

  async signOut(id: string, { forgetData }: SignOutOptions): Promise<void> {
    const entry = this.#book.get(id);
    if (entry === undefined) return;
    if (entry.record.fromEnvironment) {
      this.#environment = undefined;
      await this.#ports.preferences.set(ENVIRONMENT_DISMISSED, 'yes');
    }
    await this.#keys.delete(id);
    await this.#book.remove(id, forgetData);
    this.#publish();
  }

  client(account: Account | undefined = this.active): ServiceClient {
    const root = parseApiRoot(account?.record.root ?? '');
    if (account === undefined || !root.ok) {
      const message = 'No account is signed in';
      throw new ApiError({ kind: 'signed-out', route: 'key', message });
    }
    const session = this.#sessionOf(account.id);
    return this.#ports.createClient({
      root: root.value,
      key: async () => {
        // The account given may be an older state of its record than the one that the session was held against.
        const held = await session;
        return held?.root === root.value ? held.key : '';
      },
      log: (entry) => {
        this.#ports.log.request(entry);
        this.#recordOutcome(entry, account.id, session);
      },
    });
  }

  async readKeyInfo(id: string, signal?: AbortSignal): Promise<KeyInfo> {
    const info = await this.client(this.get(id)).getKey({ signal });
    const entry = this.#book.get(id);
    if (entry !== undefined) entry.keyInfo = info;
    await this.#book.update(id, (record) => record && { ...record, ...labelsOf(info, record) });
    this.#publish();
    return info;
  }

  /** Whether the environment's key may be sent to a root. What was refused is not asked about again. */
  async #allowsRoot(root: ApiRoot, ask: (root: ApiRoot) => Promise<RootConsent>): Promise<boolean> {
    if (this.#book.entries.some(({ record }) => record.root === root)) return true;
    const { preferences } = this.#ports;
    if (preferences.get(ENVIRONMENT_REFUSED) === root) return false;
    const answer = await ask(root);
    if (answer === 'refused') await preferences.set(ENVIRONMENT_REFUSED, root);
    // Somebody may have signed in by hand meanwhile.
    return answer === 'agreed' && this.needsEnvironment;
  }

  /** Asks the service whose key this is. */
  async #identify(
    root: ApiRoot,
    key: string,
    signal?: AbortSignal,
  ): Promise<{ readonly id: string; readonly info: KeyInfo }> {
    const { createClient, log } = this.#ports;
    const client = createClient({ root, key: () => key, log: (entry) => log.request(entry) });
    const info = await client.getKey({ signal });
    const { workspaceId, creatorUserId } = info;
    return { id: accountIdOf({ root, workspaceId, creatorUserId }), info };
  }

  /** @param before The session that it takes the place of; undefined where there was none or it was lost. */
  #putRecord(
    id: string,
    { root, key }: StoredSession,
    before: StoredSession | undefined,
    info: KeyInfo,
    fromEnvironment: boolean,
  ): Promise<void> {
    const { workspaceId, creatorUserId } = info;
    const now = this.#ports.now();
    return this.#book.update(id, (known) => ({
      id,
      root,
      workspaceId,
      creatorUserId,
      ...labelsOf(info, known),
      keyState: 'present',
      fromEnvironment,
      signedInAt: known?.signedInAt ?? now,
      keySince: before?.key === key ? (known?.keySince ?? now) : now,
    }));
  }

  /** Makes an account that was just signed in the active one. */
  async #activateSignedIn(id: string, info?: KeyInfo): Promise<Account> {
    const entry = this.#book.get(id);
    if (entry === undefined) throw new Error('The account was signed out elsewhere meanwhile');
    entry.hasKey = true;
    entry.keyInfo = info ?? entry.keyInfo;
    await this.activate(id);
    return accountOf(entry);
  }

  /** The key of an account with its root; undefined where it is lost, or belongs to another root than the record's. */
  async #sessionOf(id: string): Promise<StoredSession | undefined> {
    const record = this.#book.get(id)?.record;
    if (record === undefined) return undefined;
    const session = record.fromEnvironment ? this.#environmentOf(id) : await this.#keys.get(id);
    return session?.root === record.root ? session : undefined;
  }

  #environmentOf(id: string): StoredSession | undefined {
    return this.#environment?.account === id ? this.#environment.session : undefined;
  }

  async #checkKeys(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const session = await this.#sessionOf(id);
      const entry = this.#book.get(id);
      if (entry !== undefined) entry.hasKey = session !== undefined;
    }
    this.#publish();
  }

  async #refreshKey(id: string): Promise<void> {
    await this.#keys.refresh(id);
    await this.#checkKeys([id]);
  }

  /** Marks the account by what became of its requests, one after the other, so that the latest counts. */
  #recordOutcome(
    { kind, status }: RequestLogEntry,
    id: string,
    used: Promise<StoredSession | undefined>,
  ): void {
    const refused = isRefusal(kind, status);
    if (!refused && kind !== null) return;
    const state = refused ? 'refused' : 'present';
    this.#recordInOrder(() => this.#setKeyState(id, state, used)).catch((failure: unknown) => {
      this.#ports.log.error('An account could not be marked', failure);
    });
  }

  /** Marks an account, unless the key that was used is not its key any more. */
  async #setKeyState(
    id: string,
    keyState: AccountRecord['keyState'],
    used: Promise<StoredSession | undefined>,
  ): Promise<void> {
    if (this.#book.get(id)?.record.keyState === keyState) return;
    const [then, now] = await Promise.all([used, this.#sessionOf(id)]);
    if (then === undefined || then.key !== now?.key) return;
    await this.#book.update(id, (record) => record && { ...record, keyState });
    this.#publish();
  }

  /** The account that was active last, else the one signed in last. */
  #preferredId(): string | undefined {
    const last = this.#ports.preferences.get(ACTIVE);
    if (last !== undefined && this.#book.get(last) !== undefined) return last;
    return this.#book.entries.at(-1)?.record.id;
  }

  #publish(): void {
    if (this.#activeId === undefined || this.#book.get(this.#activeId) === undefined)
      this.#activeId = this.#preferredId();
    this.#all = this.#book.entries.map(accountOf);
    this.#changed.fire();
  }
}

function isRefusal(kind: RequestLogEntry['kind'], status: number | null): boolean {
  return kind === 'left-organization' || (kind === 'signed-out' && status !== null);
}

/** What an account's record takes from its key. */
function labelsOf(
  { label, expiresAt }: KeyInfo,
  known: AccountRecord | undefined,
): Pick<AccountRecord, 'label' | 'expiresAt'> {
  return { label: label ?? known?.label ?? '', expiresAt };
}
