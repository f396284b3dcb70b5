import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { everySecondOf } from '../../base/timeLeft.ts';
import {
  REMINDER_MS,
  type PendingQuestions,
} from '../../conversation/questions/pendingQuestions.ts';
import type { TrackedQuestion } from '../../conversation/questions/types.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import { questionLine, timeInWords, timeText } from './words.ts';

/** What the {@link QuestionIndicators} stand on. */
interface IndicatorPorts {
  readonly clock: Clock;
  readonly pendingQuestions: Pick<PendingQuestions, 'open' | 'timeLeft' | 'onDidChange'>;
  readonly contextKeys: ContextKeys;
  /** Sets the badge of the view container; undefined takes it away. */
  readonly setBadge: (badge: vscode.ViewBadge | undefined) => void;
}

/** At most this many questions are told in the tooltip of the status bar. */
const TOOLTIP_LINES = 10;

/**
 * Says how many questions wait, and for how long still: in the status bar, as a badge, as a context key. It is what is left
 * to see where notifications are silenced, so it changes its colour when the reminder comes.
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
    this.#item.name = l10n.t('Questions of Interns');
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
    setBadge({ value: waiting.length, tooltip: countText(waiting.length) });
    const { pendingQuestions, clock } = this.#ports;
    const timeLeft = () => pendingQuestions.timeLeft(next.question.id);
    this.#ticking = everySecondOf(timeLeft, clock, () => this.#draw());
    this.#item.show();
  }

  #draw(): void {
    const waiting = this.#waiting();
    const [next] = waiting;
    if (next === undefined) return;
    const count = countText(waiting.length);
    const left = this.#ports.pendingQuestions.timeLeft(next.question.id);
    const lines = waiting
      .slice(0, TOOLTIP_LINES)
      .map((tracked) => `${questionLine(tracked.question)} · ${this.#timeOf(tracked)}`);
    this.#item.text = `$(bell-dot) ${count} · ${timeText(left)}`;
    this.#item.backgroundColor = new vscode.ThemeColor(
      left > REMINDER_MS ? 'statusBarItem.warningBackground' : 'statusBarItem.errorBackground',
    );
    this.#item.tooltip = lines.join('\n');
    // The name of what may have the focus: it does not tick.
    const spoken = `${count} · ${timeInWords(left)}`;
    this.#item.accessibilityInformation = {
      label: l10n.t('{0}. Answer pending question.', spoken),
    };
  }

  #waiting(): readonly TrackedQuestion[] {
    return this.#ports.pendingQuestions
      .open()
      .filter(({ stage, isCountedAsWaiting }) => isCountedAsWaiting && stage !== 'sending');
  }

  #timeOf({ question }: TrackedQuestion): string {
    return timeText(this.#ports.pendingQuestions.timeLeft(question.id));
  }
}

function countText(count: number): string {
  return count === 1 ? l10n.t('1 question') : l10n.t('{0} questions', count);
}
