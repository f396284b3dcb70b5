import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../log/log.ts';
import { JsonFolder, type JsonFolderOptions } from '../storage/jsonFolder.ts';
import { accountPaths } from '../storage/layout.ts';
import type { CreationRecord, InternRecord, SecretRecord } from '../storage/records.ts';
import { creationSchema, internSchema, secretSchema } from '../storage/schemas.ts';
import type { WatchFolder } from '../storage/watch.ts';
import type { AccountStore } from './account.ts';

/** What a {@link FileAccountStore} needs of the world. */
export interface StorePorts {
  /** Absolute path of the extension's global storage. */
  readonly storageRoot: string;
  readonly watch: WatchFolder;
  readonly log: Pick<Log, 'warn'>;
}

/** The folders of one account. Nothing is read or watched before a list is asked for. */
export class FileAccountStore implements AccountStore, Disposable {
  /** Absolute path of the folder that holds everything of the account. */
  readonly folder: string;
  readonly interns: JsonFolder<InternRecord>;
  readonly secrets: JsonFolder<SecretRecord>;
  readonly creations: JsonFolder<CreationRecord>;
  readonly conversationsDir: string;
  readonly questionsDir: string;
  readonly #disposables = new DisposableStore();

  constructor(accountId: string, { storageRoot, watch, log }: StorePorts) {
    const paths = accountPaths(storageRoot, accountId);
    const open = <T>(options: Omit<JsonFolderOptions<T>, 'watch' | 'log'>): JsonFolder<T> =>
      this.#disposables.add(new JsonFolder({ ...options, watch, log }));
    this.folder = paths.root;
    this.interns = open({ folder: paths.interns, schema: internSchema, idOf: ({ id }) => id });
    this.secrets = open({ folder: paths.secrets, schema: secretSchema, idOf: ({ name }) => name });
    this.creations = open({
      folder: paths.creations,
      schema: creationSchema,
      idOf: ({ id }) => id,
    });
    this.conversationsDir = paths.conversations;
    this.questionsDir = paths.questions;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
