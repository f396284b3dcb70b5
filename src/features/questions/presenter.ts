import { l10n } from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { AutoOpenPorts, ChatPresence } from '../../conversation/questions/autoOpen.ts';
import type {
  PendingQuestions,
  TrackedQuestion,
} from '../../conversation/questions/pendingQuestions.ts';
import type {
  Answerer,
  AnswerOutcome,
  PendingQuestion,
} from '../../conversation/questions/types.ts';
import type { ConversationTarget } from '../../platform/commands/ids.ts';
import { offerToClearClipboard } from '../../platform/dialogs/takeText.ts';
import type { SystemNotifications } from '../../platform/notifications/systemNotifications.ts';
import type { UserAttention } from '../../platform/notifications/userAttention.ts';
import type { Settings } from '../../platform/settings.ts';
import type { TextEditing } from '../../platform/dialogs/editText.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import type { Accounts } from '../accounts/account.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { AllowedRecords } from './allowedRecords.ts';
import type { DialogContext, QuestionDrafts, QuestionResult } from './dialogContext.ts';
import { showElicitation } from './elicitation.ts';
import { showPermissionDialog } from './permissionDialog.ts';
import { shownInternName, wholeQuestionText } from './questionText.ts';
import type { PlatformServices } from '../../platform/services.ts';

/** The chats, as a port: this feature comes before them. */
interface QuestionChats {
  /** Shows and focuses a conversation's chat. */
  readonly show: (conversation: ConversationTarget) => void;
  /** Shows a conversation's chat and appends a prompt to the text of its composer. */
  readonly compose: (conversation: ConversationTarget, prompt: string) => void;
  /** Restores the focus within a conversation's page, if its tab is active. */
  readonly returnFocus: (conversation: string) => void;
  /** Returns whether the end of a conversation is visible in this window, and the window has the focus. */
  readonly isEndSeen: (conversation: string) => boolean;
}

export interface QuestionsPorts extends Pick<
  PlatformServices,
  'clock' | 'contextKeys' | 'log' | 'registrar'
> {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly answerer: Pick<Answerer, 'readRecordedQuestion'>;
  readonly pendingQuestions: PendingQuestions;
  readonly chatPresence: ChatPresence;
  readonly drafts: AutoOpenPorts['drafts'];
  readonly chats: QuestionChats;
  /** All dialogs of this extension. A question's dialog never opens by itself in place of another. */
  readonly dialogs: QuickInputs;
  readonly texts: Pick<TextEditing, 'editText'>;
  readonly settings: Pick<Settings, 'systemNotifications'>;
  readonly attention: Pick<UserAttention, 'isAway' | 'reserve'>;
  readonly systemNotifications: Pick<SystemNotifications, 'isPossible' | 'show'>;
}

interface PresenterPorts extends QuestionsPorts {
  readonly allowed: AllowedRecords;
  /** Called with the outcome of an answer from a dialog. */
  readonly onOutcome: (question: PendingQuestion, outcome: AnswerOutcome) => void;
}

interface OpenDialog {
  readonly question: string;
  readonly closing: AbortController;
  closed: Promise<unknown>;
}

/** Shows one question's dialog at a time, and sends the answer. Keeps drafts until their question is over. */
export class QuestionPresenter extends DisposableBase {
  readonly #ports: PresenterPorts;
  readonly #drafts = new Map<string, QuestionDrafts>();
  readonly #wholeTexts = this.own(new ReadOnlyTexts('interns-question'));
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

  isShowing(id: string): boolean {
    return this.#open?.question === id;
  }

  /**
   * Opens a question's dialog in place of any other question's, and sends the answer. Resolves when the dialog is closed
   * and the outcome of the answer, if any, is known. If the dialog cannot open here, shows the chat.
   */
  async ask(id: string): Promise<void> {
    while (this.#open !== undefined) {
      this.#open.closing.abort();
      await this.#open.closed;
    }
    const tracked = this.#ports.pendingQuestions.get(id);
    if (tracked === undefined || this.isDisposed) return;
    const drafts = this.#drafts.get(id) ?? {};
    this.#drafts.set(id, drafts);
    const result = await this.#show(tracked, drafts);
    const { question } = tracked;
    const { pendingQuestions, chats, allowed, onOutcome } = this.#ports;
    if (result === 'conversation') chats.show(question);
    if (typeof result === 'string') return;
    chats.returnFocus(question.conversation);
    const { answer, reason } = result;
    const removeRecord = await allowed.recordSent(question, answer);
    let outcome: AnswerOutcome | undefined;
    try {
      outcome = await pendingQuestions.answer(id, answer, reason);
    } finally {
      // Nothing was sent, such as after another window answered first.
      if (outcome === undefined) await removeRecord();
    }
    if (outcome === undefined) return;
    // Restores the edited reason before the dialog reopens.
    if (outcome.kind === 'refused' && outcome.reason !== undefined) drafts.reason = outcome.reason;
    onOutcome(question, outcome);
    const { clipboardHash } = drafts;
    if (outcome.kind === 'refused' || clipboardHash === undefined) return;
    const offer = l10n.t('A value for {0} is still on the clipboard.', shownInternName(question));
    void offerToClearClipboard(offer, clipboardHash);
  }

  #show({ question, error }: TrackedQuestion, drafts: QuestionDrafts): Promise<QuestionResult> {
    const { pendingQuestions, dialogs, texts } = this.#ports;
    const closing = new AbortController();
    const opened: OpenDialog = { question: question.id, closing, closed: Promise.resolve() };
    this.#open = opened;
    const shown = dialogs.during(async () => {
      let result: QuestionResult = 'hidden';
      try {
        if (!pendingQuestions.show(question.id)) return 'conversation';
        const { maybeReceived } = await this.#ports.answerer.readRecordedQuestion(question);
        result = await showDialog({
          dialogs,
          question,
          error,
          maybeReceived,
          timeLeftMs: () => pendingQuestions.timeLeftMs(question.id),
          signal: closing.signal,
          editText: texts.editText,
          drafts,
          showWhole: this.#wholeTextFor(question, drafts),
        });
        return result;
      } finally {
        // The question must be pending again before `closed` resolves, because `ask` waits for `closed`.
        if (typeof result === 'string') pendingQuestions.hide(question.id);
        this.#open = undefined;
      }
    });
    opened.closed = shown.catch(() => undefined);
    return shown;
  }

  #wholeTextFor(
    { id, question, ...asker }: PendingQuestion,
    drafts: QuestionDrafts,
  ): DialogContext['showWhole'] {
    const text = wholeQuestionText(question);
    if (text === undefined) return undefined;
    const title = l10n.t('Question from {0}', shownInternName(asker));
    return async () => {
      try {
        await this.#wholeTexts.show(id, title, text, false);
        drafts.wasWholeTextShown = true;
      } catch (failure) {
        this.#ports.log.error('Showing a question failed', failure, id);
      }
    };
  }

  #forget(id: string): void {
    this.#drafts.delete(id);
    this.#wholeTexts.forget(id).catch((failure: unknown) => {
      this.#ports.log.warn('Closing the text of a question failed', failure, id);
    });
  }
}

function showDialog(context: DialogContext): Promise<QuestionResult> {
  const { question } = context.question;
  return question.kind === 'permission'
    ? showPermissionDialog(question, context)
    : showElicitation(question, context);
}
