import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Answer } from '../../api/index.ts';
import { allowedBy, unclearId } from '../../conversation/questions/allowed.ts';
import { AutoOpener, type SurroundingsPort } from '../../conversation/questions/autoOpen.ts';
import { QuestionBroker } from '../../conversation/questions/broker.ts';
import { ChatUsers } from '../../conversation/questions/chatUsers.ts';
import type {
  Answerer,
  AnswerWay,
  PendingQuestion,
  TrackedQuestion,
} from '../../conversation/questions/types.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import { AllowedLedger, showAllowed } from './allowedLedger.ts';
import { AnswerEditor } from './answerEditor.ts';
import { QuestionIndicators } from './indicators.ts';
import { QuestionNotifier } from './notifier.ts';
import { EndingMessages, showOutcome, type WaysOut } from './outcomes.ts';
import { QuestionPresenter } from './presenter.ts';
import { QuestionFiles, type QuestionAccounts } from './questionIndex.ts';

/** A conversation, as commands name it. */
export interface ConversationRef {
  readonly intern: string;
  readonly conversation: string;
}

/** Which questions a command means: all, where nothing is named. */
type QuestionFilter = Partial<ConversationRef> & { readonly question?: string | undefined };

/** What questions ask of the chats. */
interface QuestionChats {
  /** Shows a conversation's tab and gives it the focus. */
  show(conversation: ConversationRef): void;
  /** Shows a conversation's tab with a prompt at the end of what stands in its composer, unsent. */
  compose(conversation: ConversationRef, prompt: string): void;
  /** Gives the focus back to what had it in a conversation's page, if its tab is the active one. */
  returnFocus(conversation: string): void;
}

/** What {@link Questions} stand on. */
interface QuestionsPorts {
  readonly clock: Clock;
  readonly accounts: QuestionAccounts;
  readonly answerer: Answerer & {
    /** Reads from the record the first answer to a question that may have been received; null without one. */
    maybeReceived(question: PendingQuestion): Promise<AnswerWay | null>;
  };
  readonly chats: QuestionChats;
  /** All dialogs of this extension: a question's never takes another's place by itself. */
  readonly prompts: QuickInputs;
  readonly commands: CommandRegistrar;
  readonly contextKeys: ContextKeys;
  readonly setBadge: (badge: vscode.ViewBadge | undefined) => void;
  /** What the addresses of texts begin with that are written for answers. */
  readonly answerScheme: string;
  /** An id that no other window has. */
  readonly window: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Log;
}

/** Everything about questions in this window: the broker, its dialogs, and all that tells of an open question. */
export class Questions extends DisposableBase {
  readonly broker: QuestionBroker;
  readonly allowed: AllowedLedger;
  readonly users: ChatUsers;
  readonly #ports: QuestionsPorts;
  readonly #presenter: QuestionPresenter;
  readonly #autoOpener: AutoOpener;

