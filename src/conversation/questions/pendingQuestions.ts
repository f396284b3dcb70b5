import type { Answer, ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Countdown } from '../../base/timeLeft.ts';
import {
  isWaiting,
  type Answerer,
  type AnswerOutcome,
  type HeadQuestion,
  type PendingQuestion,
  type QuestionEnding,
  type QuestionHeads,
  type QuestionStage,
  type TrackedQuestion,
} from './types.ts';
import { UNANSWERED_MS, type WhenUnanswered } from './unanswered.ts';

/** A reminder comes this long before the countdown runs out. */
export const REMINDER_MS = 60_000;

/**
 * How long a question counts as waiting after its countdown ran out, in milliseconds. The service's five minutes are its
 * default and not a rule, so this side never closes a question: its card can still be answered, but badge and status bar
 * no longer show it.
 */
export const COUNTED_MS = 3_600_000;

/** The longest wait between two looks at a question: timers stand still while the machine sleeps, countdowns do not. */
const RECHECK_MS = 10_000;

/** A question is not answered automatically for so long after its dialog was open in any window, in milliseconds. */
export const DIALOG_MS = 30_000;

interface PendingQuestionsPorts {
  readonly clock: Clock;
  readonly answerer: Answerer;
  readonly heads: QuestionHeads;
  /** An id that no other window has. */
  readonly window: string;
}

/** A question and what only {@link PendingQuestions} knows of it. */
class Tracked implements TrackedQuestion {
  readonly question: PendingQuestion;
  readonly countdown: Countdown;
  stage: QuestionStage = 'open';
  isShown = false;
  error: ApiError | null = null;
  ending: QuestionEnding | null = null;
  whenUnanswered: WhenUnanswered | null = null;
  /** Its conversation is open here and says when it ends; the heads say it for all other questions. */
  isLive: boolean;
  /** The answer on its way is this window's. */
  isAnsweredHere = false;
  isBeingChecked = false;
  reminded: boolean;
  /** When its dialog opened here last, epoch ms. */
  shownAt = 0;
  /** When the countdown ran out, on the monotonic clock. */
  ranOutAt: number | undefined;
  timer: Disposable | undefined;
  readonly #clock: Clock;

  constructor(question: PendingQuestion, clock: Clock, isLive: boolean) {
    this.question = question;
    this.countdown = new Countdown(clock, question.deadline);
    this.isLive = isLive;
    this.#clock = clock;
    this.reminded = this.countdown.left() <= REMINDER_MS;
    const overdue = clock.now() - question.deadline;
    if (overdue >= 0) this.ranOutAt = clock.monotonic() - overdue;
  }

  get isLate(): boolean {
    return this.countdown.left() === 0;
  }

  get isCountedAsWaiting(): boolean {
    return this.#clock.monotonic() - (this.ranOutAt ?? Infinity) < COUNTED_MS;
  }
}

/**
 * The questions of all conversations that wait for their user, as this window sees them.
 *
 * A conversation that is open here tells when its question arrives and ends; the heads tell it for all others. Only a
 * conversation sends an answer or ends a question, in the one window that owns it.
 */
export class PendingQuestions implements Disposable {
  readonly #ports: PendingQuestionsPorts;
  readonly #tracked = new Map<string, Tracked>();
  /** Ids of questions that are over: neither a head that is out of date nor a conversation brings them back. */
  readonly #over = new Set<string>();
  readonly #changed = new Emitter<TrackedQuestion>();
  readonly #reminded = new Emitter<TrackedQuestion>();
  readonly #watching: Disposable;
  #sync: Promise<void> | undefined;
  #syncAgain = false;
  #disposed = false;

  /** Something of a question changed; endings come once, as the last change. */
  readonly onDidChange = this.#changed.event;
  /** One minute is left for a question that nobody looks at. */
  readonly onDidRemind = this.#reminded.event;

