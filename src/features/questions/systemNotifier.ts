import { l10n } from 'vscode';
import { DisposableBase, DisposableStore } from '../../base/disposable.ts';
import {
  isWaiting,
  type PendingQuestion,
  type TrackedQuestion,
} from '../../conversation/questions/types.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { QuestionsPorts } from './presenter.ts';

interface SystemNotifierPorts extends Pick<
  QuestionsPorts,
  'attention' | 'clock' | 'pendingQuestions' | 'settings' | 'systemNotifications'
> {
  readonly open: (question: PendingQuestion) => void;
}

/** How long no window must have the focus before a question notifies, in ms. Switching windows takes less. */
const NOTIFY_DELAY_MS = 1_000;

/**
 * Shows one notification of the system for a question that arrives while no window has the focus. If it arrived while a
 * window had it, the notification comes with the reminder, in case the user has left.
 */
export class SystemNotifier extends DisposableBase {
  readonly #ports: SystemNotifierPorts;
  /** The timer or the notification of each question that waits. */
  readonly #waiting = new Map<string, DisposableStore>();

  constructor(ports: SystemNotifierPorts) {
    super();
    this.#ports = ports;
    const { pendingQuestions } = ports;
    this.own(pendingQuestions.onDidChange((tracked) => this.#follow(tracked)));
    this.own(pendingQuestions.onDidRemind(({ question }) => void this.#notify(question)));
    this.own({ dispose: () => this.#waiting.forEach((each) => each.dispose()) });
    for (const tracked of pendingQuestions.listWaiting()) this.#follow(tracked);
  }

  #follow(tracked: TrackedQuestion): void {
    const { question } = tracked;
    const known = this.#waiting.get(question.id);
    if (!isWaiting(tracked)) {
      known?.dispose();
      this.#waiting.delete(question.id);
    } else if (known === undefined && !tracked.isLate) {
      const store = new DisposableStore();
      this.#waiting.set(question.id, store);
      store.add(this.#ports.clock.setTimeout(() => void this.#notify(question), NOTIFY_DELAY_MS));
    }
  }

  async #notify(question: PendingQuestion): Promise<void> {
    const { settings, attention, systemNotifications, open } = this.#ports;
    if (settings.systemNotifications === 'off' || !systemNotifications.isPossible) return;
    if (!(await attention.isAway()) || !this.#waiting.has(question.id)) return;
    if (!(await attention.claim(question.id))) return;
    const { intern, conversation } = question;
    const shown = systemNotifications.show({
      text: notificationText(question),
      chat: { intern, conversation },
      onSelect: () => open(question),
    });
    const store = this.#waiting.get(question.id);
    if (store === undefined || this.isDisposed) shown.dispose();
    else store.add(shown);
  }
}

/** Names the intern and the kind of its question, and nothing that the service wrote besides. */
function notificationText({ internName, question }: PendingQuestion): string {
  const name = plainLine(internName, 40);
  return question.kind === 'permission'
    ? l10n.t('{0} asks for permission', name)
    : l10n.t('{0} asks a question', name);
}
