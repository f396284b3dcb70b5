import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { formatFacts, formatNumber } from '../../platform/text/format.ts';
import type { ConversationList, ConversationRow } from '../conversations/conversationList.ts';
import type { ConversationsView } from '../conversations/conversationsView.ts';
import type { InternServices } from '../interns/internModel.ts';
import { AbsenceTracker } from './absence.ts';

interface SummaryPorts extends InternServices {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly list: Pick<ConversationList, 'load' | 'changedSince'>;
  readonly view: Pick<ConversationsView, 'showChanges'>;
}

/** Outcomes of the last run of a conversation, in the order of the counts. */
const OUTCOMES = ['finished', 'failed', 'unanswered', 'waiting'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** Counts what changed during the user's absence, and lists it in the Conversations view. */
export class ActivitySummary extends DisposableBase {
  readonly #ports: SummaryPorts;
  readonly #absence: AbsenceTracker;
  readonly #item: vscode.StatusBarItem;

  constructor(ports: SummaryPorts) {
    super();
    this.#ports = ports;
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
        ...ports,
        folder: join(ports.context.globalStorageUri.fsPath, 'presence'),
        onReturn: (since) => void this.#handleReturn(since),
      }),
    );
    this.own(ports.registrar.register('interns.showDigest', () => this.#show()));
  }

  flush(): Promise<void> {
    return this.#absence.flush();
  }

  /** Shows one line in the status bar, and a notification if something is left to do. */
  async #handleReturn(since: number): Promise<void> {
    const { accounts, list } = this.#ports;
    await accounts.whenLoaded;
    await list.load();
    const all = list.changedSince(since).map(outcomeOf);
    this.#item.hide();
    if (all.length === 0) return;
    const line = outcomesLabel(all);
    this.#item.text = `$(history) ${line}`;
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Interns, while you were away: {0}. Show activity summary.', line),
    };
    this.#item.show();
    if (all.every((outcome) => outcome === 'finished')) return;
    const show = vscode.l10n.t('Show Activity Summary');
    const text = vscode.l10n.t('While you were away: {0}', line);
    if ((await vscode.window.showInformationMessage(text, show)) === show) await this.#show();
  }

  async #show(): Promise<void> {
    this.#item.hide();
    await this.#ports.view.showChanges(await this.#absence.lastActiveAt());
  }
}

function outcomeOf({ head, state, deadline }: ConversationRow): Outcome {
  if (head.state === 'waiting') return deadline === undefined ? 'unanswered' : 'waiting';
  return state === 'failed' ? 'failed' : 'finished';
}

/** Returns counts such as `3 finished, 1 failed`. */
function outcomesLabel(all: readonly Outcome[]): string {
  const counts = OUTCOMES.map((outcome) => {
    const count = all.filter((each) => each === outcome).length;
    return count > 0 && outcomeLabel(outcome, formatNumber(count));
  });
  return formatFacts(counts);
}

function outcomeLabel(outcome: Outcome, count: string): string {
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
