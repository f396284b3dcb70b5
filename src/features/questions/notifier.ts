import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { shortTitle } from '../../base/shortTitle.ts';
import type { AutoOpener } from '../../conversation/questions/autoOpen.ts';
import {
  type PendingQuestions,
  REMIND_BEFORE_DEADLINE_MS,
  type TrackedQuestion,
} from '../../conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import type { QuestionsPorts } from './presenter.ts';
import { questionLabel, spokenTimeLeft, unansweredMessage } from './questionText.ts';

/** How long a question waits for its notification, in ms. The focus may just be moving from a dialog to its chat. */
const NOTIFY_DELAY_MS = 500;

interface Notification extends Disposable {
  readonly question: string;
  readonly isUpToDate: () => boolean;
  readonly update: () => void;
}

/**
 * Shows one notification at a time, for the most urgent question whose chat is not in use. The user may have hidden it, so
 * it is shown again for each later question or burst of questions. When a minute is left, it is shown even if the chat is
 * in use. VS Code can close only progress notifications, so it is one.
 *
 * Screen readers speak each change of the text, so the time in it is not updated.
 */
export function showNotifications(
  { clock, pendingQuestions, chatPresence }: QuestionsPorts,
  autoOpener: AutoOpener,
): Disposable {
  /** Open questions that a notification was shown for. */
  const announced = new Set<string>();
  let notification: Notification | undefined;
  let settling: Disposable | undefined;
  /** The questions whose dialog does not open by itself and whose chat is not in use, earliest deadline first. */
  const listWanted = () =>
    pendingQuestions.listWaiting().filter((tracked) => {
      if (tracked.isLate || autoOpener.opensInMs(tracked) !== undefined) return false;
      const hasFocus = chatPresence.get(tracked.question.conversation)?.focused === true;
      return !(hasFocus && vscode.window.state.focused);
    });
  const hasUnannounced = () =>
    listWanted().some(({ question }) => notification === undefined || !announced.has(question.id));
  const close = () => {
    notification?.dispose();
    notification = undefined;
  };
  /** Replaces the notification by one for the first of these questions. */
  const notify = (tracked: readonly TrackedQuestion[]) => {
    const [first] = tracked;
    if (first === undefined) return;
    for (const { question } of tracked) announced.add(question.id);
    close();
    notification = openNotification(first.question, pendingQuestions);
  };
  const consider = () => {
    const shown = notification && pendingQuestions.get(notification.question);
    if (shown?.isWaiting !== true || shown.isLate) close();
    if (!hasUnannounced() && (notification?.isUpToDate() ?? true)) {
      settling?.dispose();
      settling = undefined;
      return;
    }
    settling ??= clock.setTimeout(() => {
      settling = undefined;
      if (hasUnannounced()) notify(listWanted());
      else notification?.update();
    }, NOTIFY_DELAY_MS);
  };
  const store = new DisposableStore();
  store.add(
    pendingQuestions.onDidChange(({ question, ending }) => {
      if (ending !== null) announced.delete(question.id);
      consider();
    }),
  );
  store.add(chatPresence.onDidChange(consider));
  store.add(pendingQuestions.onDidRemind((reminded) => notify([reminded])));
  store.add({ dispose: close });
  store.add({ dispose: () => settling?.dispose() });
  return store;
}

function openNotification(
  question: PendingQuestion,
  pendingQuestions: PendingQuestions,
): Notification {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: false };
  // At least a minute, so that the text stays true while the notification is open.
  const time = spokenTimeLeft(
    Math.max(pendingQuestions.timeLeftMs(question.id), REMIND_BEFORE_DEADLINE_MS),
  );
  const text = () => {
    const waiting = pendingQuestions.listWaiting();
    const others = waiting.filter(({ isCountedAsWaiting }) => isCountedAsWaiting).length - 1;
    const { whenUnanswered = null } = pendingQuestions.get(question.id) ?? {};
    const unanswered = unansweredMessage(whenUnanswered);
    return notificationMessage(question, time, { others, unanswered });
  };
  const store = new DisposableStore();
  let shown = text();
  let progress: vscode.Progress<{ readonly message: string }> | undefined;
  const update = () => {
    shown = text();
    progress?.report({ message: shown });
  };
  void vscode.window.withProgress(options, (given) => {
    progress = given;
    update();
    return new Promise<void>((resolve) => store.add({ dispose: resolve }));
  });
  return {
    question: question.id,
    isUpToDate: () => shown === text(),
    update,
    dispose: () => store.dispose(),
  };
}

/** Returns the text of a notification. @param unanswered a sentence about the policy for unanswered questions */
export function notificationMessage(
  question: PendingQuestion,
  time: string,
  { others, unanswered }: { readonly others: number; readonly unanswered: string | undefined },
): string {
  const more = others > 0 ? ` ${l10n.t('({0} more)', others)}` : '';
  const then = unanswered === undefined ? '' : ` · ${unanswered}`;
  const answer = commandLink(l10n.t('Answer'), 'interns.answer', question);
  const show = commandLink(l10n.t('Show Conversation'), 'interns.goToWaiting', question);
  const label = questionLabel(question);
  const short = shortTitle(label);
  const whole = short === label ? '' : ` · ${label}`;
  // VS Code looks for the label of a link from the first bracket, so the intern's words must not have one before a link.
  const inert = short.replaceAll('[', '［');
  // The links come early, because a notification shows one line until it is expanded.
  return `${inert} · ${answer} · ${show} · ${time}${whole}${then}${more}`;
}

function commandLink(label: string, command: CommandId, question: PendingQuestion): string {
  const { intern, conversation } = question;
  const target = encodeURIComponent(JSON.stringify([{ intern, conversation }]));
  return `[${label}](command:${command}?${target.replaceAll(')', '%29')})`;
}
