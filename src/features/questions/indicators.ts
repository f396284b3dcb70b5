import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { drawEverySecond } from '../../base/timeLeft.ts';
import {
  REMIND_BEFORE_DEADLINE_MS,
  type PendingQuestions,
  type TrackedQuestion,
} from '../../conversation/questions/pendingQuestions.ts';
import type { QuestionsPorts } from './presenter.ts';
import { questionLabel, spokenTimeLeft, shownTimeLeft } from './questionText.ts';

/** Maximum number of questions that the tooltip of the status bar shows. */
const MAX_TOOLTIP_QUESTIONS = 10;

/**
 * Shows how many questions wait, and for how long: in the status bar and as a context key. The status bar changes its
 * color with the reminder, since notifications may be silenced.
 */
export function showIndicators({
  clock,
  pendingQuestions,
  contextKeys,
}: QuestionsPorts): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('interns.questions', vscode.StatusBarAlignment.Left, 100),
  );
  item.name = l10n.t('Interns: questions');
  item.command = 'interns.answer';
  let ticking: Disposable | undefined;
  const update = () => {
    const waiting = listCounted(pendingQuestions);
    contextKeys.set('interns.pendingQuestions', waiting.length);
    ticking?.dispose();
    const [next] = waiting;
    if (next === undefined) {
      item.hide();
      return;
    }
    const timeLeft = () => pendingQuestions.timeLeftMs(next.question.id);
    ticking = drawEverySecond(timeLeft, clock, () => drawItem(item, pendingQuestions));
    item.show();
  };
  store.add(
    pendingQuestions.onDidChange(({ ending }) => {
      const isByUser = ending?.kind === 'answered' && ending.by === undefined;
      if (isByUser) contextKeys.set('interns.answered', true);
      update();
    }),
  );
  store.add({ dispose: () => ticking?.dispose() });
  update();
  return store;
}

function drawItem(item: vscode.StatusBarItem, pendingQuestions: PendingQuestions): void {
  const waiting = listCounted(pendingQuestions);
  const [next] = waiting;
  if (next === undefined) return;
  const count = countLabel(waiting.length);
  const left = pendingQuestions.timeLeftMs(next.question.id);
  const lines = waiting.slice(0, MAX_TOOLTIP_QUESTIONS).map(({ question }) => {
    const time = shownTimeLeft(pendingQuestions.timeLeftMs(question.id));
    return `${questionLabel(question)} · ${time}`;
  });
  item.text = `$(bell-dot) ${count} · ${shownTimeLeft(left)}`;
  item.backgroundColor = new vscode.ThemeColor(
    left > REMIND_BEFORE_DEADLINE_MS
      ? 'statusBarItem.warningBackground'
      : 'statusBarItem.errorBackground',
  );
  item.tooltip = lines.join('\n');
  // A screen reader speaks each change of the name, so the name does not change each second.
  const label = l10n.t('{0}. Answer pending question.', `${count} · ${spokenTimeLeft(left)}`);
  item.accessibilityInformation = { label };
}

/** Returns the questions that the status bar and the badge count. */
export function listCounted(
  pendingQuestions: Pick<PendingQuestions, 'listOpen'>,
): readonly TrackedQuestion[] {
  return pendingQuestions
    .listOpen()
    .filter(({ stage, isCountedAsWaiting }) => isCountedAsWaiting && stage !== 'sending');
}

export function countLabel(count: number): string {
  return count === 1 ? l10n.t('1 question') : l10n.t('{0} questions', count);
}
