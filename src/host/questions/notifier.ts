import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AutoOpener } from '../../chat/questions/autoOpen.ts';
import type { QuestionBroker } from '../../chat/questions/broker.ts';
import type { ChatUsers } from '../../chat/questions/chatUsers.ts';
import { isWaiting } from '../../chat/questions/machine.ts';
import type { PendingQuestion, TrackedQuestion } from '../../chat/questions/types.ts';
import type { CommandId } from '../commands/ids.ts';
import { everySecondOf } from './everySecond.ts';
import { questionLine, timeText } from './words.ts';

/** What a {@link QuestionNotifier} stands on. */
export interface NotifierPorts {
  readonly clock: Clock;
  readonly broker: Pick<
    QuestionBroker,
    'waiting' | 'get' | 'timeLeft' | 'onDidChange' | 'onDidRemind'
  >;
  readonly users: Pick<ChatUsers, 'get' | 'onDidChange'>;
  readonly autoOpener: Pick<AutoOpener, 'opensIn'>;
}

/** How long a question must want a notification: focus goes through nowhere on its way from a dialog to the chat. */
const SETTLE_MS = 500;

/** The text follows the time left in such steps: each change may be read out. */
const STEP_MS = 10_000;

/** The notification that is open. */
interface Notification extends Disposable {
  readonly question: string;
  /** Brings its text up to date. */
  readonly refresh: () => void;
}

/**
 * One notification at a time, for the oldest question whose user is not at its chat. It goes when its question is
 * asked or ends, which only a progress notification can do. Nothing tells whether its user has hidden it, so that it
 * comes anew for each later question, a burst counting as one. When a minute is left, it comes wherever the user is.
 */
export class QuestionNotifier implements Disposable {
  readonly #ports: NotifierPorts;
  readonly #store = new DisposableStore();
  /** Open questions that a notification has told of. */
  readonly #told = new Set<string>();
  #notification: Notification | undefined;
  #settling: Disposable | undefined;

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
    const consider = () => this.#consider();
    this.#store.add(
      ports.broker.onDidChange(({ question, ending }) => {
        if (ending !== null) this.#told.delete(question.id);
        consider();
      }),
    );
    this.#store.add(ports.users.onDidChange(consider));
    this.#store.add(ports.broker.onDidRemind((reminded) => this.#notify([reminded])));
    this.#store.add({ dispose: () => this.#close() });
    this.#store.add({ dispose: () => this.#settling?.dispose() });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #consider(): void {
    const { broker, clock } = this.#ports;
    const shown = this.#notification && broker.get(this.#notification.question);
    if (shown === undefined || !isWaiting(shown.state) || shown.state === 'expired') this.#close();
    this.#notification?.refresh();
    const isTold = ({ question }: TrackedQuestion) =>
      this.#notification !== undefined && this.#told.has(question.id);
    if (this.#wanted().every(isTold)) {
      this.#settling?.dispose();
      this.#settling = undefined;
      return;
    }
    this.#settling ??= clock.setTimeout(() => {
      this.#settling = undefined;
      this.#notify(this.#wanted());
    }, SETTLE_MS);
  }

  /** Questions that are to be told of, the oldest first. */
  #wanted(): readonly TrackedQuestion[] {
    return this.#ports.broker.waiting().filter((each) => this.#wants(each));
  }

  /** Whether nothing else brings a question before its user: its dialog opens by itself, or its chat is in use. */
  #wants(tracked: TrackedQuestion): boolean {
    const { autoOpener, users } = this.#ports;
    if (tracked.state === 'expired' || autoOpener.opensIn(tracked) !== undefined) return false;
    const isThere = users.get(tracked.question.conversation)?.focused === true;
    return !(isThere && vscode.window.state.focused);
  }

  /** Tells of questions by a notification for the first of them, in place of the one that is open. */
  #notify(tracked: readonly TrackedQuestion[]): void {
    const [first] = tracked;
    if (first === undefined) return;
    for (const { question } of tracked) this.#told.add(question.id);
    this.#close();
    this.#notification = this.#open(first.question);
  }

  #close(): void {
    this.#notification?.dispose();
    this.#notification = undefined;
  }

  #open(question: PendingQuestion): Notification {
    const { broker, clock } = this.#ports;
    const store = new DisposableStore();
    const options = { location: vscode.ProgressLocation.Notification, cancellable: false };
    let said = '';
    let progress: vscode.Progress<{ readonly message: string }> | undefined;
    const refresh = () => {
      const message = this.#text(question);
      if (progress === undefined || message === said) return;
      said = message;
      progress.report({ message });
    };
    void vscode.window.withProgress(
      options,
      (given) =>
        new Promise<void>((resolve) => {
          progress = given;
          store.add(everySecondOf(() => broker.timeLeft(question.id), clock, refresh));
          store.add({ dispose: resolve });
        }),
    );
    return { question: question.id, refresh, dispose: () => store.dispose() };
  }

  #text(question: PendingQuestion): string {
    const { broker } = this.#ports;
    const left = Math.ceil(broker.timeLeft(question.id) / STEP_MS) * STEP_MS;
    const others = broker.waiting().length - 1;
    const what = `${questionLine(question)} · ${timeText(left)}`;
    const more = others > 0 ? ` ${vscode.l10n.t('({0} more)', others)}` : '';
    const answer = commandLink(vscode.l10n.t('Answer'), 'interns.answer', question);
    const show = commandLink(
      vscode.l10n.t('Show conversation'),
      'interns.showConversation',
      question,
    );
    // The links come first: a notification shows one line until its user unfolds it.
    return `${answer} · ${show} — ${what}${more}`;
  }
}

/** A link in a notification that runs a command on a question's conversation. */
function commandLink(label: string, command: CommandId, question: PendingQuestion): string {
  const { intern, conversation } = question;
  const target = encodeURIComponent(JSON.stringify([{ intern, conversation }]));
  return `[${label}](command:${command}?${target.replaceAll(')', '%29')})`;
}
