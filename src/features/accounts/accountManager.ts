import pLimit from 'p-limit';
import type { Memento } from 'vscode';
import {
  ApiError,
  parseServiceUrl,
  type FetchLike,
  type ServiceUrl,
  type KeyInfo,
  type RequestLogEntry,
  type ServiceClient,
  type ServiceClientConfig,
} from '../../api/index.ts';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { accountPaths, accountsDir } from '../../platform/storage/layout.ts';
import { deleteAccountData, finishDeletions, markDeletion } from './accountDeletion.ts';
import {
  type Account,
  type AccountEntry,
  accountOf,
  openAccountStore,
  type StorePorts,
} from './accountStore.ts';
import { accountIdOf, type AccountRecord, accountRecordSchema } from './records.ts';
import {
  type CheckedCredentials,
  KeyStore,
  type KeyStorePorts,
  recallEnvironment,
  rememberEnvironment,
  type Credentials,
} from './keyStore.ts';

interface AccountPorts extends StorePorts, KeyStorePorts {
  readonly log: Log;
  /** Keeps the active account, the URL of the account that was signed out last, and the choices about the environment. */
  readonly globalState: Memento;
  readonly createClient: (config: ServiceClientConfig) => ServiceClient;
  /** Wall clock, epoch ms. */
  readonly now: () => number;
}

const ACTIVE_ACCOUNT_KEY = 'activeAccount';
const SIGNED_OUT_ROOT_KEY = 'signedOutRoot';
/** Set when the account of the environment was signed out, so that it does not return by itself. */
const ENVIRONMENT_DISMISSED_KEY = 'environmentDismissed';
/** The service URL that the environment's key must not be sent to. */
const ENVIRONMENT_REFUSED_KEY = 'environmentRefused';

/**
 * Keeps the accounts in files that all windows share, and their keys in the editor's secret storage. A key is stored
 * with the service URL that it was entered for and used only there, so an edited account file cannot redirect it.
 */
export class AccountManager extends DisposableBase {
  readonly #ports: AccountPorts;
  readonly #changed = this.own(new Emitter<void>());
  readonly #records: JsonFolder<AccountRecord>;
  readonly #keys: KeyStore;
  /** The accounts by ID, in the order of their first sign-in. */
  readonly #entries = new Map<string, AccountEntry>();
  #all: readonly Account[] = [];
  #activeId: string | undefined;
  readonly #recordInOrder = pLimit(1);
  #markLoaded: () => void = () => undefined;

  /** Fires when an account was added, removed, activated or changed. */
  readonly onDidChange = this.#changed.event;
  /** Resolves when the accounts have been read. Until then there are none. */
  readonly whenLoaded = new Promise<void>((resolve) => {
    this.#markLoaded = resolve;
  });

