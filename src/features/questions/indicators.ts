import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { drawEverySecond } from '../../base/timeLeft.ts';
import { REMIND_BEFORE_DEADLINE_MS } from '../../conversation/questions/pendingQuestions.ts';
import type { TrackedQuestion } from '../../conversation/questions/types.ts';
import type { QuestionsPorts } from './presenter.ts';
import { questionLabel, spokenTimeLeft, shownTimeLeft } from './questionText.ts';

type IndicatorPorts = Pick<
  QuestionsPorts,
  'clock' | 'pendingQuestions' | 'contextKeys' | 'setBadge'
>;

/** The most questions that the tooltip of the status bar shows. */
const MAX_TOOLTIP_QUESTIONS = 10;

/**
 * Shows how many questions wait, and for how long: in the status bar, as a badge and as a context key. Changes its color
 * with the reminder, since notifications may be silenced.
 */
export class QuestionIndicators extends DisposableBase {
  readonly #ports: IndicatorPorts;
  readonly #item: vscode.StatusBarItem;
  #ticking: Disposable | undefined;

  constructor(ports: IndicatorPorts) {
    super();
    this.#ports = ports;
    this.#item = this.own(
      vscode.window.createStatusBarItem('interns.questions', vscode.StatusBarAlignment.Left, 100),
    );
    this.#item.name = l10n.t('Interns: questions');
    this.#item.command = 'interns.answer';
    this.own(
      ports.pendingQuestions.onDidChange(({ ending }) => {
        const isUsers = ending?.kind === 'answered' && ending.by === undefined;
        if (isUsers) ports.contextKeys.set('interns.answered', true);
        this.#update();
      }),
    );
    this.own({ dispose: () => this.#ticking?.dispose() });
    this.#update();
  }

  #update(): void {
    const waiting = this.#waiting();
    const { contextKeys, setBadge } = this.#ports;
    contextKeys.set('interns.pendingQuestions', waiting.length);
    this.#ticking?.dispose();
    const [next] = waiting;
    if (next === undefined) {
      setBadge(undefined);
      this.#item.hide();
      return;
    }
    setBadge({ value: waiting.length, tooltip: countLabel(waiting.length) });
    const { pendingQuestions, clock } = this.#ports;
    const timeLeft = () => pendingQuestions.timeLeftMs(next.question.id);
    this.#ticking = drawEverySecond(timeLeft, clock, () => this.#draw());
    this.#item.show();
  }

  #draw(): void {
    const waiting = this.#waiting();
    const [next] = waiting;
    if (next === undefined) return;
    const count = countLabel(waiting.length);
    const left = this.#ports.pendingQuestions.timeLeftMs(next.question.id);
    const lines = waiting.slice(0, MAX_TOOLTIP_QUESTIONS).map(({ question }) => {
      const time = shownTimeLeft(this.#ports.pendingQuestions.timeLeftMs(question.id));
      return `${questionLabel(question)} · ${time}`;
    });
    this.#item.text = `$(bell-dot) ${count} · ${shownTimeLeft(left)}`;
    this.#item.backgroundColor = new vscode.ThemeColor(
      left > REMIND_BEFORE_DEADLINE_MS
        ? 'statusBarItem.warningBackground'
        : 'statusBarItem.errorBackground',
    );
    this.#item.tooltip = lines.join('\n');
    // A screen reader speaks each change of the name, so the name does not change each second.
    const label = l10n.t('{0}. Answer pending question.', `${count} · ${spokenTimeLeft(left)}`);
    this.#item.accessibilityInformation = { label };
  }

  #waiting(): readonly TrackedQuestion[] {
    return this.#ports.pendingQuestions
      .listOpen()
      .filter(({ stage, isCountedAsWaiting }) => isCountedAsWaiting && stage !== 'sending');
  }
}

function countLabel(count: number): string {
  return count === 1 ? l10n.t('1 question') : l10n.t('{0} questions', count);
}
