import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { QuestionBroker } from '../../chat/questions/broker.ts';
import type {
  AnswerOutcome,
  PendingQuestion,
  TrackedQuestion,
} from '../../chat/questions/types.ts';
import type { Log } from '../log/log.ts';
import type { DialogContext, DialogResult } from './dialogContext.ts';
import { showElicitation, type ElicitationDraft } from './elicitationFlow.ts';
import { showPermissionDialog } from './permissionDialog.ts';
import { WholeTexts, wholeTextOf } from './wholeTexts.ts';

/** What a {@link QuestionPresenter} stands on. */
export interface PresenterPorts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly broker: QuestionBroker;
  /** Shows the chat of a question. */
  readonly showConversation: (question: PendingQuestion) => void;
  /** A dialog closed with an answer, which is on its way now. */
  readonly onAnswered: (question: PendingQuestion) => void;
  /** What became of an answer that a dialog gave. */
  readonly onOutcome: (question: PendingQuestion, outcome: AnswerOutcome) => void;
}

/** The dialog that is open. */
interface OpenDialog {
  readonly question: string;
  readonly closing: AbortController;
  readonly closed: Promise<void>;
}

/** Shows one question's dialog at a time, keeps what was entered while its question is open, and sends the answer. */
export class QuestionPresenter implements Disposable {
  readonly #ports: PresenterPorts;
  readonly #drafts = new Map<string, ElicitationDraft>();
  readonly #store = new DisposableStore();
  readonly #wholeTexts = this.#store.add(new WholeTexts());
  readonly #changed = this.#store.add(new Emitter<void>());
  #open: OpenDialog | undefined;

  /** A dialog opened or closed. */
  readonly onDidChange = this.#changed.event;

  constructor(ports: PresenterPorts) {
    this.#ports = ports;
    this.#store.add(
      ports.broker.onDidChange(({ question, state, ending }) => {
        if (ending !== null) this.#forget(question.id);
        if (question.id === this.#open?.question && state !== 'shown') this.#open.closing.abort();
      }),
    );
    this.#store.add({ dispose: () => this.#open?.closing.abort() });
  }

  /** Whether a dialog of a question is open. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the open dialog is this question's. */
  isShowing(id: string): boolean {
    return this.#open?.question === id;
  }

  /**
   * Opens a question's dialog in place of any other question's, and sends what its user answers. Resolves when the
   * dialog is closed and its answer, if any, has been judged. A question that nobody can answer is shown in its chat.
   */
  async ask(id: string): Promise<void> {
    while (this.#open !== undefined) {
      this.#open.closing.abort();
      await this.#open.closed;
    }
    const tracked = this.#ports.broker.get(id);
    if (tracked === undefined || this.#store.isDisposed) return;
    const result = await this.#show(tracked);
    const { question } = tracked;
    if (result.kind === 'conversation') this.#ports.showConversation(question);
    if (result.kind !== 'answer') return;
    this.#ports.onAnswered(question);
    const outcome = await this.#ports.broker.answer(id, result.answer);
    if (outcome !== undefined) this.#ports.onOutcome(question, outcome);
  }

  /** Closes the dialog; its question stays as it is. */
  dispose(): void {
    this.#store.dispose();
  }

  async #show({ question, error }: TrackedQuestion): Promise<DialogResult> {
    const { broker, clock } = this.#ports;
    const { promise: closed, resolve: close } = deferred();
    const open = { question: question.id, closing: new AbortController(), closed };
    this.#open = open;
    this.#changed.fire();
    try {
      if (!broker.show(question.id)) return { kind: 'conversation' };
      const result = await this.#dialog({
        question,
        error,
        clock,
        timeLeft: () => broker.timeLeft(question.id),
        signal: open.closing.signal,
        showWhole:
          wholeTextOf(question) === undefined ? undefined : () => this.#showWhole(question),
      });
      // Before it counts as closed: whoever asks it again waits for that, and finds it pending.
      if (result.kind !== 'answer') broker.hide(question.id);
      return result;
    } finally {
      this.#open = undefined;
      close();
      this.#changed.fire();
    }
  }

  #showWhole(question: PendingQuestion): void {
    this.#wholeTexts.show(question).catch((failure: unknown) => {
      this.#ports.log.error(`Showing question ${question.id} failed`, failure);
    });
  }

  #forget(id: string): void {
    this.#drafts.delete(id);
    this.#wholeTexts.forget(id).catch((failure: unknown) => {
      this.#ports.log.warn(`Closing the text of question ${id} failed`, failure);
    });
  }

  #dialog(context: DialogContext): Promise<DialogResult> {
    const { id, question } = context.question;
    switch (question.kind) {
      case 'permission':
        return showPermissionDialog(question, context);
      case 'elicitation':
        return showElicitation(question, context, {
          read: () => this.#drafts.get(id),
          // A dialog that closes because its question ended still writes: what was entered must be gone by then.
          write: (draft) => {
            if (this.#ports.broker.get(id) !== undefined) this.#drafts.set(id, draft);
          },
        });
      case 'unreadable':
        return Promise.resolve({ kind: 'conversation' });
    }
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
