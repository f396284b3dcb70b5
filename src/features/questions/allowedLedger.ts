import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { AllowedAlways } from '../../conversation/questions/allowed.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Log } from '../../platform/log/log.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import { formatDateTime } from '../../platform/words/format.ts';
import type { QuestionAccounts } from './questionIndex.ts';
import { operationName } from '../../platform/words/operations.ts';

const recordSchema: v.GenericSchema<unknown, AllowedAlways> = v.object({
  id: v.string(),
  intern: v.string(),
  internName: v.string(),
  operation: v.nullable(v.string()),
  allowedAt: v.number(),
  isUnclear: v.exactOptional(v.boolean()),
});

/** What an {@link AllowedLedger} is made of. */
interface AllowedLedgerOptions {
  readonly accounts: QuestionAccounts;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * What was allowed always from this editor, by intern and operation: one JSON file each, in the account's folder of
 * questions. It is a memory aid: the interface has no way to read or revoke what an intern was allowed. Nothing is read
 * before someone asks.
 */
export class AllowedLedger extends DisposableBase {
  readonly #options: AllowedLedgerOptions;
  readonly #folders = new Map<string, JsonFolder<AllowedAlways>>();

  constructor(options: AllowedLedgerOptions) {
    super();
    this.#options = options;
  }

  /** Everything that was allowed always, the latest first; nothing of what the disk does not give. */
  async list(): Promise<readonly AllowedAlways[]> {
    const { accounts, log } = this.#options;
    try {
      const folders = accounts.all.flatMap(({ id }) => this.#folder(id) ?? []);
      const lists = await Promise.all(folders.map((folder) => folder.list()));
      return lists.flat().sort((a, b) => b.allowedAt - a.allowedAt);
    } catch (failure) {
      log.warn('Could not read what was allowed always', failure);
      return [];
    }
  }

  /** Takes note that an operation was allowed always. A disk that fails loses the note and nothing else. */
  async add(account: string, record: AllowedAlways): Promise<void> {
    try {
      await this.#folder(account)?.put(record);
    } catch (failure) {
      this.#options.log.warn('Could not record what was allowed always', failure);
    }
  }

  /** Removes a record. A disk that fails keeps it. */
  async remove(account: string, id: string): Promise<void> {
    try {
      await this.#folder(account)?.remove(id);
    } catch (failure) {
      this.#options.log.warn('Could not remove a record of what was allowed always', failure);
    }
  }

  #folder(account: string): JsonFolder<AllowedAlways> | undefined {
    const { accounts, watch, reportUnreadable } = this.#options;
    const known = this.#folders.get(account);
    const paths = accounts.all.find(({ id }) => id === account)?.store;
    if (known !== undefined || paths === undefined) return known;
    const folder = this.own(
      new JsonFolder({
        folder: join(paths.questionsDir, 'allowed'),
        schema: recordSchema,
        idOf: ({ id }) => id,
        watch,
        reportUnreadable,
      }),
    );
    this.#folders.set(account, folder);
    return folder;
  }
}

/** Lists what was allowed always; only to be read, since nothing can be taken back from here. */
export async function showAllowed(records: readonly AllowedAlways[]): Promise<void> {
  const { l10n, window } = vscode;
  if (records.length === 0) {
    await window.showInformationMessage(
      l10n.t('No intern was allowed anything always from this editor.'),
    );
    return;
  }
  const rows = records.map(({ internName, operation, allowedAt, isUnclear }) => ({
    label: operationName(operation),
    description: plainLine(internName),
    detail:
      isUnclear === true
        ? l10n.t('May have been received. Sent {0}', formatDateTime(allowedAt))
        : l10n.t('Received by the service. Last allowed {0}', formatDateTime(allowedAt)),
  }));
  await window.showQuickPick(rows, {
    title: l10n.t('Allowed always from this editor'),
    placeHolder: l10n.t('The service does not say what still holds, or how to take it back.'),
    matchOnDescription: true,
    matchOnDetail: true,
    // The focus may come back to a chat late, and would close the list that was just opened.
    ignoreFocusOut: true,
  });
}
