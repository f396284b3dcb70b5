import { l10n } from 'vscode';
import type { Answer } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import type { QuestionBroker } from '../../conversation/questions/broker.ts';
import { REJECT_ONCE } from '../../conversation/questions/permission.ts';
import type {
  AnswerOutcome,
  AnswerWay,
  PendingQuestion,
  TrackedQuestion,
} from '../../conversation/questions/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { digestOf, isOnClipboard, offerToClear } from '../../platform/dialogs/clipboardLeftover.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import type {
  DialogContext,
  DraftKeeper,
  QuestionResult,
  Rejection,
  WholeText,
} from './dialogContext.ts';
import { showElicitation, type ElicitationDraft } from './elicitation.ts';
import { showPermissionDialog } from './permissionDialog.ts';
import { internName } from './words.ts';
import { WholeTexts, wholeTextOf } from './wholeTexts.ts';

/** What a {@link QuestionPresenter} stands on. */
interface PresenterPorts {
  readonly prompts: QuickInputs;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly broker: QuestionBroker;
  /** Takes a text of several lines for an answer. */
  readonly write: DialogContext['write'];
  /** The first answer to a question that may have been received; null without one. Never rejects. */
  readonly maybeReceived: (question: PendingQuestion) => Promise<AnswerWay | null>;
  /** A user's answer is about to be sent. Never rejects. */
  readonly beforeAnswer: (question: PendingQuestion, answer: Answer) => Promise<void>;
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
export class QuestionPresenter extends DisposableBase {
  readonly #ports: PresenterPorts;
  readonly #drafts = new Map<string, ElicitationDraft>();
  /** Why operations are rejected, where that was not sent. */
  readonly #reasons = new Map<string, string>();
  /** Digests of the values that were last taken from the clipboard. */
  readonly #copied = new Map<string, string>();
  readonly #wholeTexts = this.own(new WholeTexts());
  #open: OpenDialog | undefined;

  constructor(ports: PresenterPorts) {
    super();
    this.#ports = ports;
    this.own(
      ports.broker.onDidChange(({ question, isShown, ending }) => {
        if (ending !== null) this.#forget(question.id);
        if (question.id === this.#open?.question && !isShown) this.#open.closing.abort();
      }),
    );
    this.own({ dispose: () => this.#open?.closing.abort() });
  }

  /** Whether the open dialog is this question's. */
  isShowing(id: string): boolean {
    return this.#open?.question === id;
  }

  /**
   * Opens a question's dialog in place of any other question's, and sends what its user answers. Resolves when the
   * dialog is closed and its answer, if any, has been judged. One that cannot open here is shown in its chat.
   */
  async ask(id: string): Promise<void> {
    while (this.#open !== undefined) {
      this.#open.closing.abort();
      await this.#open.closed;
    }
    const tracked = this.#ports.broker.get(id);
    if (tracked === undefined || this.isDisposed) return;
    const result = await this.#show(tracked);
    const { question } = tracked;
    if (result === 'conversation') this.#ports.showConversation(question);
    if (typeof result === 'string') return;
    this.#ports.onAnswered(question);
    const { answer, reason } = result.kind === 'rejection' ? rejecting(result) : { answer: result };
    const copied = this.#copied.get(id);
    await this.#ports.beforeAnswer(question, answer);
    const outcome = await this.#ports.broker.answer(id, answer, reason);
    // Before the dialog asks for it again: what was edited meanwhile is what stands in its box.
    if (outcome?.kind === 'refused' && outcome.reason !== undefined)
      this.#keeper(this.#reasons, id).write(outcome.reason);
    if (outcome !== undefined) this.#ports.onOutcome(question, outcome);
    if (outcome !== undefined && outcome.kind !== 'refused' && copied !== undefined)
      void this.#offerToClear(question, copied);
  }

  #show({ question, error }: TrackedQuestion): Promise<QuestionResult> {
    const { broker, prompts, write } = this.#ports;
    const { promise: closed, resolve: close } = deferred();
    const closing = new AbortController();
    this.#open = { question: question.id, closing, closed };
    return prompts.during(async () => {
      try {
        if (!broker.show(question.id)) return 'conversation';
        const result = await this.#dialog({
          prompts,
          question,
          error,
          maybeReceived: await this.#ports.maybeReceived(question),
          timeLeft: () => broker.timeLeft(question.id),
          whenUnanswered: () => broker.get(question.id)?.whenUnanswered ?? null,
          signal: closing.signal,
          write,
          copied: (text) => this.#copied.set(question.id, digestOf(text)),
          whole: this.#whole(question),
        });
        // Before it counts as closed: whoever asks it again waits for that, and finds it pending.
        if (typeof result === 'string') broker.hide(question.id);
        return result;
      } finally {
        this.#open = undefined;
        close();
      }
    });
  }

  #whole(question: PendingQuestion): WholeText | undefined {
    if (wholeTextOf(question.question) === undefined) return undefined;
    return {
      wasShown: () => this.#wholeTexts.wasShown(question.id),
      show: () =>
        this.#wholeTexts.show(question).catch((failure: unknown) => {
          this.#ports.log.error('Showing a question failed', failure, question.id);
        }),
    };
  }

  #forget(id: string): void {
    this.#drafts.delete(id);
    this.#reasons.delete(id);
    this.#copied.delete(id);
    this.#wholeTexts.forget(id).catch((failure: unknown) => {
      this.#ports.log.warn('Closing the text of a question failed', failure, id);
    });
  }

  async #offerToClear(question: PendingQuestion, digest: string): Promise<void> {
    if (!(await isOnClipboard(digest))) return;
    const name = internName(question);
    await offerToClear(l10n.t('A value for {0} is still on the clipboard.', name), digest);
  }

  #dialog(context: DialogContext): Promise<QuestionResult> {
    const { id, question } = context.question;
    switch (question.kind) {
      case 'permission':
        return showPermissionDialog(question, context, this.#keeper(this.#reasons, id));
      case 'elicitation':
        return showElicitation(question, context, this.#keeper(this.#drafts, id));
    }
  }

  #keeper<T>(drafts: Map<string, T>, id: string): DraftKeeper<T> {
    return {
      read: () => drafts.get(id),
      // A dialog that closes because its question ended still writes: what was entered must be gone by then.
      write: (draft) => {
        if (this.#ports.broker.get(id) !== undefined) drafts.set(id, draft);
      },
    };
  }
}

function rejecting({ reason }: Rejection): { readonly answer: Answer; readonly reason: string } {
  return { answer: { kind: 'permission', choice: REJECT_ONCE }, reason };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
