import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { JsonFolder, type JsonFolderOptions } from '../../platform/storage/jsonFolder.ts';
import { accountPaths } from '../../platform/storage/layout.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import type { AccountStore } from './account.ts';
import { creationSchema, internSchema, secretSchema } from './records.ts';

export interface StorePorts {
  /** Absolute path of the extension's global storage. */
  readonly storageRoot: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
}

/** An account's folders, until they are disposed of. */
export interface OpenAccountStore extends AccountStore, Disposable {
  /** Absolute path of the folder that holds everything of the account. */
  readonly folder: string;
}

/** Opens the folders of one account. Nothing is read or watched before a list is asked for. */
export function openAccountStore(
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
    interns: open(paths.interns, internSchema, ({ id }) => id),
    secrets: open(paths.secrets, secretSchema, ({ name }) => name),
    creations: open(paths.creations, creationSchema, ({ id }) => id),
    conversationsDir: paths.conversations,
    questionsDir: paths.questions,
    draftsDir: paths.drafts,
    dispose: () => lists.dispose(),
  };
}
