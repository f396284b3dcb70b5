import { rm } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { KeyInfo } from '../../api/index.ts';
import {
  type Disposable,
  DisposableBase,
  DisposableStore,
  Emitter,
} from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import {
  type Collection,
  JsonFolder,
  type JsonFolderOptions,
} from '../../platform/storage/jsonFolder.ts';
import { accountPaths, accountsDir } from '../../platform/storage/layout.ts';
import {
  type AccountRecord,
  accountRecordSchema,
  type AllowedRecord,
  allowedRecordSchema,
  type CreationRecord,
  creationRecordSchema,
  type InternRecord,
  internRecordSchema,
  type SecretRecord,
  secretRecordSchema,
} from './records.ts';
import type { PlatformServices } from '../../platform/services.ts';

/** The data of one account on disk, read on first use. */
export interface AccountStore {
  readonly interns: Collection<InternRecord>;
  readonly secrets: Collection<SecretRecord>;
  readonly creations: Collection<CreationRecord>;
  readonly allowed: Collection<AllowedRecord>;
  /** Absolute path of the conversation records; may not exist yet. */
  readonly conversationsDir: string;
  /** Responses that a stream keeper wrote, until they are on record. */
  readonly responsesDir: string;
  /** Absolute path of the drafts, with a folder for each workspace; may not exist yet. */
  readonly draftsDir: string;
}

/**
 * The readiness of an account to use the service. `needs-key`: the host lost the key (no keyring, another window of
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

export interface StorePorts extends Pick<PlatformServices, 'reportUnreadable' | 'watch'> {
  /** Absolute path of the extension's global storage. */
  readonly storageRoot: string;
}

type OpenAccountStore = AccountStore & Disposable & { readonly folder: string };

function openAccountStore(
  accountId: string,
  { storageRoot, watch, reportUnreadable }: StorePorts,
): OpenAccountStore {
  const paths = accountPaths(storageRoot, accountId);
  const lists = new DisposableStore();
  const open = <T>(
    folder: string,
    schema: JsonFolderOptions<T>['schema'],
    idOf: (record: T) => string,
  ) => lists.add(new JsonFolder({ folder, schema, idOf, watch, reportUnreadable }));
  return {
    folder: paths.root,
    interns: open(paths.interns, internRecordSchema, ({ id }) => id),
    secrets: open(paths.secrets, secretRecordSchema, ({ name }) => name),
    creations: open(paths.creations, creationRecordSchema, ({ id }) => id),
    allowed: open(paths.allowed, allowedRecordSchema, ({ id }) => id),
    conversationsDir: paths.conversations,
    responsesDir: paths.responses,
    draftsDir: paths.drafts,
    dispose: () => lists.dispose(),
  };
}

interface AccountEntry {
  readonly store: OpenAccountStore;
  readonly record: AccountRecord;
  /** True if this window has the key; true until that is checked. */
  hasKey: boolean;
  keyInfo: KeyInfo | undefined;
}

/** The signed-in accounts, in sync with their files, which all windows change. */
export class AccountRegistry extends DisposableBase {
  readonly #ports: StorePorts;
  readonly #added = this.own(new Emitter<readonly string[]>());
  readonly #records: JsonFolder<AccountRecord>;
  readonly #entries = new Map<string, AccountEntry>();
  readonly #inOrder = pLimit(1);

  /** Fires after each change of a file by any window, with the IDs of new accounts. */
  readonly onDidSync = this.#added.event;

  constructor(ports: StorePorts, log: Pick<Log, 'warn'>) {
    super();
    this.#ports = ports;
    const { storageRoot, watch, reportUnreadable } = ports;
    this.#records = this.own(
      new JsonFolder({
        folder: accountsDir(storageRoot),
        schema: accountRecordSchema,
        idOf: ({ id }) => id,
        watch,
        reportUnreadable,
      }),
    );
    this.own(
      this.#records.onDidChange(() => {
        this.load().catch((failure: unknown) => {
          log.warn('The accounts could not be read', failure);
        });
      }),
    );
  }

  /** Reads the accounts from disk, one reading after the other. @throws The system's error. */
  load(): Promise<void> {
    return this.#inOrder(() => this.#loadNow());
  }

  get(id: string): AccountEntry | undefined {
    return this.#entries.get(id);
  }

  /** In the order of their first sign-in. */
  get entries(): readonly AccountEntry[] {
    return [...this.#entries.values()].sort((a, b) => a.record.signedInAt - b.record.signedInAt);
  }

  async update(
    id: string,
    change: (known: AccountRecord | undefined) => AccountRecord | undefined,
  ): Promise<void> {
    await this.#records.update(id, change);
    await this.load();
  }

  /** Removes a record, and the account's folder if `forgetData`. */
  async remove(id: string, forgetData: boolean): Promise<void> {
    const folder = this.#entries.get(id)?.store.folder;
    await this.#records.remove(id);
    await this.load();
    if (forgetData && folder !== undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  override dispose(): void {
    super.dispose();
    for (const { store } of this.#entries.values()) store.dispose();
    this.#entries.clear();
  }

  async #loadNow(): Promise<void> {
    const records = await this.#records.list();
    const gone = new Set(this.#entries.keys());
    const added: string[] = [];
    for (const record of records) {
      gone.delete(record.id);
      const known = this.#entries.get(record.id);
      if (known === undefined) added.push(record.id);
      const store = known?.store ?? openAccountStore(record.id, this.#ports);
      const rest = known ?? { hasKey: true, keyInfo: undefined };
      this.#entries.set(record.id, { ...rest, store, record });
    }
    for (const id of gone) {
      this.#entries.get(id)?.store.dispose();
      this.#entries.delete(id);
    }
    this.#added.fire(added);
  }
}

export function accountOf({ record, store, hasKey, keyInfo }: AccountEntry): Account {
  return { id: record.id, record, state: stateOf(record, hasKey), store, keyInfo };
}

function stateOf({ keyState }: AccountRecord, hasKey: boolean): AccountState {
  if (!hasKey) return 'needs-key';
  return keyState === 'refused' ? 'refused' : 'ready';
}