  constructor(ports: PendingQuestionsPorts) {
    this.#ports = ports;
    this.#watching = ports.heads.onDidChange(() => void this.synchronize());
  }

  /** Takes a question from its conversation, which is open here. Known ids stay as they are. */
  arrive(question: PendingQuestion): void {
    const known = this.#tracked.get(question.id);
    if (known !== undefined) known.isLive = true;
    else if (!this.#over.has(question.id)) this.#track(question, true);
  }

  /** Ends a question for a reason other than an answer, and closes its dialog. Unknown ids are ignored. */
  end(id: string, how: QuestionEnding): void {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined) return;
    this.#over.add(id);
    this.#finish(tracked, how);
  }

  /**
   * Sends an answer. Undefined if nothing was sent: the question is not open, an answer is already on its way, or
   * another window owns the conversation.
   */
  async answer(id: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined || tracked.stage === 'sending') return undefined;
    return this.#send(tracked, () => this.#ports.answerer.answer(tracked.question, answer, reason));
  }

  /** Shows that its conversation sends an answer by itself, such as the `cancel` of a Stop, and what becomes of that. */
  follow(id: string, outcome: Promise<AnswerOutcome | undefined>): void {
    const tracked = this.#tracked.get(id);
    if (tracked !== undefined) void this.#send(tracked, () => outcome);
  }

  /** Notes that its dialog opens here. False if it is shown already, is being answered or is over. */
  show(id: string): boolean {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined || !isWaiting(tracked)) return false;
    tracked.shownAt = this.#ports.clock.now();
    this.#update(tracked, { isShown: true });
    void this.#markDialog(tracked);
    return true;
  }

  /** Notes that its dialog closed without an answer. */
  hide(id: string): void {
    const tracked = this.#tracked.get(id);
    if (tracked?.isShown !== true) return;
    this.#update(tracked, { isShown: false });
    void this.#markDialog(tracked);
  }

  /** Applies a policy for unanswered questions that was changed here. */
  reconsider(conversation: string): void {
    for (const tracked of this.#tracked.values())
      if (tracked.question.conversation === conversation) void this.#checkUnanswered(tracked);
  }

  /** Undefined for an id that was never seen, and for a question that is over. */
  get(id: string): TrackedQuestion | undefined {
    return this.#tracked.get(id);
  }

  /** Open questions, oldest deadline first; those whose time ran out come last. */
  open(): readonly TrackedQuestion[] {
    const ranked = [...this.#tracked.values()].map((tracked) => ({
      tracked,
      left: tracked.countdown.left() || Infinity,
    }));
    ranked.sort((a, b) =>
      a.left === b.left
        ? a.tracked.question.deadline - b.tracked.question.deadline
        : a.left - b.left,
    );
    return ranked.map(({ tracked }) => tracked);
  }

  /** Questions that no dialog of this window shows, in the order in which to ask them. */
  waiting(): readonly TrackedQuestion[] {
    return this.open().filter(isWaiting);
  }

  /** Milliseconds until the countdown runs out, 0 to 300,000; 0 for unknown ids. */
  timeLeft(id: string): number {
    return this.#tracked.get(id)?.countdown.left() ?? 0;
  }

  /** When the countdown runs out, in epoch ms by the clock as it is now; undefined for unknown ids. */
  deadline(id: string): number | undefined {
    return this.#tracked.get(id)?.countdown.deadline;
  }

  /** Takes over what other windows did and what a restart left behind. Resolves when this window agrees with the heads. */
  synchronize(): Promise<void> {
    this.#syncAgain = true;
    this.#sync ??= this.#synchronizeAll().finally(() => {
      this.#sync = undefined;
    });
    return this.#sync;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watching.dispose();
    for (const { timer } of this.#tracked.values()) timer?.dispose();
    this.#tracked.clear();
    this.#changed.dispose();
    this.#reminded.dispose();
  }

  #track(question: PendingQuestion, isLive: boolean): Tracked {
    const tracked = new Tracked(question, this.#ports.clock, isLive);
    this.#tracked.set(question.id, tracked);
    this.#changed.fire(tracked);
    this.#tick(tracked);
    return tracked;
  }

  #update(
    tracked: Tracked,
    change: Partial<Pick<Tracked, 'stage' | 'isShown' | 'error' | 'whenUnanswered'>>,
  ): void {
    Object.assign(tracked, change);
    this.#changed.fire(tracked);
  }

  #finish(tracked: Tracked, ending: QuestionEnding): void {
    tracked.ending = ending;
    tracked.timer?.dispose();
    this.#tracked.delete(tracked.question.id);
    this.#update(tracked, { stage: 'over', isShown: false });
  }

  async #send(tracked: Tracked, answer: () => Promise<AnswerOutcome | undefined>) {
    const { question } = tracked;
    const stage = tracked.stage === 'sending' ? 'open' : tracked.stage;
    tracked.isAnsweredHere = true;
    this.#update(tracked, { stage: 'sending', isShown: false });
    let outcome: AnswerOutcome | undefined;
    try {
      outcome = await answer();
    } finally {
      tracked.isAnsweredHere = false;
      if (tracked.ending === null) this.#applyOutcome(tracked, outcome, stage);
    }
    // Nothing was sent: it may be over without this window knowing.
    if (outcome === undefined) await this.#endIfOver(question);
    void this.synchronize();
    return outcome;
  }

  #applyOutcome(tracked: Tracked, outcome: AnswerOutcome | undefined, before: QuestionStage): void {
    if (outcome === undefined) this.#update(tracked, { stage: before });
    else if (outcome.kind !== 'refused') this.end(tracked.question.id, outcome);
    else this.#update(tracked, { stage: 'refused', error: outcome.error });
  }

  /** Looks at a question's countdown, its dialog and the window that answers it, now and again when something is due. */
  #tick(tracked: Tracked): void {
    tracked.timer?.dispose();
    tracked.timer = undefined;
    if (this.#disposed || tracked.ending !== null) return;
    const { clock } = this.#ports;
    const left = tracked.countdown.left();
    if (left === 0 && tracked.ranOutAt === undefined) {
      tracked.ranOutAt = clock.monotonic();
      this.#update(tracked, {});
    }
    if (tracked.isShown) void this.#markDialog(tracked);
    void this.#checkUnanswered(tracked);
    if (tracked.stage === 'sending' && !tracked.isAnsweredHere) void this.synchronize();
    if (!tracked.isCountedAsWaiting && tracked.stage !== 'sending') {
      this.#update(tracked, {});
      return;
    }
    const due = left - ([REMINDER_MS, UNANSWERED_MS].find((at) => left > at) ?? 0);
    const wait = due > 0 ? Math.min(due, RECHECK_MS) : RECHECK_MS;
    tracked.timer = clock.setTimeout(() => this.#tick(tracked), Math.ceil(wait));
  }

  /** Tells other windows that its dialog is or was open here, unless it moved to one that opened it later. */
  async #markDialog(tracked: Tracked): Promise<void> {
    const { heads, clock } = this.#ports;
    const openAt = clock.now();
    if (!(await this.#followDialog(tracked))) await heads.markDialog(tracked.question, openAt);
  }

  /** Closes a dialog that another window opened later. Returns whether one did. */
  async #followDialog(tracked: Tracked): Promise<boolean> {
    const last = await this.#ports.heads.lastDialog(tracked.question);
    const isElsewhere = last && last.window !== this.#ports.window;
    if (!isElsewhere || last.openAt <= tracked.shownAt) return false;
    if (tracked.isShown) this.#update(tracked, { isShown: false });
    return true;
  }

  /** In a question's last minute: reminds of it, and answers it automatically when that is due and its policy says so. */
  async #checkUnanswered(tracked: Tracked): Promise<void> {
    const { answerer } = this.#ports;
    const { question, countdown } = tracked;
    const left = countdown.left();
    if (tracked.isBeingChecked || left === 0 || left > REMINDER_MS || tracked.ending !== null)
      return;
    tracked.isBeingChecked = true;
    try {
      const { whenUnanswered } = await answerer.recorded(question);
      this.#remind(tracked, whenUnanswered);
      if (whenUnanswered === 'expire' || !this.#isDue(tracked)) return;
      if ((await this.#wasDialogOpen(question)) || !this.#isDue(tracked)) return;
      await this.#send(tracked, () => answerer.answerAutomatically(question));
    } catch {
      // An unreadable record is reported where it is read, and its question expires.
    } finally {
      tracked.isBeingChecked = false;
    }
  }

  /** Returns whether it is time to answer a question that nobody looks at here and nobody has tried to answer. */
  #isDue({ stage, isShown, countdown, question }: Tracked): boolean {
    if (this.#disposed || isShown || stage !== 'open') return false;
    const left = countdown.left();
    // After a sleep that outlasted a question its countdown begins again for a moment: its user is back by then.
    return left > 0 && left <= UNANSWERED_MS && this.#ports.clock.now() < question.deadline;
  }

  /** Returns whether a dialog was open in the last half minute in any window; true if the disk does not say. */
  async #wasDialogOpen(question: PendingQuestion): Promise<boolean> {
    const { heads, clock } = this.#ports;
    const last = await heads.lastDialog(question);
    return last !== null && (last === undefined || clock.now() - last.openAt < DIALOG_MS);
  }

  #remind(tracked: Tracked, whenUnanswered: WhenUnanswered): void {
    if (this.#disposed || tracked.ending !== null) return;
    if (tracked.whenUnanswered !== whenUnanswered) this.#update(tracked, { whenUnanswered });
    if (tracked.reminded) return;
    tracked.reminded = true;
    if (isWaiting(tracked)) this.#reminded.fire(tracked);
  }

  async #synchronizeAll(): Promise<void> {
    while (this.#syncAgain && !this.#disposed) {
      this.#syncAgain = false;
      // A question that arrives during the listing may be missing from it.
      const known = [...this.#tracked.values()];
      const listed = await this.#ports.heads.list();
      if (listed === undefined) continue;
      const ids = new Set(listed.map(({ question }) => question.id));
      for (const tracked of known) {
        const { question, isLive, isAnsweredHere, ending } = tracked;
        if (isLive || isAnsweredHere || ending !== null || ids.has(question.id)) continue;
        this.#finish(tracked, { kind: 'elsewhere' });
      }
      await Promise.all(listed.map((each) => this.#follow(each)));
    }
  }

  /** Takes over what a head and the owner of its conversation say of a question. */
  async #follow({ question, isSending }: HeadQuestion): Promise<void> {
    const { id } = question;
    if (this.#over.has(id)) return;
    const known = this.#tracked.get(id);
    const isFreed = known?.stage === 'sending' && !known.isAnsweredHere && !isSending;
    // The head alone says that it waits: the window that closed it may have died before it wrote the head.
    if (known === undefined || isFreed) await this.#endIfOver(question);
    if (this.#disposed || this.#over.has(id)) return;
    const tracked = this.#tracked.get(id) ?? this.#track(question, false);
    if (tracked.isAnsweredHere) return;
    if (isSending) {
      if (tracked.stage !== 'sending') this.#update(tracked, { stage: 'sending', isShown: false });
      if (tracked.timer === undefined) this.#tick(tracked);
    } else if (tracked.stage === 'sending') this.#update(tracked, { stage: 'open' });
    else if (tracked.isShown) await this.#followDialog(tracked);
  }

  /** Ends a question that is over by the record of its conversation. */
  async #endIfOver(question: PendingQuestion): Promise<void> {
    const { id } = question;
    const { isOver } = await this.#ports.answerer.recorded(question);
    if (!isOver || this.#disposed) return;
    this.#over.add(id);
    this.end(id, { kind: 'elsewhere' });
  }
}
