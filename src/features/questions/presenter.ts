import { l10n } from 'vscode';
import type { Answer } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import { REJECT_ONCE } from '../../conversation/questions/permission.ts';
import type {
  Answerer,
  AnswerOutcome,
  PendingQuestion,
  TrackedQuestion,
} from '../../conversation/questions/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { digestOf, isOnClipboard, offerToClear } from '../../platform/dialogs/takeText.ts';
import type { EditText } from '../../platform/dialogs/editText.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { AllowedLedger } from './allowedLedger.ts';
import type {
  DialogContext,
  DraftKeeper,
  QuestionResult,
  Rejection,
  WholeText,
} from './dialogContext.ts';
import { type ElicitationDraft, showElicitation } from './elicitation.ts';
import { showPermissionDialog } from './permissionDialog.ts';
import { internName, wholeTextOf } from './words.ts';

/** A conversation, as commands name it. */
export interface ConversationRef {
  readonly intern: string;
  readonly conversation: string;
}

/** What questions ask of the chats. */
export interface QuestionChats {
  /** Shows a conversation's chat and gives it the focus. */
  show(conversation: ConversationRef): void;
  /** Shows a conversation's chat with a prompt at the end of what stands in its composer, unsent. */
  compose(conversation: ConversationRef, prompt: string): void;
  /** Gives the focus back to what had it in a conversation's page, if its tab is the active one. */
  returnFocus(conversation: string): void;
}

interface PresenterPorts {
  readonly dialogs: QuickInputs;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly pendingQuestions: PendingQuestions;
  readonly answerer: Pick<Answerer, 'recorded'>;
  readonly allowed: Pick<AllowedLedger, 'noteSent'>;
  readonly chats: QuestionChats;
  readonly editText: EditText;
  /** What became of an answer that a dialog gave. */
  readonly onOutcome: (question: PendingQuestion, outcome: AnswerOutcome) => void;
}

/** The dialog that is open. */
interface OpenDialog {
  readonly question: string;
  readonly closing: AbortController;
  closed: Promise<unknown>;
}

/** Shows one question's dialog at a time, keeps what was entered while its question is open, and sends the answer. */
export class QuestionPresenter extends DisposableBase {
  readonly #ports: PresenterPorts;
  readonly #drafts = new Map<string, ElicitationDraft>();
  /** Why operations are rejected, where that was not sent. */
  readonly #reasons = new Map<string, string>();
  /** Digests of the values that were last taken from the clipboard. */
  readonly #copied = new Map<string, string>();
  /** The whole texts of questions, in read-only editors beside their dialogs. */
  readonly #wholeTexts = this.own(new ReadOnlyTexts('interns-question'));
  /** Questions whose whole text has been opened. */
  readonly #wholeShown = new Set<string>();
  #open: OpenDialog | undefined;

  constructor(ports: PresenterPorts) {
    super();
    this.#ports = ports;
    this.own(
      ports.pendingQuestions.onDidChange(({ question, isShown, ending }) => {
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
    const tracked = this.#ports.pendingQuestions.get(id);
    if (tracked === undefined || this.isDisposed) return;
    const result = await this.#show(tracked);
    const { question } = tracked;
    const { pendingQuestions, chats, allowed, onOutcome } = this.#ports;
    if (result === 'conversation') chats.show(question);
    if (typeof result === 'string') return;
    chats.returnFocus(question.conversation);
    const { answer, reason } = result.kind === 'rejection' ? rejecting(result) : { answer: result };
    const copied = this.#copied.get(id);
    await allowed.noteSent(question, answer);
    const outcome = await pendingQuestions.answer(id, answer, reason);
    // Before the dialog asks for it again: what was edited meanwhile is what stands in its box.
    if (outcome?.kind === 'refused' && outcome.reason !== undefined)
      this.#keeper(this.#reasons, id).write(outcome.reason);
    if (outcome !== undefined) onOutcome(question, outcome);
    if (outcome !== undefined && outcome.kind !== 'refused' && copied !== undefined)
      void this.#offerToClear(question, copied);
  }

  #show({ question, error }: TrackedQuestion): Promise<QuestionResult> {
    const { pendingQuestions, dialogs, editText } = this.#ports;
    const closing = new AbortController();
    const opened: OpenDialog = { question: question.id, closing, closed: Promise.resolve() };
    this.#open = opened;
    const result = dialogs.during(async () => {
      try {
        if (!pendingQuestions.show(question.id)) return 'conversation';
        const { maybeReceived } = await this.#ports.answerer.recorded(question);
        const result = await this.#dialog({
          dialogs,
          question,
          error,
          maybeReceived,
          timeLeft: () => pendingQuestions.timeLeft(question.id),
          signal: closing.signal,
          editText,
          copied: (text) => this.#copied.set(question.id, digestOf(text)),
          whole: this.#whole(question),
        });
        // Before it counts as closed: whoever asks it again waits for that, and finds it pending.
        if (typeof result === 'string') pendingQuestions.hide(question.id);
        return result;
      } finally {
        this.#open = undefined;
      }
    });
    opened.closed = result.catch(() => undefined);
    return result;
  }

  #whole({ id, question, ...asker }: PendingQuestion): WholeText | undefined {
    const text = wholeTextOf(question);
    if (text === undefined) return undefined;
    const title = l10n.t('What {0} asks', internName(asker));
    return {
      wasShown: () => this.#wholeShown.has(id),
      show: async () => {
        try {
          await this.#wholeTexts.show(id, title, text);
          this.#wholeShown.add(id);
        } catch (failure) {
          this.#ports.log.error('Showing a question failed', failure, id);
        }
      },
    };
  }

  #forget(id: string): void {
    this.#drafts.delete(id);
    this.#reasons.delete(id);
    this.#copied.delete(id);
    this.#wholeShown.delete(id);
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
        if (this.#ports.pendingQuestions.get(id) !== undefined) drafts.set(id, draft);
      },
    };
  }
}

function rejecting({ reason }: Rejection): { readonly answer: Answer; readonly reason: string } {
  return { answer: { kind: 'permission', choice: REJECT_ONCE }, reason };
}
