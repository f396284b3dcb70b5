import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { type Disposable, DisposableBase, DisposableStore } from '../../base/disposable.ts';
import { shortTitle } from '../../base/shortTitle.ts';
import type { AutoOpener } from '../../conversation/questions/autoOpen.ts';
import { REMIND_BEFORE_DEADLINE_MS } from '../../conversation/questions/pendingQuestions.ts';
import {
  isWaiting,
  type PendingQuestion,
  type TrackedQuestion,
} from '../../conversation/questions/types.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import type { QuestionsPorts } from './presenter.ts';
import { questionLabel, spokenTimeLeft, unansweredMessage } from './questionText.ts';

interface NotifierPorts extends Pick<
  QuestionsPorts,
  'clock' | 'pendingQuestions' | 'chatPresence'
> {
  readonly autoOpener: Pick<AutoOpener, 'opensInMs'>;
}

/** Time in ms for which a question must want a notification: nothing has the focus while it moves from a dialog to a chat. */
const NOTIFY_DELAY_MS = 500;

interface Notification extends Disposable {
  readonly question: string;
  readonly isUpToDate: () => boolean;
  readonly update: () => void;
}

/**
 * Shows one notification at a time, for the oldest question whose chat is not in use. It is a progress notification,
 * since only those can be closed when the question is asked or ends. The user may have hidden it, so it is shown again
 * for each later question or burst of questions, and when a minute is left, even if the chat is in use.
 *
 * Screen readers speak each change of its text, so the time in it is not updated.
 */
export class QuestionNotifier extends DisposableBase {
  readonly #ports: NotifierPorts;
  /** Open questions that a notification was shown for. */
  readonly #announced = new Set<string>();
  #notification: Notification | undefined;
  #settling: Disposable | undefined;

  constructor(ports: NotifierPorts) {
    super();
    this.#ports = ports;
    const consider = () => this.#scheduleNotification();
    this.own(
      ports.pendingQuestions.onDidChange(({ question, ending }) => {
        if (ending !== null) this.#announced.delete(question.id);
        consider();
      }),
    );
    this.own(ports.chatPresence.onDidChange(consider));
    this.own(ports.pendingQuestions.onDidRemind((reminded) => this.#notify([reminded])));
    this.own({ dispose: () => this.#close() });
    this.own({ dispose: () => this.#settling?.dispose() });
  }

  #scheduleNotification(): void {
    const { pendingQuestions, clock } = this.#ports;
    const shown = this.#notification && pendingQuestions.get(this.#notification.question);
    if (shown === undefined || !isWaiting(shown) || shown.isLate) this.#close();
    if (this.#unannounced().length === 0 && (this.#notification?.isUpToDate() ?? true)) {
      this.#settling?.dispose();
      this.#settling = undefined;
      return;
    }
    this.#settling ??= clock.setTimeout(() => {
      this.#settling = undefined;
      if (this.#unannounced().length > 0) this.#notify(this.#wanted());
      else this.#notification?.update();
    }, NOTIFY_DELAY_MS);
  }

  #unannounced(): readonly TrackedQuestion[] {
    if (this.#notification === undefined) return this.#wanted();
    return this.#wanted().filter(({ question }) => !this.#announced.has(question.id));
  }

  /** The questions that need a notification, the oldest first. */
  #wanted(): readonly TrackedQuestion[] {
    return this.#ports.pendingQuestions.listWaiting().filter((each) => this.#isWanted(each));
  }

  /** Returns whether the dialog does not open by itself, and the chat is not in use. */
  #isWanted(tracked: TrackedQuestion): boolean {
    const { autoOpener, chatPresence } = this.#ports;
    if (tracked.isLate || autoOpener.opensInMs(tracked) !== undefined) return false;
    const isThere = chatPresence.get(tracked.question.conversation)?.focused === true;
    return !(isThere && vscode.window.state.focused);
  }

  /** Replaces the notification by one for the first of these questions. */
  #notify(tracked: readonly TrackedQuestion[]): void {
    const [first] = tracked;
    if (first === undefined) return;
    for (const { question } of tracked) this.#announced.add(question.id);
    this.#close();
    this.#notification = this.#open(first.question);
  }

  #close(): void {
    this.#notification?.dispose();
    this.#notification = undefined;
  }

  #open(question: PendingQuestion): Notification {
    const { pendingQuestions } = this.#ports;
    const options = { location: vscode.ProgressLocation.Notification, cancellable: false };
    // At least a minute, so that the text stays true while the notification is open.
    const time = spokenTimeLeft(
      Math.max(pendingQuestions.timeLeftMs(question.id), REMIND_BEFORE_DEADLINE_MS),
    );
    const text = () => {
      const others =
        pendingQuestions.listWaiting().filter(({ isCountedAsWaiting }) => isCountedAsWaiting)
          .length - 1;
      const unanswered = unansweredMessage(
        pendingQuestions.get(question.id)?.whenUnanswered ?? null,
      );
      return notificationMessage(question, time, { others, unanswered });
    };
    const store = new DisposableStore();
    let said = text();
    let progress: vscode.Progress<{ readonly message: string }> | undefined;
    const update = () => {
      said = text();
      progress?.report({ message: said });
    };
    void vscode.window.withProgress(options, (given) => {
      progress = given;
      update();
      return new Promise<void>((resolve) => store.add({ dispose: resolve }));
    });
    return {
      question: question.id,
      isUpToDate: () => said === text(),
      update,
      dispose: () => store.dispose(),
    };
  }
}

/**
 * @param others the number of other questions that wait
 * @param unanswered a sentence about the policy for unanswered questions
 */
export function notificationMessage(
  question: PendingQuestion,
  time: string,
  { others, unanswered }: { readonly others: number; readonly unanswered: string | undefined },
): string {
  const more = others > 0 ? ` ${l10n.t('({0} more)', others)}` : '';
  const then = unanswered === undefined ? '' : ` · ${unanswered}`;
  const answer = commandLink(l10n.t('Answer'), 'interns.answer', question);
  const show = commandLink(l10n.t('Show conversation'), 'interns.goToWaiting', question);
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
