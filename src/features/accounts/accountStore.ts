import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import {
  type Collection,
  JsonFolder,
  type JsonFolderOptions,
} from '../../platform/storage/jsonFolder.ts';
import { accountPaths, type AccountPaths } from '../../platform/storage/layout.ts';
import {
  type AccountRecord,
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
  readonly paths: AccountPaths;
}

/**
 * The readiness of an account to use the service. `needs-key`: the host lost the key (no keyring, another window of
 * code-server). `refused`: the service responded with 401, or with 403 on the routes of chat and key (interface: Errors).
 */
export type AccountState = 'ready' | 'needs-key' | 'refused';

/** A service URL, a workspace and the creator of the key. A rotated key belongs to the same account. */
export interface Account {
  readonly id: string;
  readonly record: AccountRecord;
  readonly state: AccountState;
  /** The same object from sign-in to sign-out. */
  readonly store: AccountStore;
}

export interface StorePorts extends Pick<PlatformServices, 'reportUnreadable' | 'watch'> {
  /** Absolute path of the extension's global storage. */
  readonly storageRoot: string;
}

/** Opens the data of an account. Nothing is read yet. */
export function openAccountStore(
  accountId: string,
  { storageRoot, watch, reportUnreadable }: StorePorts,
): AccountStore & Disposable {
  const paths = accountPaths(storageRoot, accountId);
  const lists = new DisposableStore();
  const open = <T>(
    folder: string,
    schema: JsonFolderOptions<T>['schema'],
    idOf: (record: T) => string,
  ) => lists.add(new JsonFolder({ folder, schema, idOf, watch, reportUnreadable }));
  return {
    interns: open(paths.interns, internRecordSchema, ({ id }) => id),
    secrets: open(paths.secrets, secretRecordSchema, ({ name }) => name),
    creations: open(paths.creations, creationRecordSchema, ({ id }) => id),
    allowed: open(paths.allowed, allowedRecordSchema, ({ id }) => id),
    paths,
    dispose: () => lists.dispose(),
  };
}

export interface AccountEntry {
  readonly store: AccountStore & Disposable;
  readonly record: AccountRecord;
  /** True if this window has the key; true until that is checked. */
  hasKey: boolean;
}

export function accountOf({ record, store, hasKey }: AccountEntry): Account {
  const withKey = record.keyState === 'refused' ? 'refused' : 'ready';
  return { id: record.id, record, state: hasKey ? withKey : 'needs-key', store };
}
