import type { Answer, ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Countdown } from './countdown.ts';
import { isOpen, isWaiting, transition, type QuestionEvent } from './machine.ts';
import type { AnswerClaim, KeptQuestion, QuestionIndex } from './ports.ts';
import type {
  Answerer,
  AnswerOutcome,
  PendingQuestion,
  QuestionChange,
  QuestionDesk,
  QuestionEnding,
  QuestionState,
  TrackedQuestion,
} from './types.ts';

/** A reminder comes this long before the countdown runs out. */
export const REMINDER_MS = 60_000;

/** How long a question whose countdown ran out may still be tried, before it is dropped. */
export const EXPIRED_KEPT_MS = 600_000;

/** The longest that a timer waits: timers stand still while the machine sleeps, countdowns do not. */
const RECHECK_MS = 15_000;

/** What the broker stands on. */
export interface BrokerPorts {
  readonly clock: Clock;
  readonly answerer: Answerer;
  readonly index: QuestionIndex;
  /** This window's id, as {@link KeptQuestion.shownIn} has it. */
  readonly window: string;
}

/** A tracked question and what only the broker knows of it. */
interface Entry {
  readonly question: PendingQuestion;
  readonly countdown: Countdown;
  state: QuestionState;
  error: ApiError | null;
  ending: QuestionEnding | null;
  /** The index has it, so its absence there means that another window closed it. */
  kept: boolean;
  /** Settles when the index has been told of it. */
  keeping: Promise<unknown> | undefined;
  /** Other windows have been told that its dialog is here. */
  toldShown: boolean;
  /** The answer on its way is this window's. */
  answeringHere: boolean;
  reminded: boolean;
  /** When the countdown ran out, on the monotonic clock. */
  ranOutAt: number | undefined;
  timer: Disposable | undefined;
}

/**
 * All questions of all conversations, as this window sees them.
 *
 * Each moves by the table of machine.ts alone. A claim is taken before an answer is sent, and a state that is `answering`
 * takes no second answer: so a question is answered at most once, whichever window its user is in.
 */
export class QuestionBroker implements QuestionDesk, Disposable {
  readonly #ports: BrokerPorts;
  readonly #entries = new Map<string, Entry>();
  /** Ids that are known to be over: neither a late listing of the index nor a conversation brings them back. */
  readonly #over = new Set<string>();
  readonly #changed = new Emitter<QuestionChange>();
  readonly #reminded = new Emitter<TrackedQuestion>();
  readonly #watching: Disposable;
  /** Entries whose answer was judged here since the last listing began: that may still show the claim of this window. */
  readonly #justAnswered = new Set<Entry>();
  #sync: Promise<void> | undefined;
  #syncAgain = false;
  #disposed = false;

  /** A question's state changed; endings come once, as the last change. */
  readonly onDidChange = this.#changed.event;
  /** One minute is left for a question that nobody looks at. */
  readonly onDidRemind = this.#reminded.event;

  constructor(ports: BrokerPorts) {
    this.#ports = ports;
    this.#watching = ports.index.onDidChange(() => void this.synchronize());
  }

  arrive(question: PendingQuestion): void {
    if (this.#entries.has(question.id) || this.#over.has(question.id)) return;
    // Before anyone hears of it: its dialog may open at once, and what is not kept yet cannot be marked as shown.
    const keeping = this.#ports.index.keep(question);
    const entry = this.#track(question, keeping);
    this.#tick(entry);
    void keeping.then((isKept) => {
      if (entry.ending === null) entry.kept ||= isKept;
      else void this.#ports.index.forget(question);
    });
  }

  end(id: string, how: QuestionEnding): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#conclude(entry, 'close', how);
    void this.#ports.index.forget(entry.question);
  }

