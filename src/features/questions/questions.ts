import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore, Emitter, type Disposable } from '../../base/disposable.ts';
import { AllowedRecords, showAllowed } from './allowedRecords.ts';
import { AutoOpener } from '../../conversation/questions/autoOpen.ts';
import type {
  PendingQuestions,
  TrackedQuestion,
} from '../../conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import type { ConversationTarget } from '../../platform/commands/ids.ts';
import { reportFailure } from '../../platform/text/reportFailure.ts';
import { showIndicators } from './indicators.ts';
import { showNotifications } from './notifier.ts';
import { createEndingMessages, showOutcome, type OutcomeActions } from './outcomes.ts';
import { QuestionPresenter, type QuestionsPorts } from './presenter.ts';
import { showSystemNotifications } from './systemNotifier.ts';

/** The questions that a command acts on: all of them if it is empty. */
type QuestionFilter = Partial<ConversationTarget> & { readonly question?: string | undefined };

/** Connects the pending questions with their dialogs, indicators, notifications and commands. */
export function startQuestions(
  ports: QuestionsPorts,
): Disposable & { readonly allowed: AllowedRecords } {
  const { chats, log, pendingQuestions } = ports;
  const store = new DisposableStore();
  const allowed = new AllowedRecords(ports);
  const ask = (id: string): void => {
    presenter.ask(id).catch((failure: unknown) => {
      reportFailure(log, 'Asking a question', failure);
    });
  };
  const actions: OutcomeActions = {
    ...chats,
    answer: ({ id }) => {
      if (pendingQuestions.get(id) === undefined) showQuestionClosed();
      else ask(id);
    },
  };
  /** Returns whether the dialog of a refused answer is open again, or will open by itself, with the reason in it. */
  const willReopen = (id: string) => {
    if (presenter.isShowing(id)) return true;
    const tracked = pendingQuestions.get(id);
    return tracked?.stage === 'refused' && autoOpener.opensInMs(tracked) !== undefined;
  };
  const presenter = store.add(
    new QuestionPresenter({
      ...ports,
      allowed,
      onOutcome: (question, outcome) => {
        if (outcome.kind === 'refused') void allowed.recordOutcome(question, outcome);
        if (!willReopen(question.id)) void showOutcome(question, outcome, actions);
      },
    }),
  );
  const window = followWindow(ports, store);
  const autoOpener = store.add(new AutoOpener({ ...ports, window, open: ask }));
  store.add(showIndicators(ports));
  store.add(showNotifications(ports, autoOpener));
  store.add(showSystemNotifications({ ...ports, open: actions.answer }));
  const showEnding = createEndingMessages(actions, ports.clock);
  store.add(
    pendingQuestions.onDidChange((tracked) => {
      showEnding(tracked);
      const { question, ending } = tracked;
      if (ending !== null) void allowed.recordOutcome(question, ending);
    }),
  );
  registerCommands(ports, allowed, ask);
  void pendingQuestions.synchronize();
  return { allowed, dispose: () => store.dispose() };
}

/** Follows the window's focus, and whether a dialog of this extension is open. */
function followWindow({ clock, dialogs }: QuestionsPorts, store: DisposableStore) {
  const changed = store.add(new Emitter<void>());
  let settledAt = Number.NEGATIVE_INFINITY;
  const settle = () => {
    settledAt = clock.monotonic();
    changed.fire();
  };
  store.add(vscode.window.onDidChangeWindowState(settle));
  store.add(dialogs.onDidChange(settle));
  return {
    current: () => ({
      isFocused: vscode.window.state.focused,
      isDialogOpen: dialogs.isOpen,
      settledAt,
    }),
    onDidChange: changed.event,
  };
}

function registerCommands(
  { dialogs, registrar, pendingQuestions }: QuestionsPorts,
  allowed: AllowedRecords,
  ask: (id: string) => void,
): void {
  registrar.register({
    'interns.answer': ([target]) => {
      const question = findMostUrgent(pendingQuestions, target);
      if (question !== undefined) ask(question.id);
      else if (target !== undefined) showQuestionClosed();
      else void vscode.window.showInformationMessage(l10n.t('No question is waiting for you.'));
    },
    'interns.showAllowed': async () => showAllowed(await allowed.list(), dialogs),
  });
}

/** Returns the waiting question with the least time left, else one whose dialog is open, to bring it to the front. */
function findMostUrgent(
  pendingQuestions: PendingQuestions,
  target: QuestionFilter = {},
): PendingQuestion | undefined {
  const matches = ({ question }: TrackedQuestion) =>
    (target.question ?? question.id) === question.id &&
    (target.conversation ?? question.conversation) === question.conversation &&
    (target.intern ?? question.intern) === question.intern;
  const shown = () => pendingQuestions.listOpen().filter(({ isShown }) => isShown);
  return (pendingQuestions.listWaiting().find(matches) ?? shown().find(matches))?.question;
}

/** Shows that the question of a button or a link is over. */
function showQuestionClosed(): void {
  void vscode.window.showInformationMessage(l10n.t('This question has closed.'));
}