  constructor(ports: QuestionsPorts) {
    super();
    this.#ports = ports;
    const { clock, answerer, contextKeys, setBadge } = ports;
    const index = this.own(new QuestionFiles(ports));
    const broker = this.own(new QuestionBroker({ clock, answerer, index, window: ports.window }));
    const users = new ChatUsers(clock);
    const ways = this.#waysOut();
    const endings = new EndingMessages(ways, clock);
    this.broker = broker;
    this.users = users;
    this.allowed = this.own(new AllowedLedger(ports));
    const answers = this.own(
      new AnswerEditor(ports.commands, ports.answerScheme, () => clock.now()),
    );
    this.#presenter = this.own(
      new QuestionPresenter({
        ...ports,
        broker,
        write: (name, text, signal) => answers.write(name, text, signal),
        maybeReceived: (question) => this.#maybeReceived(question),
        beforeAnswer: (question, answer) => this.#noteSent(question, answer),
        showConversation: ways.showConversation,
        onAnswered: ({ conversation }) => ports.chats.returnFocus(conversation),
        onOutcome: (tracked, outcome) => {
          if (outcome.kind === 'refused' && outcome.maybeReceived === undefined)
            void this.allowed.remove(tracked.account, unclearId(tracked.id));
          const comesBack = this.#comesBack(tracked.id);
          if (!comesBack) void showOutcome(tracked, outcome, ways);
        },
      }),
    );
    this.#autoOpener = this.own(
      new AutoOpener({
        clock,
        broker,
        users,
        surroundings: this.#surroundings(),
        open: (id) => this.#ask(id),
      }),
    );
    this.own(new QuestionIndicators({ clock, broker, contextKeys, setBadge }));
    this.own(new QuestionNotifier({ clock, broker, users, autoOpener: this.#autoOpener }));
    this.own(
      broker.onDidChange((change) => {
        endings.handleChange(change);
        this.#noteAllowed(change);
      }),
    );
    this.#registerCommands();
    void broker.synchronize();
  }

  #ask(id: string): void {
    this.#presenter.ask(id).catch((failure: unknown) => {
      this.#ports.log.error('Asking a question failed', failure, id);
    });
  }

  /** Whether the dialog of a refused answer is open again by itself, or will be, with the reason in it. */
  #comesBack(id: string): boolean {
    if (this.#presenter.isShowing(id)) return true;
    const tracked = this.broker.get(id);
    return tracked?.stage === 'refused' && this.#autoOpener.opensIn(tracked) !== undefined;
  }

  #waysOut(): WaysOut {
    const { chats } = this.#ports;
    return {
      answer: ({ id }) => {
        if (this.broker.get(id) === undefined) showNothingWaits();
        else this.#ask(id);
      },
      showConversation: (question) => chats.show(question),
      askAgain: (question, prompt) => chats.compose(question, prompt),
    };
  }

  /** The window's focus and all dialogs of this extension, questions' among them. */
  #surroundings(): SurroundingsPort {
    const { clock, prompts } = this.#ports;
    const changed = this.own(new Emitter<void>());
    let settledAt = Number.NEGATIVE_INFINITY;
    const settle = () => {
      settledAt = clock.monotonic();
      changed.fire();
    };
    this.own(vscode.window.onDidChangeWindowState(settle));
    this.own(prompts.onDidChange(settle));
    return {
      current: () => ({
        windowFocused: vscode.window.state.focused,
        dialogOpen: prompts.isOpen,
        settledAt,
      }),
      onDidChange: changed.event,
    };
  }

  async #maybeReceived(question: PendingQuestion): Promise<AnswerWay | null> {
    try {
      return await this.#ports.answerer.maybeReceived(question);
    } catch (failure) {
      this.#ports.log.warn('Could not read the earlier answers to a question', failure);
      return null;
    }
  }

  /** Notes an `allow_always` before it is sent, so that a crash cannot hide it. */
  async #noteSent(question: PendingQuestion, answer: Answer): Promise<void> {
    if (answer.kind !== 'permission') return;
    const record = allowedBy(question, answer.choice, this.#ports.clock.now(), true);
    if (record !== undefined) await this.allowed.add(question.account, record);
  }

  /** Notes what the end of a question proves. An answer that may have been received stays as it was noted. */
  #noteAllowed({ question, ending }: TrackedQuestion): void {
    if (ending?.kind !== 'answered' && ending?.kind !== 'gone') return;
    const how = ending.kind === 'answered' ? ending.how : '';
    const record = allowedBy(question, how, this.#ports.clock.now());
    if (record !== undefined) void this.allowed.add(question.account, record);
    void this.allowed.remove(question.account, unclearId(question.id));
  }

  #registerCommands(): void {
    const { commands, chats } = this.#ports;
    this.own(
      commands.registerAll({
        'interns.answer': (targets) => this.#answer(targets),
        'interns.showConversation': (targets) => {
          const [target = this.#oldest()] = targets;
          if (target !== undefined) chats.show(target);
        },
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

  /** Asks the question that was named, else the one with the oldest deadline: of the conversation or intern, or of all. */
  #answer(targets: readonly QuestionFilter[]): void {
    const [target] = targets;
    const question = this.#oldest(target);
    if (question !== undefined) this.#ask(question.id);
    else if (target !== undefined) showNothingWaits();
    else
      void vscode.window.showInformationMessage(vscode.l10n.t('No question waits for an answer.'));
  }

  /** The oldest question that can be asked, else the one whose dialog is open: asking it again brings it to the front. */
  #oldest(target: QuestionFilter = {}): PendingQuestion | undefined {
    const isMeant = ({ question }: TrackedQuestion) =>
      (target.question ?? question.id) === question.id &&
      (target.conversation ?? question.conversation) === question.conversation &&
      (target.intern ?? question.intern) === question.intern;
    const shown = () => this.broker.open().filter(({ isShown }) => isShown);
    return (this.broker.waiting().find(isMeant) ?? shown().find(isMeant))?.question;
  }
}

/** Said where a button or a link outlived the question that it was for. */
function showNothingWaits(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('No question waits here any more.'));
}
