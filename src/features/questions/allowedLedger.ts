import * as vscode from 'vscode';
import type { Answer } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { AnswerOutcome, PendingQuestion } from '../../conversation/questions/types.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Log } from '../../platform/log/log.ts';
import { formatDateTime } from '../../platform/words/format.ts';
import { operationName } from '../../platform/words/operations.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { AllowedRecord } from '../accounts/records.ts';

/** What an {@link AllowedLedger} is made of. */
interface AllowedLedgerOptions {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * What was allowed always from this editor, by intern and operation. It is a memory aid: the interface has no way to read
 * or revoke what an intern was allowed. A disk that fails loses a note and nothing else.
 */
export class AllowedLedger {
  readonly #options: AllowedLedgerOptions;

  constructor(options: AllowedLedgerOptions) {
    this.#options = options;
  }

  /** Everything that was allowed always, the latest first; nothing of what the disk does not give. */
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

  /** Notes an answer before it is sent, so that a crash cannot hide it. */
  async noteSent(question: PendingQuestion, answer: Answer): Promise<void> {
    if (answer.kind !== 'permission') return;
    await this.#change(question, (allowed) => {
      const record = allowedBy(question, answer.choice, this.#options.clock.now(), true);
      return record && allowed.put(record);
    });
  }

  /** Notes what the outcome of an answer proves. An answer that may have been received stays as it was noted. */
  async noteOutcome(question: PendingQuestion, outcome: AnswerOutcome): Promise<void> {
    const isRefused = outcome.kind === 'refused' && outcome.maybeReceived === undefined;
    if (!isRefused && outcome.kind !== 'answered' && outcome.kind !== 'gone') return;
    await this.#change(question, async (allowed) => {
      const how = outcome.kind === 'answered' ? outcome.how : '';
      const record = allowedBy(question, how, this.#options.clock.now());
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

/** The record of an answer that allows an operation always; undefined for any other answer. */
function allowedBy(
  { id, question, intern, internName }: PendingQuestion,
  how: string,
  allowedAt: number,
  isUnclear = false,
): AllowedRecord | undefined {
  if (question.kind !== 'permission' || how !== 'allow_always') return undefined;
  const { operation } = question;
  const record = { intern, internName, operation, allowedAt };
  return isUnclear
    ? { id: unclearId(id), ...record, isUnclear }
    : { id: JSON.stringify([intern, operation]), ...record };
}

/** The id of the record of an answer that may have been received, by the id of its question. */
function unclearId(question: string): string {
  return JSON.stringify({ question });
}

/** Lists what was allowed always; only to be read, since nothing can be taken back from here. */
export async function showAllowed(records: readonly AllowedRecord[]): Promise<void> {
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
