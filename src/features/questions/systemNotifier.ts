import { l10n } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { TrackedQuestion } from '../../conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { QuestionsPorts } from './presenter.ts';

interface SystemNotifierPorts extends Pick<
  QuestionsPorts,
  'attention' | 'clock' | 'pendingQuestions' | 'settings' | 'systemNotifications'
> {
  readonly open: (question: PendingQuestion) => void;
}

/** How long all windows must be without the focus before a question notifies, in ms. Switching windows takes less. */
const NOTIFY_DELAY_MS = 1_000;

/**
 * Shows one notification of the system for a question that arrives while no window has the focus. For a question that
 * arrived while a window had the focus, it shows the notification with the reminder, in case the user has left.
 */
export function showSystemNotifications({
  attention,
  clock,
  open,
  pendingQuestions,
  settings,
  systemNotifications,
}: SystemNotifierPorts): Disposable {
  /** The timer or the notification of each question that waits. */
  const waiting = new Map<string, DisposableStore>();
  const notify = async (question: PendingQuestion) => {
    if (settings.systemNotifications === 'off' || !systemNotifications.isPossible) return;
    if (!(await attention.isAway()) || !waiting.has(question.id)) return;
    if (!(await attention.reserve(question.id))) return;
    const { intern, conversation } = question;
    const shown = systemNotifications.show({
      text: notificationText(question),
      chat: { intern, conversation },
      onSelect: () => open(question),
    });
    const store = waiting.get(question.id);
    if (store === undefined) shown.dispose();
    else store.add(shown);
  };
  const follow = (tracked: TrackedQuestion) => {
    const { question } = tracked;
    const known = waiting.get(question.id);
    if (!tracked.isWaiting) {
      known?.dispose();
      waiting.delete(question.id);
    } else if (known === undefined && !tracked.isLate) {
      const store = new DisposableStore();
      waiting.set(question.id, store);
      store.add(clock.setTimeout(() => void notify(question), NOTIFY_DELAY_MS));
    }
  };
  const store = new DisposableStore();
  store.add(pendingQuestions.onDidChange(follow));
  store.add(pendingQuestions.onDidRemind(({ question }) => void notify(question)));
  store.add({ dispose: () => waiting.forEach((each) => each.dispose()) });
  return store;
}

/** Names the intern and the kind of its question, and nothing that the service wrote besides. */
function notificationText({ internName, question }: PendingQuestion): string {
  const name = plainLine(internName, 40);
  return question.kind === 'permission'
    ? l10n.t('{0} asks for permission', name)
    : l10n.t('{0} asks a question', name);
}
