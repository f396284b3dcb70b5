import type { Answer, ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableBase, Emitter } from '../../base/disposable.ts';
import { Countdown } from '../../base/timeLeft.ts';
import type {
  Answerer,
  AnswerOutcome,
  HeadQuestion,
  PendingQuestion,
  QuestionEnding,
  QuestionHeads,
  QuestionStage,
} from './types.ts';
import { AUTO_ANSWER_BEFORE_DEADLINE_MS, type WhenUnanswered } from './unanswered.ts';

/** How long before the end of the countdown a reminder is shown, in ms. */
export const REMIND_BEFORE_DEADLINE_MS = 60_000;

/** How long badge and status bar count a question after its countdown ran out, in ms. It can still be answered. */
export const MAX_WAITING_AFTER_DEADLINE_MS = 3_600_000;

/** The longest wait between two checks of a question, in ms. Timers stop while the machine sleeps, countdowns do not. */
const RECHECK_INTERVAL_MS = 10_000;

/** How long a question is not answered automatically after its dialog was open in any window, in ms. */
export const DIALOG_PROTECTION_MS = 30_000;

interface PendingQuestionsPorts {
  readonly clock: Clock;
  readonly answerer: Answerer;
  readonly heads: QuestionHeads;
  /** The ID of this window. */
  readonly window: string;
}

export type TrackedQuestion = Readonly<TrackedQuestionState>;

class TrackedQuestionState {
  readonly question: PendingQuestion;
  readonly countdown: Countdown;
  stage: QuestionStage = 'open';
  /** True if its dialog is open in this window. */
  isShown = false;
  /** Why the service refused the last answer, if it did. */
  error: ApiError | null = null;
  /** Null while it may be answered. */
  ending: QuestionEnding | null = null;
  /** The policy if it stays unanswered; null until its last minute. */
  whenUnanswered: WhenUnanswered | null = null;
  /** True if the conversation is open here, so that it reports the end of the question. Otherwise its head does. */
  isLive: boolean;
  /** The number of answers that this window is sending: the user's, and the `cancel` of a Stop that came before it. */
  answersHere = 0;
  isReminded: boolean;
  /** When the dialog last opened here, epoch ms. */
  shownAt = 0;
  /** When an automatic answer is allowed again after the last dialog, epoch ms. */
  protectedUntil = 0;
  /** When the countdown ran out, on the monotonic clock. */
  expiredAt: number | undefined;
  timer: Disposable | undefined;
  readonly #clock: Clock;

  constructor(question: PendingQuestion, clock: Clock, isLive: boolean) {
    this.question = question;
    this.countdown = new Countdown(clock, question.deadline);
    this.isLive = isLive;
    this.#clock = clock;
    this.isReminded = this.countdown.leftMs() <= REMIND_BEFORE_DEADLINE_MS;
    const overdue = clock.now() - question.deadline;
    if (overdue >= 0) this.expiredAt = clock.monotonic() - overdue;
  }

  /** True if it is open and no dialog of this window shows it. */
  get isWaiting(): boolean {
    return !this.isShown && (this.stage === 'open' || this.stage === 'refused');
  }

  /** True if its countdown ran out. It may still be answered, since the service decides. */
  get isLate(): boolean {
    return this.countdown.leftMs() === 0;
  }

  /** False an hour after its countdown ran out, though it may still be answered. */
  get isCountedAsWaiting(): boolean {
    return this.#clock.monotonic() - (this.expiredAt ?? Infinity) < MAX_WAITING_AFTER_DEADLINE_MS;
  }
}

/**
 * The pending questions of all conversations. A conversation that is open here reports when its question arrives and
 * ends; the heads report it for all others. Only a conversation sends an answer, in the window that owns it.
 */
export class PendingQuestions extends DisposableBase {
  readonly #ports: PendingQuestionsPorts;
  readonly #tracked = new Map<string, TrackedQuestionState>();
  /** IDs of questions that are over. An outdated head does not bring them back. */
  readonly #endedIds = new Set<string>();
  readonly #changed = this.own(new Emitter<TrackedQuestion>());
  readonly #reminded = this.own(new Emitter<TrackedQuestion>());
  #sync: Promise<void> | undefined;
  #syncAgain = false;

