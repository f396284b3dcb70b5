import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { questionDeadline } from '../../base/limits.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import { formatDollars, formatNumber, formatRelative } from '../../platform/text/format.ts';
import { type Account, accountName } from '../accounts/account.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationHead } from '../conversations/heads.ts';
import type { InternServices } from '../interns/internModel.ts';
import { AbsenceTracker } from './absence.ts';

interface SummaryParts extends InternServices {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly conversations: Pick<Conversations, 'list' | 'isUnderWay'>;
}

/** Outcomes of the last run of a conversation, in the order of the list. */
const OUTCOMES = ['waiting', 'unanswered', 'failed', 'finished'] as const;

type Outcome = (typeof OUTCOMES)[number];

interface Activity {
  readonly account: Account;
  readonly head: ConversationHead;
  readonly outcome: Outcome;
}

/** Lists conversations that wait, failed or finished, and counts those from the user's absence. */
export class ActivitySummary extends DisposableBase {
  readonly #parts: SummaryParts;
  readonly #absence: AbsenceTracker;
  readonly #item: vscode.StatusBarItem;

  constructor(parts: SummaryParts) {
    super();
    this.#parts = parts;
    this.#item = this.own(
      vscode.window.createStatusBarItem('interns.digest', vscode.StatusBarAlignment.Left, 8),
    );
    this.#item.name = vscode.l10n.t('Interns: activity summary');
    this.#item.command = 'interns.showDigest';
    this.#item.tooltip = vscode.l10n.t(
      'What interns did while you were away. Select to list the conversations.',
    );
    this.#absence = this.own(
      new AbsenceTracker({
        ...parts,
        folder: join(parts.context.globalStorageUri.fsPath, 'presence'),
        onReturn: (since) => void this.#handleReturn(since),
      }),
    );
    this.own(parts.registrar.register('interns.showDigest', () => this.#show()));
  }

  flush(): Promise<void> {
    return this.#absence.flush();
  }

  /** Shows one line in the status bar, and a notification if something is left to do. */
  async #handleReturn(since: number): Promise<void> {
    const { accounts, log } = this.#parts;
    try {
      await accounts.whenLoaded;
      const activities = await this.#read();
      const all = activities
        .filter(({ head }) => happenedSince(head, since))
        .map(({ outcome }) => outcome);
      this.#item.hide();
      if (all.length === 0) return;
      const line = countsLabel(all);
      this.#item.text = `$(history) ${line}`;
      this.#item.accessibilityInformation = {
        label: vscode.l10n.t('Interns, while you were away: {0}. Show activity summary.', line),
      };
      this.#item.show();
      if (all.every((outcome) => outcome === 'finished')) return;
      const show = vscode.l10n.t('Show Activity Summary');
      const text = vscode.l10n.t('While you were away: {0}', line);
      if ((await vscode.window.showInformationMessage(text, show)) === show) await this.#show();
    } catch (failure) {
      log.warn('The activity summary could not be read', failure);
    }
  }

  async #show(): Promise<void> {
    const { accounts, interns, dialogs, registrar } = this.#parts;
    const [activities] = await Promise.all([
      this.#read(),
      ...accounts.all.map((account) => interns.list(account)),
    ]);
    this.#item.hide();
    const rows = OUTCOMES.flatMap((outcome) => {
      const group = activities.filter((activity) => activity.outcome === outcome);
      const separator = { separator: outcomeLabel(outcome) };
      return group.length === 0 ? [] : [separator, ...group.map((each) => this.#row(each))];
    });
    const none = { note: vscode.l10n.t('No activity to show.') };
    const picked = await dialogs.pick({
      title: vscode.l10n.t('Activity Summary'),
      placeholder: vscode.l10n.t('Select a conversation to open its chat'),
      matchAll: true,
      rows: rows.length === 0 ? [none] : rows,
    });
    if (picked.kind !== 'value') return;
    const { id: conversation, intern } = picked.value;
    await registrar.run('interns.openChat', [{ intern, conversation }]);
  }

  #row({ account, head, outcome }: Activity): PickRow<ConversationHead> {
    const { accounts, clock, interns } = this.#parts;
    const cost = head.cost?.at === head.at ? head.cost.spent : 0;
    const words = [
      plainLine(interns.name(head.intern, account), 40),
      accounts.all.length > 1 && plainLine(accountName(account.record), 40),
      outcomeLabel(outcome),
      formatRelative(head.at, clock.now()),
      cost > 0 && formatDollars(cost),
    ];
    return {
      label: plainLine(head.title, 80),
      description: words.filter(Boolean).join(' · '),
      icon: new vscode.ThemeIcon(OUTCOME_ICONS[outcome]),
      value: head,
    };
  }

  async #read(): Promise<readonly Activity[]> {
    const { accounts, clock, conversations } = this.#parts;
    const activities: Activity[] = [];
    for (const account of accounts.all) {
      for (const head of await conversations.list(account)) {
        const isUnderWay =
          head.state === 'working' && (await conversations.isUnderWay(account, head.id));
        const outcome = outcomeOf(head, clock.now(), isUnderWay);
        if (outcome !== undefined) activities.push({ account, head, outcome });
      }
    }
    return activities.sort((a, b) => b.head.at - a.head.at);
  }
}

/** Returns the outcome of the last run; undefined if it is in progress or the conversation is archived. */
function outcomeOf(head: ConversationHead, now: number, isUnderWay: boolean): Outcome | undefined {
  const { state, listed } = head;
  if (state === 'waiting') return now < expiryOf(head) ? 'waiting' : 'unanswered';
  if (listed === 'archived' || isUnderWay) return undefined;
  // A run that no window follows was interrupted.
  return state === 'idle' ? 'finished' : 'failed';
}

/** Returns whether a run ended since a time, epoch ms, or its question was still open then. */
function happenedSince(head: ConversationHead, since: number): boolean {
  return (head.state === 'waiting' ? expiryOf(head) : head.at) >= since;
}

/** Returns when the question expires. Heads of older versions have no question, and `at` is when it was asked. */
function expiryOf({ at, question }: ConversationHead): number {
  return questionDeadline(question ?? { askedAt: at });
}

const OUTCOME_ICONS: Readonly<Record<Outcome, string>> = {
  waiting: 'bell-dot',
  unanswered: 'bell-slash',
  failed: 'error',
  finished: 'pass',
};

function outcomeLabel(outcome: Outcome): string {
  return {
    waiting: vscode.l10n.t('Waiting for you'),
    unanswered: vscode.l10n.t('Not answered'),
    failed: vscode.l10n.t('Failed'),
    finished: vscode.l10n.t('Finished'),
  }[outcome];
}

/** Returns counts such as `3 finished, 1 failed`. */
function countsLabel(all: readonly Outcome[]): string {
  return OUTCOMES.toReversed()
    .flatMap((outcome) => {
      const count = all.filter((each) => each === outcome).length;
      return count === 0 ? [] : [countLabel(outcome, formatNumber(count))];
    })
    .join(', ');
}

function countLabel(outcome: Outcome, count: string): string {
  return {
    waiting: vscode.l10n.t('{0} waiting', count),
    unanswered: vscode.l10n.t('{0} not answered', count),
    failed: vscode.l10n.t('{0} failed', count),
    finished: vscode.l10n.t({
      message: '{0} finished',
      args: [count],
      comment: 'A number of conversations',
    }),
  }[outcome];
}
