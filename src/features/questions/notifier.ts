import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableBase, DisposableStore } from '../../base/disposable.ts';
import type { AutoOpener, ChatPresence } from '../../conversation/questions/autoOpen.ts';
import {
  type PendingQuestions,
  REMINDER_MS,
} from '../../conversation/questions/pendingQuestions.ts';
import {
  isWaiting,
  type PendingQuestion,
  type TrackedQuestion,
} from '../../conversation/questions/types.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import { questionLine, timeInWords, unansweredText } from './words.ts';

/** What a {@link QuestionNotifier} stands on. */
interface NotifierPorts {
  readonly clock: Clock;
  readonly pendingQuestions: Pick<
    PendingQuestions,
    'waiting' | 'get' | 'timeLeft' | 'onDidChange' | 'onDidRemind'
  >;
  readonly chatPresence: Pick<ChatPresence, 'get' | 'onDidChange'>;
  readonly autoOpener: Pick<AutoOpener, 'opensIn'>;
}

/** How long a question must want a notification: focus goes through nowhere on its way from a dialog to the chat. */
const SETTLE_MS = 500;

/** The notification that is open. */
interface Notification extends Disposable {
  readonly question: string;
  /** Whether it still says how many others wait, and what becomes of its question. */
  readonly isTrue: () => boolean;
  readonly mend: () => void;
}

/**
 * One notification at a time, for the oldest question whose user is not at its chat. It goes when its question is
 * asked or ends, which only a progress notification can do. Nothing tells whether its user has hidden it, so that it
 * comes anew for each later question, a burst counting as one. When a minute is left, it comes wherever the user is.
 * Each change of its text is read out as an alert, so the time in it is that of its beginning.
 */
export class QuestionNotifier extends DisposableBase {
  readonly #ports: NotifierPorts;
  /** Open questions that a notification has told of. */
  readonly #announced = new Set<string>();
  #notification: Notification | undefined;
  #settling: Disposable | undefined;

  constructor(ports: NotifierPorts) {
    super();
    this.#ports = ports;
    const consider = () => this.#consider();
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

  #consider(): void {
    const { pendingQuestions, clock } = this.#ports;
    const shown = this.#notification && pendingQuestions.get(this.#notification.question);
    if (shown === undefined || !isWaiting(shown) || shown.isLate) this.#close();
    if (this.#unannounced().length === 0 && (this.#notification?.isTrue() ?? true)) {
      this.#settling?.dispose();
      this.#settling = undefined;
      return;
    }
    this.#settling ??= clock.setTimeout(() => {
      this.#settling = undefined;
      if (this.#unannounced().length > 0) this.#notify(this.#wanted());
      else this.#notification?.mend();
    }, SETTLE_MS);
  }

  #unannounced(): readonly TrackedQuestion[] {
    const isTold = ({ question }: TrackedQuestion) =>
      this.#notification !== undefined && this.#announced.has(question.id);
    return this.#wanted().filter((tracked) => !isTold(tracked));
  }

  /** Questions that are to be told of, the oldest first. */
  #wanted(): readonly TrackedQuestion[] {
    return this.#ports.pendingQuestions.waiting().filter((each) => this.#wants(each));
  }

  /** Whether nothing else brings a question before its user: its dialog opens by itself, or its chat is in use. */
  #wants(tracked: TrackedQuestion): boolean {
    const { autoOpener, chatPresence } = this.#ports;
    if (tracked.isLate || autoOpener.opensIn(tracked) !== undefined) return false;
    const isThere = chatPresence.get(tracked.question.conversation)?.focused === true;
    return !(isThere && vscode.window.state.focused);
  }

  /** Tells of questions by a notification for the first of them, in place of the one that is open. */
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
    // In its last minute too: what it says is to stay true for as long as it is there.
    const time = timeInWords(Math.max(pendingQuestions.timeLeft(question.id), REMINDER_MS));
    const text = () => {
      const others =
        pendingQuestions.waiting().filter(({ isCountedAsWaiting }) => isCountedAsWaiting).length -
        1;
      const unanswered = unansweredText(pendingQuestions.get(question.id)?.whenUnanswered ?? null);
      return notificationText(question, time, { others, unanswered });
    };
    const store = new DisposableStore();
    let said = text();
    let progress: vscode.Progress<{ readonly message: string }> | undefined;
    const mend = () => {
      said = text();
      progress?.report({ message: said });
    };
    void vscode.window.withProgress(options, (given) => {
      progress = given;
      mend();
      return new Promise<void>((resolve) => store.add({ dispose: resolve }));
    });
    return {
      question: question.id,
      isTrue: () => said === text(),
      mend,
      dispose: () => store.dispose(),
    };
  }
}

/**
 * @param others how many more questions wait
 * @param unanswered what becomes of this one where nobody answers, as a sentence
 */
function notificationText(
  question: PendingQuestion,
  time: string,
  { others, unanswered }: { readonly others: number; readonly unanswered: string | undefined },
): string {
  const more = others > 0 ? ` ${l10n.t('({0} more)', others)}` : '';
  const then = unanswered === undefined ? '' : ` · ${unanswered}`;
  const answer = commandLink(l10n.t('Answer'), 'interns.answer', question);
  const show = commandLink(l10n.t('Show conversation'), 'interns.showConversation', question);
  // The links come first: a notification shows one line until its user unfolds it.
  return `${answer} · ${show} — ${questionLine(question)} · ${time}${then}${more}`;
}

/** A link in a notification that runs a command on a question's conversation. */
function commandLink(label: string, command: CommandId, question: PendingQuestion): string {
  const { intern, conversation } = question;
  const target = encodeURIComponent(JSON.stringify([{ intern, conversation }]));
  return `[${label}](command:${command}?${target.replaceAll(')', '%29')})`;
}
