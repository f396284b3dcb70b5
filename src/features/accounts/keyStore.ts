import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { SecretStorage } from 'vscode';
import type { ServiceUrl } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Redactor } from '../../platform/log/redactor.ts';

/** An API key and the service URL that it was entered for. */
export interface Credentials {
  readonly root: string;
  readonly key: string;
}

/** Credentials whose URL was parsed. */
export type CheckedCredentials = Credentials & { readonly root: ServiceUrl };

export type SecretStore = Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export interface KeyStorePorts {
  readonly secrets: SecretStore;
  readonly log: Pick<Log, 'warn'>;
  /** Masks every key in the log. */
  readonly redactor: Pick<Redactor, 'add'>;
}

const SECRET_KEY_PREFIX = 'account:';

const credentialsSchema: v.GenericSchema<unknown, Credentials> = v.object({
  root: v.string(),
  key: v.string(),
});

/**
 * The credentials of all accounts in the editor's secret storage, read once each. Those that this window stored work in it
 * even if the storage lost them: some hosts have no keyring.
 */
export class KeyStore {
  readonly #ports: KeyStorePorts;
  readonly #read = new Map<string, Promise<Credentials | undefined>>();

  constructor(ports: KeyStorePorts) {
    this.#ports = ports;
  }

  /** Returns the credentials of an account; undefined if the editor has none or fails. */
  get(accountId: string): Promise<Credentials | undefined> {
    const credentials = this.#read.get(accountId) ?? this.#load(accountId);
    this.#read.set(accountId, credentials);
    return credentials;
  }

  /** Keeps credentials until this window closes. */
  keep(accountId: string, credentials: Credentials): void {
    this.#ports.redactor.add(credentials.key);
    this.#read.set(accountId, Promise.resolve(credentials));
  }

  /** Stores credentials. If the editor fails to, they last until this window closes. */
  async put(accountId: string, credentials: Credentials): Promise<void> {
    this.keep(accountId, credentials);
    try {
      await this.#ports.secrets.store(SECRET_KEY_PREFIX + accountId, JSON.stringify(credentials));
    } catch (failure) {
      this.#ports.log.warn('The editor could not keep an API key', failure);
    }
  }

  /** Deletes credentials. A failure of the editor must not prevent the sign-out. */
  async delete(accountId: string): Promise<void> {
    this.#read.delete(accountId);
    try {
      await this.#ports.secrets.delete(SECRET_KEY_PREFIX + accountId);
    } catch (failure) {
      this.#ports.log.warn('The editor could not forget an API key', failure);
    }
  }

  /** Calls back when any window stored or deleted the credentials of an account, once they have been read again. */
  onDidChange(listener: (accountId: string) => void): Disposable {
    return this.#ports.secrets.onDidChange(({ key }) => {
      const accountId = key.slice(SECRET_KEY_PREFIX.length);
      if (key.startsWith(SECRET_KEY_PREFIX))
        void this.#refresh(accountId).then(() => listener(accountId));
    });
  }

  /** Reads credentials again. Keeps the known ones if the storage has none. */
  async #refresh(accountId: string): Promise<void> {
    const known = await this.get(accountId);
    const credentials = (await this.#load(accountId)) ?? known;
    this.#read.set(accountId, Promise.resolve(credentials));
  }

  async #load(accountId: string): Promise<Credentials | undefined> {
    try {
      const text = await this.#ports.secrets.get(SECRET_KEY_PREFIX + accountId);
      if (text === undefined) return undefined;
      const result = v.safeParse(credentialsSchema, JSON.parse(text));
      if (!result.success) return undefined;
      this.#ports.redactor.add(result.output.key);
      return result.output;
    } catch (failure) {
      // A SyntaxError of JSON.parse quotes the text.
      const reason = failure instanceof SyntaxError ? undefined : failure;
      this.#ports.log.warn('VS Code could not read the API key of an account', reason);
      return undefined;
    }
  }
}

const REMEMBERED_KEY = 'environment';

/** Remembers the account of the environment's key by a hash, so that the next window needs no request. */
export async function rememberEnvironment(
  store: SecretStore,
  credentials: CheckedCredentials,
  account: string,
): Promise<void> {
  try {
    await store.store(REMEMBERED_KEY, `${environmentFingerprint(credentials)}/${account}`);
  } catch {
    // The next window asks the service.
  }
}

/** Returns the account of this URL and key, if they are known. */
export async function recallEnvironment(
  store: SecretStore,
  credentials: CheckedCredentials,
): Promise<string | undefined> {
  try {
    const [fingerprint, account] = (await store.get(REMEMBERED_KEY))?.split('/') ?? [];
    return fingerprint === environmentFingerprint(credentials) ? account : undefined;
  } catch {
    return undefined;
  }
}

function environmentFingerprint({ root, key }: CheckedCredentials): string {
  return hash('sha256', JSON.stringify([root, key]));
}
