import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { AllowedRecords, showAllowed } from './allowedRecords.ts';
import { AutoOpener } from '../../conversation/questions/autoOpen.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { PendingQuestion, TrackedQuestion } from '../../conversation/questions/types.ts';
import { showIndicators } from './indicators.ts';
import { showNotifications } from './notifier.ts';
import { createEndingMessages, showOutcome, type OutcomeActions } from './outcomes.ts';
import { QuestionPresenter, type ConversationReference, type QuestionsPorts } from './presenter.ts';
import { showSystemNotifications } from './systemNotifier.ts';

/** The questions that a command acts on. All, if it is empty. */
type QuestionFilter = Partial<ConversationReference> & { readonly question?: string | undefined };

/** Connects the pending questions of this window with their dialogs, indicators, notifications and commands. */
export class Questions extends DisposableBase {
  readonly pendingQuestions: PendingQuestions;
  readonly allowed: AllowedRecords;
  readonly #ports: QuestionsPorts;
  readonly #presenter: QuestionPresenter;
  readonly #autoOpener: AutoOpener;

  constructor(ports: QuestionsPorts) {
    super();
    this.#ports = ports;
    const { clock, pendingQuestions, chatPresence } = ports;
    const allowed = new AllowedRecords(ports);
    const actions = this.#outcomeActions();
    const showEnding = createEndingMessages(actions, clock);
    this.pendingQuestions = pendingQuestions;
    this.allowed = allowed;
    this.#presenter = this.own(
      new QuestionPresenter({
        ...ports,
        allowed,
        editText: ports.texts.editText,
        onOutcome: (question, outcome) => {
          if (outcome.kind === 'refused') void allowed.recordOutcome(question, outcome);
          if (!this.#willReopen(question.id)) void showOutcome(question, outcome, actions);
        },
      }),
    );
    const open = (id: string) => this.#ask(id);
    this.#autoOpener = this.own(
      new AutoOpener({ clock, pendingQuestions, chatPresence, window: this.#windowState(), open }),
    );
    this.own(showIndicators(ports));
    this.own(showNotifications(ports, this.#autoOpener));
    this.own(showSystemNotifications({ ...ports, open: actions.answer }));
    this.own(
      pendingQuestions.onDidChange((tracked) => {
        showEnding(tracked);
        const { question, ending } = tracked;
        if (ending !== null) void allowed.recordOutcome(question, ending);
      }),
    );
    this.#registerCommands();
    void pendingQuestions.synchronize();
  }

  #ask(id: string): void {
    this.#presenter.ask(id).catch((failure: unknown) => {
      this.#ports.log.error('Asking a question failed', failure, id);
    });
  }

  /** Returns whether the dialog of a refused answer is open again, or will open by itself, with the reason in it. */
  #willReopen(id: string): boolean {
    if (this.#presenter.isShowing(id)) return true;
    const tracked = this.pendingQuestions.get(id);
    return tracked?.stage === 'refused' && this.#autoOpener.opensInMs(tracked) !== undefined;
  }

  #outcomeActions(): OutcomeActions {
    const { chats } = this.#ports;
    return {
      answer: ({ id }) => {
        if (this.pendingQuestions.get(id) === undefined) showQuestionClosed();
        else this.#ask(id);
      },
      showConversation: (question) => chats.show(question),
      askAgain: (question, prompt) => chats.compose(question, prompt),
    };
  }

  /** The window's focus, and whether a dialog of this extension is open. */
  #windowState() {
    const { clock, dialogs } = this.#ports;
    const changed = this.own(new Emitter<void>());
    let settledAt = Number.NEGATIVE_INFINITY;
    const settle = () => {
      settledAt = clock.monotonic();
      changed.fire();
    };
    this.own(vscode.window.onDidChangeWindowState(settle));
    this.own(dialogs.onDidChange(settle));
    return {
      current: () => ({
        isFocused: vscode.window.state.focused,
        isDialogOpen: dialogs.isOpen,
        settledAt,
      }),
      onDidChange: changed.event,
    };
  }

  #registerCommands(): void {
    const { commands } = this.#ports;
    this.own(
      commands.registerAll({
        'interns.answer': (targets) => this.#answer(targets),
        'interns.showAllowed': async (targets) => {
          const interns = new Set(targets.map(({ intern }) => intern));
          const all = await this.allowed.list();
          return showAllowed(
            interns.size === 0 ? all : all.filter(({ intern }) => interns.has(intern)),
          );
        },
      }),
    );
  }

  #answer([target]: readonly QuestionFilter[]): void {
    const question = this.#oldest(target);
    if (question !== undefined) this.#ask(question.id);
    else if (target !== undefined) showQuestionClosed();
    else void vscode.window.showInformationMessage(l10n.t('No question is waiting for you.'));
  }

  /** Returns the oldest question that can be asked, else one whose dialog is open, which asking brings to the front. */
  #oldest(target: QuestionFilter = {}): PendingQuestion | undefined {
    const isMeant = ({ question }: TrackedQuestion) =>
      (target.question ?? question.id) === question.id &&
      (target.conversation ?? question.conversation) === question.conversation &&
      (target.intern ?? question.intern) === question.intern;
    const shown = () => this.pendingQuestions.listOpen().filter(({ isShown }) => isShown);
    return (this.pendingQuestions.listWaiting().find(isMeant) ?? shown().find(isMeant))?.question;
  }
}

/** Answers a button or a link whose question is over. */
function showQuestionClosed(): void {
  void vscode.window.showInformationMessage(l10n.t('This question has closed.'));
}