  /** Fires when a question changes. Its end is the last change. */
  readonly onDidChange = this.#changed.event;
  /** Fires when one minute is left for a question that no dialog shows. */
  readonly onDidRemind = this.#reminded.event;

  constructor(ports: PendingQuestionsPorts) {
    super();
    this.#ports = ports;
    this.own(ports.heads.onDidChange(() => void this.synchronize()));
  }

  /** Adds a question whose conversation is open here. */
  add(question: PendingQuestion): void {
    const known = this.#tracked.get(question.id);
    if (known !== undefined) known.isLive = true;
    else if (!this.#endedIds.has(question.id)) this.#track(question, true);
  }

  /** Ends a question for another reason than an answer, and closes its dialog. */
  endQuestion(id: string, how: QuestionEnding): void {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined) return;
    this.#endedIds.add(id);
    this.#finish(tracked, how);
  }

  /** Ends the questions of a deleted conversation. The service may have refused to cancel them. */
  endQuestionsOf(conversation: string): void {
    for (const { question } of this.#tracked.values())
      if (question.conversation === conversation)
        this.endQuestion(question.id, { kind: 'run-ended' });
  }

  /**
   * Sends an answer. Undefined if none was sent: the question is not open, an answer is on its way, or another window
   * owns the conversation.
   */
  async answer(id: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined || tracked.stage === 'sending') return undefined;
    return this.#send(tracked, () => this.#ports.answerer.answer(tracked.question, answer, reason));
  }

  /** Shows the outcome of an answer that the conversation sends by itself, such as the `cancel` of a Stop. */
  followOutcome(id: string, outcome: Promise<AnswerOutcome | undefined>): void {
    const tracked = this.#tracked.get(id);
    if (tracked !== undefined) void this.#send(tracked, () => outcome);
  }

  /** Records that the dialog of a question opens here. Returns false if it is open, being answered or over. */
  show(id: string): boolean {
    const tracked = this.#tracked.get(id);
    if (tracked?.isWaiting !== true) return false;
    tracked.shownAt = this.#ports.clock.now();
    this.#update(tracked, { isShown: true });
    void this.#markDialog(tracked);
    return true;
  }

  /** Records that the dialog of a question closed without an answer. */
  hide(id: string): void {
    const tracked = this.#tracked.get(id);
    if (tracked?.isShown !== true) return;
    this.#update(tracked, { isShown: false });
    void this.#markDialog(tracked);
  }