  constructor(ports: AccountPorts) {
    super();
    this.#ports = ports;
    const { storageRoot, watch, reportUnreadable } = ports;
    this.#keys = new KeyStore(ports);
    this.#records = this.own(
      new JsonFolder({
        folder: accountsDir(storageRoot),
        schema: accountRecordSchema,
        idOf: ({ id }) => id,
        watch,
        reportUnreadable,
      }),
    );
    this.own(this.#records.onDidChange(() => void this.#checkKeys(this.#followRecords())));
    this.own({
      dispose: () => {
        for (const { store } of this.#entries.values()) store.dispose();
        this.#entries.clear();
      },
    });
  }

  /** In the order of their first sign-in. */
  get all(): readonly Account[] {
    return this.#all;
  }

  get active(): Account | undefined {
    return this.#activeId === undefined ? undefined : this.get(this.#activeId);
  }

  /** The service URL of the account that was signed out last, unless its data was deleted or the environment set it. */
  get signedOutRoot(): string | undefined {
    return this.#ports.globalState.get<string>(SIGNED_OUT_ROOT_KEY);
  }

  get(id: string): Account | undefined {
    return this.#all.find((account) => account.id === id);
  }

  /** Reads the accounts from disk, then checks which of them have lost their key. @throws the system's error */
  async start(): Promise<void> {
    try {
      await finishDeletions(this.#ports.storageRoot, this.#ports.log);
      await this.#records.list();
      this.#followRecords();
      this.#publish();
    } finally {
      this.#markLoaded();
    }
    this.own(this.#keys.onDidChange((id) => void this.#checkKeys([id])));
    await this.#checkKeys([...this.#entries.keys()]);
  }

  /** True if the environment may sign in: no account has its own key, and the environment's was not signed out. */
  get needsEnvironment(): boolean {
    const entries = [...this.#entries.values()];
    return (
      entries.every(({ record, hasKey }) => !hasKey || record.fromEnvironment) &&
      this.#ports.globalState.get<string>(ENVIRONMENT_DISMISSED_KEY) === undefined
    );
  }

  /**
   * Signs in with the environment's URL and key if {@link needsEnvironment}. A known key needs no request.
   *
   * @param ask called before the first request to a URL that no account has; false refuses that URL for good
   * @returns its account; undefined if the environment is not to be used
   * @throws ApiError if the service refuses the key or does not respond
   */
  async signInFromEnvironment(
    credentials: CheckedCredentials,
    ask: (root: ServiceUrl) => Promise<boolean>,
  ): Promise<Account | undefined> {
    if (!this.needsEnvironment) return undefined;
    const known = await recallEnvironment(this.#ports.secrets, credentials);
    if (known !== undefined && this.#entries.get(known) !== undefined) {
      this.#keys.keep(known, credentials);
      return this.#activateSignedIn(known);
    }
    if (!(await this.#allowsServiceUrl(credentials.root, ask))) return undefined;
    return this.#signInWith(credentials, true);
  }

  /** Makes an account the active one of this window, and of windows opened later. */
  async activate(id: string): Promise<void> {
    if (this.#entries.get(id) === undefined) throw new Error('There is no such account');
    this.#activeId = id;
    this.#publish();
    await this.#ports.globalState.update(ACTIVE_ACCOUNT_KEY, id);
  }

  /**
   * Checks a key with the service (interface: GET /key), stores it with its URL, and activates its account.
   *
   * @throws ApiError if the service refuses the key or does not respond; nothing is stored then
   */
  async signIn(root: ServiceUrl, key: string, signal?: AbortSignal): Promise<Account> {
    const account = await this.#signInWith({ root, key }, false, signal);
    await this.#ports.globalState.update(ENVIRONMENT_DISMISSED_KEY, undefined);
    await this.#ports.globalState.update(ENVIRONMENT_REFUSED_KEY, undefined);
    return account;
  }

  /** Deletes an account's key, and its data if `forgetData`. Runs in progress keep the key. */
  async signOut(id: string, { forgetData }: { readonly forgetData: boolean }): Promise<void> {
    const { globalState, log, storageRoot } = this.#ports;
    const { root } = accountPaths(storageRoot, id);
    // Another window may have signed out of it and kept the data.
    const record = this.#entries.get(id)?.record;
    const isKept = !forgetData && record?.fromEnvironment === false;
    await globalState.update(SIGNED_OUT_ROOT_KEY, isKept ? record.root : undefined);
    if (record?.fromEnvironment === true)
      await globalState.update(ENVIRONMENT_DISMISSED_KEY, 'yes');
    await this.#keys.delete(id);
    if (forgetData) await markDeletion(root, log);
    // Removes the mark of a deletion that did not begin.
    else await finishDeletions(storageRoot, log);
    await this.#records.remove(id);
    if (forgetData) await deleteAccountData(root);
  }

  /**
   * Creates a client with the URL and key that an account has now. Without a key its calls fail with `signed-out`. The
   * outcome of its requests updates the state of the account.
   *
   * @param fetch sends the requests; without it, this window does
   * @throws ApiError `signed-out` if no account is given
   */
  client(account: Account | undefined, fetch?: FetchLike): ServiceClient {
    const root = parseServiceUrl(account?.record.root ?? '');
    if (account === undefined || !root.ok) {
      const message = 'No account is signed in';
      throw new ApiError({ kind: 'signed-out', route: 'key', message });
    }
    const credentials = this.#credentialsOf(account.id);
    return this.#ports.createClient({
      ...(fetch && { fetch }),
      root: root.value,
      key: async () => {
        // The given account may be older than the credentials.
        const current = await credentials;
        return current?.root === root.value ? current.key : '';
      },
      log: (entry) => {
        this.#ports.log.request(entry);
        this.#recordOutcome(entry, account.id, credentials);
      },
    });
  }

  /**
   * Asks the service about an account's key, and stores its label, expiry and limit unless the account has another key by
   * then. Does not reject if the disk fails.
   *
   * @throws ApiError
   */
  async readKeyInfo(id: string, signal?: AbortSignal): Promise<KeyInfo> {
    const used = this.#credentialsOf(id);
    const info = await this.client(this.get(id)).getKey({ signal });
    if (!(await this.#isCurrent(id, used))) return info;
    const now = this.#ports.now();
    try {
      await this.#records.update(
        id,
        (record) => record && { ...record, ...keyFacts(info, record, now) },
      );
    } catch (failure) {
      this.#ports.log.warn('The information on a key could not be stored', failure);
    }
    return info;
  }

  /** Returns whether the environment's key may be sent to a URL. Does not ask again about a refused one. */
  async #allowsServiceUrl(
    root: ServiceUrl,
    ask: (root: ServiceUrl) => Promise<boolean>,
  ): Promise<boolean> {
    if (this.#all.some(({ record }) => record.root === root)) return true;
    const { globalState } = this.#ports;
    if (globalState.get<string>(ENVIRONMENT_REFUSED_KEY) === root) return false;
    const isAllowed = await ask(root);
    if (!isAllowed) await globalState.update(ENVIRONMENT_REFUSED_KEY, root);
    // The user may have signed in by hand in the meantime.
    return isAllowed && this.needsEnvironment;
  }

  async #signInWith(
    credentials: CheckedCredentials,
    fromEnvironment: boolean,
    signal?: AbortSignal,
  ): Promise<Account> {
    const { root, key } = credentials;
    const { createClient, log, redactor, secrets, storageRoot } = this.#ports;
    redactor.add(key);
    const client = createClient({ root, key: () => key, log: (entry) => log.request(entry) });
    const info = await client.getKey({ signal });
    const { workspaceId, creatorUserId } = info;
    const id = accountIdOf({ root, workspaceId, creatorUserId });
    // Without a record, the data may be that of a deletion in another window that died.
    await finishDeletions(storageRoot, log);
    // Reads the records again if that failed at the start.
    await this.#records.list();
    const before = await this.#credentialsOf(id);
    if (fromEnvironment) {
      this.#keys.keep(id, credentials);
      await rememberEnvironment(secrets, credentials, id);
    } else {
      await this.#keys.put(id, credentials);
    }
    const now = this.#ports.now();
    try {
      await this.#records.update(id, (known) => ({
        id,
        root,
        workspaceId,
        creatorUserId,
        ...keyFacts(info, known, now),
        keyState: 'present',
        fromEnvironment,
        signedInAt: known?.signedInAt ?? now,
        // A lost key may have been another one.
        keySince: before?.key === key ? (known?.keySince ?? now) : now,
      }));
    } catch (failure) {
      // The user could not sign out of an account without a record, so its key would stay for good.
      if (before === undefined) await this.#keys.delete(id);
      throw failure;
    }
    return this.#activateSignedIn(id);
  }

  async #activateSignedIn(id: string): Promise<Account> {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new Error('Another window signed out of the account');
    entry.hasKey = true;
    await this.activate(id);
    return accountOf(entry);
  }

  /** Returns the credentials of an account; undefined if they are lost or were entered for another URL. */
  async #credentialsOf(id: string): Promise<Credentials | undefined> {
    const record = this.#entries.get(id)?.record;
    if (record === undefined) return undefined;
    const credentials = await this.#keys.get(id);
    return credentials?.root === record.root ? credentials : undefined;
  }

  async #checkKeys(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const credentials = await this.#credentialsOf(id);
      const entry = this.#entries.get(id);
      if (entry !== undefined) entry.hasKey = credentials !== undefined;
    }
    this.#publish();
  }

  /** Updates the state of an account from the outcome of a request with its present key. The latest outcome wins. */
  #recordOutcome(
    { kind }: RequestLogEntry,
    id: string,
    used: Promise<Credentials | undefined>,
  ): void {
    const isRefused = kind === 'left-organization' || kind === 'signed-out';
    if (!isRefused && kind !== null) return;
    const keyState = isRefused ? 'refused' : 'present';
    this.#recordInOrder(async () => {
      if (this.#entries.get(id)?.record.keyState === keyState) return;
      if (await this.#isCurrent(id, used))
        await this.#records.update(id, (record) => record && { ...record, keyState });
    }).catch((failure: unknown) => {
      this.#ports.log.error('The state of a key could not be stored', failure);
    });
  }

  /** Returns whether an account still has the key that was used. */
  async #isCurrent(id: string, used: Promise<Credentials | undefined>): Promise<boolean> {
    const [then, now] = await Promise.all([used, this.#credentialsOf(id)]);
    return then !== undefined && then.key === now?.key;
  }

  /** Opens and closes stores as any window adds and removes records. Returns the IDs of new accounts. */
  #followRecords(): readonly string[] {
    const before = new Map(this.#entries);
    this.#entries.clear();
    for (const record of this.#records.known.toSorted((a, b) => a.signedInAt - b.signedInAt)) {
      const known = before.get(record.id) ?? {
        store: openAccountStore(record.id, this.#ports),
        hasKey: true,
      };
      this.#entries.set(record.id, { ...known, record });
    }
    for (const [id, { store }] of before) if (!this.#entries.has(id)) store.dispose();
    return [...this.#entries.keys()].filter((id) => !before.has(id));
  }

  #publish(): void {
    const preferred = [this.#activeId, this.#ports.globalState.get<string>(ACTIVE_ACCOUNT_KEY)];
    const ids = [...this.#entries.keys()];
    this.#activeId = preferred.find((id) => id !== undefined && ids.includes(id)) ?? ids.at(-1);
    this.#all = [...this.#entries.values()].map(accountOf);
    this.#changed.fire();
  }
}

function keyFacts(
  { label, expiresAt, limit, limitRemaining }: KeyInfo,
  known: AccountRecord | undefined,
  keyReadAt: number,
): Pick<AccountRecord, 'label' | 'expiresAt' | 'limit' | 'limitRemaining' | 'keyReadAt'> {
  return { label: label ?? known?.label ?? '', expiresAt, limit, limitRemaining, keyReadAt };
}
