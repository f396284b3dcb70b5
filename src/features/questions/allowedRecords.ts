import { l10n, window } from 'vscode';
import type { Answer } from '../../api/index.ts';
import type { AnswerOutcome, PendingQuestion } from '../../conversation/questions/types.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatDateTime } from '../../platform/text/format.ts';
import { operationName } from '../../platform/text/operations.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { AllowedRecord } from '../accounts/records.ts';
import type { PlatformServices } from '../../platform/services.ts';

interface AllowedRecordsOptions extends Pick<PlatformServices, 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'all'>;
}

/** Records the operations that users always allowed, because the API cannot list them. A failing disk loses records. */
export class AllowedRecords {
  readonly #options: AllowedRecordsOptions;

  constructor(options: AllowedRecordsOptions) {
    this.#options = options;
  }

  /** Returns all records, the latest first; none if the disk fails. */
  async list(): Promise<readonly AllowedRecord[]> {
    const { accounts, log } = this.#options;
    try {
      const lists = await Promise.all(accounts.all.map(({ store }) => store.allowed.list()));
      return lists.flat().sort((a, b) => b.allowedAt - a.allowedAt);
    } catch (failure) {
      log.warn('Could not read what was allowed always', failure);
      return [];
    }
  }

  /**
   * Records an answer before it is sent, in case of a crash. Returns a function that removes the record again, for an
   * answer that was not sent. The record of an earlier answer stays.
   */
  async recordSent(question: PendingQuestion, answer: Answer): Promise<() => Promise<void>> {
    const how = answer.kind === 'permission' ? answer.choice : '';
    const record = allowedRecordOf(question, how, this.#options.clock.now());
    const id = unclearId(question.id);
    let isNew = false;
    await this.#change(question, async (allowed) => {
      if (record === undefined) return;
      isNew = (await allowed.get(id)) === undefined;
      await allowed.put({ ...record, id, isUnclear: true });
    });
    return async () => {
      if (isNew) await this.#change(question, (allowed) => allowed.remove(id));
    };
  }

  /** Records the outcome of an answer. The record of an answer that may have been received stays as it is. */
  async recordOutcome(question: PendingQuestion, outcome: AnswerOutcome): Promise<void> {
    const isRefused = outcome.kind === 'refused' && outcome.maybeReceived === undefined;
    if (!isRefused && outcome.kind !== 'answered' && outcome.kind !== 'gone') return;
    await this.#change(question, async (allowed) => {
      const how = outcome.kind === 'answered' ? outcome.how : '';
      const record = allowedRecordOf(question, how, this.#options.clock.now());
      if (record !== undefined) await allowed.put(record);
      await allowed.remove(unclearId(question.id));
    });
  }

  async #change(
    { account }: PendingQuestion,
    change: (allowed: Account['store']['allowed']) => Promise<unknown> | undefined,
  ): Promise<void> {
    const { accounts, log } = this.#options;
    const store = accounts.all.find(({ id }) => id === account)?.store;
    try {
      if (store !== undefined) await change(store.allowed);
    } catch (failure) {
      log.warn('Could not record what was allowed always', failure);
    }
  }
}

/** Returns the record of an answer that allows an operation always; undefined for any other answer. */
function allowedRecordOf(
  { question, intern, internName }: PendingQuestion,
  how: string,
  allowedAt: number,
): AllowedRecord | undefined {
  if (question.kind !== 'permission' || how !== 'allow_always') return undefined;
  const { operation } = question;
  return { id: JSON.stringify([intern, operation]), intern, internName, operation, allowedAt };
}

/** Returns the ID of the record of an answer that may have been received. */
function unclearId(question: string): string {
  return JSON.stringify({ question });
}

export async function showAllowed(
  records: readonly AllowedRecord[],
  dialogs: Pick<Dialogs, 'pick'>,
): Promise<void> {
  if (records.length === 0) {
    await window.showInformationMessage(l10n.t('You haven’t selected “Allow always” yet.'));
    return;
  }
  const rows = records.map(({ internName, operation, allowedAt, isUnclear }) => ({
    note: operationName(operation),
    description: plainLine(internName),
    detail:
      isUnclear === true
        ? l10n.t('May have been received. Sent {0}', formatDateTime(allowedAt))
        : l10n.t('Received by the service. Last allowed {0}', formatDateTime(allowedAt)),
  }));
  await dialogs.pick({
    title: l10n.t('Permissions you always allowed'),
    placeholder: l10n.t('The service doesn’t say which ones still apply or how to revoke them.'),
    rows,
  });
}