  /** Applies a policy for unanswered questions that was changed here. */
  handlePolicyChange(conversation: string): void {
    for (const tracked of this.#tracked.values())
      if (tracked.question.conversation === conversation) void this.#checkUnanswered(tracked);
  }

  /** Undefined for an unknown ID, and for a question that is over. */
  get(id: string): TrackedQuestion | undefined {
    return this.#tracked.get(id);
  }

  /** Open questions, earliest deadline first, then those whose time ran out. */
  listOpen(): readonly TrackedQuestion[] {
    const rank = ({ countdown }: TrackedQuestionState) =>
      countdown.leftMs() || Number.MAX_SAFE_INTEGER;
    return [...this.#tracked.values()].sort(
      (a, b) => rank(a) - rank(b) || a.question.deadline - b.question.deadline,
    );
  }

  /** Open questions that no dialog of this window shows. */
  listWaiting(): readonly TrackedQuestion[] {
    return this.listOpen().filter(({ isWaiting }) => isWaiting);
  }

  /** Milliseconds until the countdown runs out, 0 to 300,000; 0 for unknown IDs. */
  timeLeftMs(id: string): number {
    return this.#tracked.get(id)?.countdown.leftMs() ?? 0;
  }

  /** When the countdown runs out, epoch ms; undefined for unknown IDs. */
  deadline(id: string): number | undefined {
    return this.#tracked.get(id)?.countdown.deadline;
  }

  /** Resolves when this window agrees with the heads. */
  synchronize(): Promise<void> {
    this.#syncAgain = true;
    this.#sync ??= this.#synchronizeAll().finally(() => {
      this.#sync = undefined;
    });
    return this.#sync;
  }

  override dispose(): void {
    super.dispose();
    for (const tracked of this.#tracked.values()) this.#finish(tracked, { kind: 'elsewhere' });
  }

  #track(question: PendingQuestion, isLive: boolean): TrackedQuestionState {
    const tracked = new TrackedQuestionState(question, this.#ports.clock, isLive);
    this.#tracked.set(question.id, tracked);
    this.#changed.fire(tracked);
    this.#tick(tracked);
    return tracked;
  }

  #update(
    tracked: TrackedQuestionState,
    change: Partial<Pick<TrackedQuestionState, 'stage' | 'isShown' | 'error' | 'whenUnanswered'>>,
  ): void {
    Object.assign(tracked, change);
    this.#changed.fire(tracked);
  }

  #finish(tracked: TrackedQuestionState, ending: QuestionEnding): void {
    tracked.ending = ending;
    tracked.timer?.dispose();
    this.#tracked.delete(tracked.question.id);
    this.#update(tracked, { stage: 'over', isShown: false });
  }

  async #send(tracked: TrackedQuestionState, answer: () => Promise<AnswerOutcome | undefined>) {
    const { question } = tracked;
    const stage = tracked.stage === 'sending' ? 'open' : tracked.stage;
    tracked.answersHere += 1;
    this.#update(tracked, { stage: 'sending', isShown: false });
    let outcome: AnswerOutcome | undefined;
    try {
      outcome = await answer();
    } finally {
      tracked.answersHere -= 1;
      if (outcome !== undefined && outcome.kind !== 'refused')
        this.endQuestion(question.id, outcome);
      else if (tracked.ending === null && tracked.answersHere === 0)
        this.#update(tracked, outcome ? { stage: 'refused', error: outcome.error } : { stage });
    }
    if (outcome === undefined) await this.#endIfOver(question);
    void this.synchronize();
    return outcome;
  }

  /** Checks a question's countdown, dialog and answering window, and schedules the next check. */
  #tick(tracked: TrackedQuestionState): void {
    tracked.timer?.dispose();
    if (tracked.ending !== null) return;
    const { clock } = this.#ports;
    const left = tracked.countdown.leftMs();
    if (left === 0 && tracked.expiredAt === undefined) {
      tracked.expiredAt = clock.monotonic();
      this.#update(tracked, {});
    }
    if (tracked.isShown) void this.#markDialog(tracked);
    void this.#checkUnanswered(tracked);
    if (tracked.stage === 'sending') void this.synchronize();
    if (!tracked.isCountedAsWaiting && tracked.stage !== 'sending') {
      this.#update(tracked, {});
      return;
    }
    const due = [REMIND_BEFORE_DEADLINE_MS, AUTO_ANSWER_BEFORE_DEADLINE_MS, 0];
    const next = due.find((at) => at < left) ?? -Infinity;
    const protectedMs = tracked.protectedUntil - clock.now();
    const wait = Math.min(
      left - next,
      RECHECK_INTERVAL_MS,
      protectedMs > 0 ? protectedMs : Infinity,
    );
    tracked.timer = clock.setTimeout(() => this.#tick(tracked), Math.ceil(wait));
  }

  /** Records for other windows that a dialog is open here, or was until now, unless one of them opened it later. */
  async #markDialog(tracked: TrackedQuestionState): Promise<void> {
    const { heads, clock } = this.#ports;
    const openAt = clock.now();
    if (!(await this.#followDialog(tracked))) await heads.markDialog(tracked.question, openAt);
  }

  /** Closes a dialog that another window opened later, and returns whether one did. */
  async #followDialog(tracked: TrackedQuestionState): Promise<boolean> {
    const last = await this.#ports.heads.lastDialog(tracked.question);
    const isElsewhere = last && last.window !== this.#ports.window;
    if (!isElsewhere || last.openAt <= tracked.shownAt) return false;
    if (tracked.isShown) this.#update(tracked, { isShown: false });
    return true;
  }

  /** Reminds of a question in its last minute, and applies its policy when that is due. */
  async #checkUnanswered(tracked: TrackedQuestionState): Promise<void> {
    const { answerer } = this.#ports;
    const { question, countdown } = tracked;
    const left = countdown.leftMs();
    if (left === 0 || left > REMIND_BEFORE_DEADLINE_MS) return;
    try {
      const { whenUnanswered } = await answerer.readRecordedQuestion(question);
      this.#remind(tracked, whenUnanswered);
      if (whenUnanswered === 'expire' || (await this.#wasDialogOpen(tracked))) return;
      if (this.#isDue(tracked))
        await this.#send(tracked, () => answerer.applyUnansweredPolicy(question));
    } catch {
      // An unreadable record is reported where it is read, and its question expires.
    }
  }

  /** Returns whether it is time to answer a question automatically, as far as this window knows. */
  #isDue({ stage, isShown, countdown, question }: TrackedQuestionState): boolean {
    if (isShown || stage !== 'open') return false;
    const left = countdown.leftMs();
    // After a sleep past its deadline, the countdown restarts for a moment. The user is back then.
    return (
      left > 0 &&
      left <= AUTO_ANSWER_BEFORE_DEADLINE_MS &&
      this.#ports.clock.now() < question.deadline
    );
  }

  /** Returns whether a dialog was open recently in any window; true if the disk cannot be read. */
  async #wasDialogOpen(tracked: TrackedQuestionState): Promise<boolean> {
    const { heads, clock } = this.#ports;
    const last = await heads.lastDialog(tracked.question);
    if (last === undefined) return true;
    tracked.protectedUntil = last === null ? 0 : last.openAt + DIALOG_PROTECTION_MS;
    return clock.now() < tracked.protectedUntil;
  }

  #remind(tracked: TrackedQuestionState, whenUnanswered: WhenUnanswered): void {
    if (tracked.ending !== null) return;
    if (tracked.whenUnanswered !== whenUnanswered) this.#update(tracked, { whenUnanswered });
    if (tracked.isReminded) return;
    tracked.isReminded = true;
    if (tracked.isWaiting) this.#reminded.fire(tracked);
  }

  async #synchronizeAll(): Promise<void> {
    while (this.#syncAgain) {
      this.#syncAgain = false;
      // A question that arrives during the listing may be missing from it.
      const known = [...this.#tracked.values()];
      const listed = await this.#ports.heads.list();
      if (listed === undefined) continue;
      const ids = new Set(listed.map(({ question }) => question.id));
      for (const tracked of known) {
        const { question, isLive, answersHere, ending } = tracked;
        if (isLive || answersHere > 0 || ending !== null || ids.has(question.id)) continue;
        this.#finish(tracked, { kind: 'elsewhere' });
      }
      await Promise.all(listed.map((each) => this.#applyHead(each)));
    }
  }

  /** Applies the head of a question, and whether another window sends an answer to it. */
  async #applyHead({ question, isSending }: HeadQuestion): Promise<void> {
    const { id } = question;
    if (this.#endedIds.has(id)) return;
    const known = this.#tracked.get(id);
    const isFreed = known?.stage === 'sending' && known.answersHere === 0 && !isSending;
    // The head may be outdated: the window that closed the question may have died before it wrote the head.
    if (known === undefined || isFreed) await this.#endIfOver(question);
    if (this.isDisposed || this.#endedIds.has(id)) return;
    const tracked = this.#tracked.get(id) ?? this.#track(question, false);
    if (tracked.answersHere > 0) return;
    if (isSending !== (tracked.stage === 'sending')) {
      this.#update(tracked, { stage: isSending ? 'sending' : 'open', isShown: false });
      this.#tick(tracked);
    } else if (tracked.isShown) await this.#followDialog(tracked);
  }

  /** Ends a question that is over by its record. */
  async #endIfOver(question: PendingQuestion): Promise<void> {
    const { id } = question;
    const { isOver } = await this.#ports.answerer.readRecordedQuestion(question);
    if (!isOver) return;
    this.#endedIds.add(id);
    this.endQuestion(id, { kind: 'elsewhere' });
  }
}
