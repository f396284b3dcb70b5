import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Redactor } from '../../platform/log/redactor.ts';

/** A key and the API root that it was entered for: kept, read and forgotten together. */
export interface StoredSession {
  readonly root: string;
  readonly key: string;
}

/** Where the editor keeps secrets; a `vscode.SecretStorage` is one. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  readonly onDidChange: Event<{ readonly key: string }>;
}

const PREFIX = 'account:';

const sessionSchema: v.GenericSchema<unknown, StoredSession> = v.object({
  root: v.string(),
  key: v.string(),
});

/**
 * The sessions of all accounts in the editor's secret storage, read once each.
 *
 * What this window stored works in this window even where the storage lost it: some hosts have no keyring, and reading
 * back does not show it.
 */
export class KeyStore {
  readonly #store: SecretStore;
  readonly #log: Pick<Log, 'warn'>;
  readonly #redactor: Pick<Redactor, 'add'>;
  readonly #read = new Map<string, Promise<StoredSession | undefined>>();

  /** @param redactor Is told every key, so that none passes into the log. */
  constructor(store: SecretStore, log: Pick<Log, 'warn'>, redactor: Pick<Redactor, 'add'>) {
    this.#store = store;
    this.#log = log;
    this.#redactor = redactor;
  }

  /** The session of an account; undefined where the editor has none, or cannot give it. */
  get(accountId: string): Promise<StoredSession | undefined> {
    let session = this.#read.get(accountId);
    if (session === undefined) {
      session = this.#load(accountId);
      this.#read.set(accountId, session);
    }
    return session;
  }

  /** Keeps a session. Where the editor cannot, it still holds until this window closes. */
  async put(accountId: string, session: StoredSession): Promise<void> {
    this.#redactor.add(session.key);
    this.#read.set(accountId, Promise.resolve(session));
    try {
      await this.#store.store(PREFIX + accountId, JSON.stringify(session));
    } catch (failure) {
      this.#log.warn('The editor could not keep an API key', failure);
    }
  }

  /** Forgets a session, here and in the editor; an editor that cannot must not keep its user from signing out. */
  async delete(accountId: string): Promise<void> {
    this.#read.delete(accountId);
    try {
      await this.#store.delete(PREFIX + accountId);
    } catch (failure) {
      this.#log.warn('The editor could not forget an API key', failure);
    }
  }

  /** Tells of accounts whose session was stored or deleted, in this window or another. */
  onDidChange(listener: (accountId: string) => void): Disposable {
    return this.#store.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) listener(key.slice(PREFIX.length));
    });
  }

  /** Reads an account's session from the storage again; what it held before is kept where that has none. */
  async refresh(accountId: string): Promise<void> {
    const held = await this.get(accountId);
    const session = (await this.#load(accountId)) ?? held;
    this.#read.set(accountId, Promise.resolve(session));
  }

  async #load(accountId: string): Promise<StoredSession | undefined> {
    try {
      const text = await this.#store.get(PREFIX + accountId);
      if (text === undefined) return undefined;
      const result = v.safeParse(sessionSchema, JSON.parse(text));
      if (!result.success) return undefined;
      this.#redactor.add(result.output.key);
      return result.output;
    } catch (failure) {
      // JSON.parse quotes what it cannot read, so only what the storage itself says may be logged.
      const reason = failure instanceof SyntaxError ? undefined : failure;
      this.#log.warn('The editor could not give the API key of an account', reason);
      return undefined;
    }
  }
}
