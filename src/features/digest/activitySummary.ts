import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
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

/** Counts what changed during the user's absence, and lists it in the Conversations view. */
export function startActivitySummary(
  ports: SummaryPorts,
): Disposable & Pick<AbsenceTracker, 'flush'> {
  const { accounts, context, list, registrar, view } = ports;
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('interns.digest', vscode.StatusBarAlignment.Left, 8),
  );
  item.name = vscode.l10n.t('Interns: activity summary');
  item.command = 'interns.showDigest';
  item.tooltip = vscode.l10n.t(
    'What interns did while you were away. Select to list the conversations.',
  );
  const show = async () => {
    item.hide();
    await view.showChanges(await absence.lastActiveAt());
  };
  /** Shows one line in the status bar, and a notification if something is left to do. */
  const handleReturn = async (since: number) => {
    await accounts.whenLoaded;
    await list.load();
    const all = list.changedSince(since).map(outcomeOf);
    item.hide();
    if (all.length === 0) return;
    const line = outcomesLabel(all);
    item.text = `$(history) ${line}`;
    item.accessibilityInformation = {
      label: vscode.l10n.t('Interns, while you were away: {0}. Show activity summary.', line),
    };
    item.show();
    if (all.every((outcome) => outcome === 'finished')) return;
    const button = vscode.l10n.t('Show Activity Summary');
    const text = vscode.l10n.t('While you were away: {0}', line);
    if ((await vscode.window.showInformationMessage(text, button)) === button) await show();
  };
  const folder = join(context.globalStorageUri.fsPath, 'presence');
  const onReturn = (since: number) => void handleReturn(since);
  const absence = store.add(new AbsenceTracker({ ...ports, folder, onReturn }));
  registrar.register({ 'interns.showDigest': show });
  return { flush: () => absence.flush(), dispose: () => store.dispose() };
}

/** The labels of counts by the outcome of the last run of a conversation, in their order. */
const outcomeLabels = {
  finished: (count: string) =>
    vscode.l10n.t({
      message: '{0} finished',
      args: [count],
      comment: 'A number of conversations',
    }),
  failed: (count: string) => vscode.l10n.t('{0} failed', count),
  unanswered: (count: string) => vscode.l10n.t('{0} not answered', count),
  waiting: (count: string) => vscode.l10n.t('{0} waiting', count),
};

type Outcome = keyof typeof outcomeLabels;

function outcomeOf({ head, state, deadline }: ConversationRow): Outcome {
  if (head.state === 'waiting') return deadline === undefined ? 'unanswered' : 'waiting';
  return state === 'failed' ? 'failed' : 'finished';
}

/** Returns counts such as `3 finished, 1 failed`. */
function outcomesLabel(all: readonly Outcome[]): string {
  const counts = Object.entries(outcomeLabels).map(([outcome, label]) => {
    const count = all.filter((each) => each === outcome).length;
    return count > 0 && label(formatNumber(count));
  });
  return formatFacts(counts);
}