  async answer(id: string, answer: Answer): Promise<AnswerOutcome | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined || !isAnswerable(entry.question)) return undefined;
    if (!this.#apply(entry, 'send')) return undefined;
    entry.answeringHere = true;
    try {
      await entry.keeping;
      const claim = await this.#ports.index.claim(entry.question);
      if (claim === undefined) return undefined;
      if (this.#disposed || !isOpen(entry.state)) {
        await claim.release();
        return undefined;
      }
      const outcome = await this.#ports.answerer.answer(entry.question, answer);
      await this.#settle(entry, outcome, answer, claim);
      return outcome;
    } finally {
      entry.answeringHere = false;
      this.#justAnswered.add(entry);
      void this.synchronize();
    }
  }

  /** Its dialog opens here. False where it is shown already, is being answered, is over, or cannot be answered. */
  show(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || !isAnswerable(entry.question)) return false;
    if (!this.#apply(entry, 'show')) return false;
    void this.#tellShown(entry);
    return true;
  }

  async #tellShown(entry: Entry): Promise<void> {
    await entry.keeping;
    const isTold = await this.#ports.index.showing(entry.question);
    entry.toldShown = isTold && entry.state === 'shown';
  }

  /** Its dialog went away without an answer. */
  hide(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.toldShown = false;
    this.#apply(entry, 'hide');
  }

  get(id: string): TrackedQuestion | undefined {
    const entry = this.#entries.get(id);
    return entry && snapshot(entry);
  }

  open(): readonly TrackedQuestion[] {
    return this.#inOrder().map(snapshot);
  }

  /** Answerable questions that no dialog of this window shows, in the order in which to ask them. */
  waiting(): readonly TrackedQuestion[] {
    return this.#inOrder()
      .filter(({ question, state }) => isAnswerable(question) && isWaiting(state))
      .map(snapshot);
  }

  timeLeft(id: string): number {
    return this.#entries.get(id)?.countdown.left() ?? 0;
  }

  /** Takes over what other windows did and what a restart left behind. Resolves when this window agrees with the index. */
  synchronize(): Promise<void> {
    this.#syncAgain = true;
    this.#sync ??= this.#synchronizeAll().finally(() => {
      this.#sync = undefined;
    });
    return this.#sync;
  }

  /** Stops timers and watching. What is kept stays kept: the next window asks again. */
  dispose(): void {
    this.#disposed = true;
    this.#watching.dispose();
    for (const entry of this.#entries.values()) entry.timer?.dispose();
    this.#entries.clear();
    this.#changed.dispose();
    this.#reminded.dispose();
  }

  /** Oldest deadline first; those whose time ran out come last, as they can wait no longer for anything. */
  #inOrder(): readonly Entry[] {
    const rank = (entry: Entry) => entry.countdown.left() || Number.POSITIVE_INFINITY;
    const ranked = [...this.#entries.values()].map((entry) => ({ entry, left: rank(entry) }));
    ranked.sort((a, b) =>
      a.left === b.left ? a.entry.question.deadline - b.entry.question.deadline : a.left - b.left,
    );
    return ranked.map(({ entry }) => entry);
  }

  #track(question: PendingQuestion, keeping?: Promise<unknown>): Entry {
    const { clock } = this.#ports;
    const countdown = new Countdown(clock, question.deadline);
    const overdue = clock.now() - question.deadline;
    const entry: Entry = {
      question,
      countdown,
      state: 'pending',
      error: null,
      ending: null,
      kept: false,
      keeping,
      toldShown: false,
      answeringHere: false,
      reminded: countdown.left() <= REMINDER_MS,
      ranOutAt: overdue < 0 ? undefined : clock.monotonic() - overdue,
      timer: undefined,
    };
    this.#entries.set(question.id, entry);
    this.#changed.fire(snapshot(entry));
    return entry;
  }

  /** Moves a question by the table and tells of it. False where its state does not know the event. */
  #apply(entry: Entry, event: QuestionEvent): boolean {
    const next = transition(entry.state, event);
    if (next === undefined) return false;
    entry.state = next;
    this.#changed.fire(snapshot(entry));
    if (isWaiting(next) && entry.countdown.left() === 0) this.#apply(entry, 'run-out');
    return true;
  }

  /** Ends a question for good, as the service or its conversation has said. */
  #conclude(entry: Entry, event: 'accept' | 'close', ending: QuestionEnding): void {
    this.#over.add(entry.question.id);
    this.#finish(entry, event, ending);
  }

  #finish(entry: Entry, event: 'accept' | 'close', ending: QuestionEnding): void {
    entry.ending = ending;
    entry.timer?.dispose();
    this.#entries.delete(entry.question.id);
    this.#apply(entry, event);
  }

  async #settle(
    entry: Entry,
    outcome: AnswerOutcome,
    answer: Answer,
    claim: AnswerClaim,
  ): Promise<void> {
    const { index } = this.#ports;
    if (!isOpen(entry.state)) {
      await index.forget(entry.question);
      return;
    }
    switch (outcome.kind) {
      case 'accepted':
        this.#conclude(entry, 'accept', { kind: 'answered', how: wayOf(answer) });
        break;
      case 'kept':
        await claim.release();
        entry.error = outcome.error;
        this.#apply(entry, 'refuse');
        return;
      case 'gone':
      case 'maybe-answered':
        this.#conclude(entry, 'close', outcome);
        break;
      case 'abandoned':
        this.#conclude(entry, 'close', { kind: 'run-ended' });
        break;
    }
    await index.forget(entry.question);
  }

  /** Looks at a question's countdown and at the window that answers it, now and again when something is due. */
  #tick(entry: Entry): void {
    entry.timer?.dispose();
    if (this.#disposed || entry.ending !== null) return;
    const { clock } = this.#ports;
    const left = entry.countdown.left();
    if (left === 0 && this.#runOut(entry)) return;
    if (left <= REMINDER_MS && !entry.reminded) {
      entry.reminded = true;
      if (isWaiting(entry.state) && isAnswerable(entry.question))
        this.#reminded.fire(snapshot(entry));
    }
    if (entry.state === 'answering' && !entry.answeringHere) void this.synchronize();
    const due = left > REMINDER_MS ? left - REMINDER_MS : left;
    const wait = due > 0 ? Math.min(due, RECHECK_MS) : RECHECK_MS;
    entry.timer = clock.setTimeout(() => this.#tick(entry), Math.ceil(wait));
  }

  /** True where the question is dropped: its time ran out long ago, and nobody is trying. */
  #runOut(entry: Entry): boolean {
    const now = this.#ports.clock.monotonic();
    entry.ranOutAt ??= now;
    this.#apply(entry, 'run-out');
    if (entry.state !== 'expired' || now - entry.ranOutAt < EXPIRED_KEPT_MS) return false;
    this.end(entry.question.id, { kind: 'expired' });
    return true;
  }

  async #synchronizeAll(): Promise<void> {
    while (this.#syncAgain && !this.#disposed) {
      this.#syncAgain = false;
      this.#justAnswered.clear();
      // What is told to the index while it lists may be missing from the list: only what it knew before counts.
      const known = [...this.#entries.values()].filter(({ kept }) => kept);
      const shownHere = new Set(known.filter(({ toldShown }) => toldShown));
      const listed = await this.#ports.index.list();
      if (listed === undefined) continue;
      const ids = new Set(listed.map(({ question }) => question.id));
      for (const entry of known)
        // Not for good: an index can lose a question, and its conversation, which has the record, then asks it again.
        if (!ids.has(entry.question.id) && !entry.answeringHere && entry.ending === null)
          this.#finish(entry, 'close', { kind: 'elsewhere' });
      for (const kept of listed) this.#follow(kept, shownHere);
    }
  }

  /** Takes over where one question stands in other windows. */
  #follow({ question, claim, shownIn }: KeptQuestion, shownHere: ReadonlySet<Entry>): void {
    if (this.#over.has(question.id)) return;
    const known = this.#entries.get(question.id);
    const entry = known ?? this.#track(question);
    entry.kept = true;
    if (entry.answeringHere || this.#justAnswered.has(entry) || entry.ending !== null) return;
    if (claim === 'held') this.#apply(entry, 'send');
    else if (entry.state === 'answering') this.#apply(entry, 'release');
    else if (shownHere.has(entry) && shownIn !== this.#ports.window) this.#apply(entry, 'hide');
    // Only now: a countdown that ran out long ago drops a question, unless a window is answering it.
    if (known === undefined) this.#tick(entry);
  }
}

/** Whether any answer could be sent: an unreadable question can only run out. */
export function isAnswerable({ question }: PendingQuestion): boolean {
  return question.kind !== 'unreadable';
}

/** The way of an answer, without its values. */
export function wayOf(answer: Answer): string {
  return answer.kind === 'permission' ? answer.choice : answer.action;
}

function snapshot({ question, state, error, ending }: Entry): TrackedQuestion {
  return { question, state, error, ending };
}
