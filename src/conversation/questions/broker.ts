import type { Answer } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { isOver, isUntouched, newEntry, REMINDER_MS, snapshotOf, type Entry } from './entry.ts';
import type { KeptQuestion, QuestionIndex } from './ports.ts';
import {
  isWaiting,
  type Answerer,
  type AnswerOutcome,
  type PendingQuestion,
  type QuestionDesk,
  type QuestionEnding,
  type TrackedQuestion,
} from './types.ts';
import { isUnansweredDue, UNANSWERED_MS, type WhenUnanswered } from './unanswered.ts';

/** The longest that a timer waits: timers stand still while the machine sleeps, countdowns do not. */
const RECHECK_MS = 15_000;

/** What the broker stands on. */
interface BrokerPorts {
  readonly clock: Clock;
  readonly answerer: Answerer;
  readonly index: QuestionIndex;
  /** This window's id, as {@link KeptQuestion.shownIn} has it. */
  readonly window: string;
}

/**
 * All questions of all conversations, as this window sees them.
 *
 * They are a projection of their conversations: only a conversation sends an answer or ends a question, as its one owner.
 * That the time of a question ran out changes nothing of where it stands.
 */
export class QuestionBroker implements QuestionDesk, Disposable {
  readonly #ports: BrokerPorts;
  readonly #entries = new Map<string, Entry>();
  /** Ids that are known to be over: neither a late listing of the index nor a conversation brings them back. */
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

  constructor(ports: BrokerPorts) {
    this.#ports = ports;
    this.#watching = ports.index.onDidChange(() => void this.synchronize());
  }

  arrive(question: PendingQuestion, recorded: Promise<unknown> = Promise.resolve()): void {
    if (this.#entries.has(question.id) || this.#over.has(question.id)) return;
    // Before the event: its dialog may open at once, and only an indexed question can be marked as shown.
    const indexing = recorded.then(() => this.#ports.index.keep(question));
    const entry = this.#track(question, indexing);
    this.#tick(entry);
    void indexing.then((isKept) => {
      if (!isOver(entry)) entry.isIndexed ||= isKept;
      else void this.#ports.index.forget(question);
    });
  }

  end(id: string, how: QuestionEnding): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#over.add(id);
    this.#finish(entry, how);
    void this.#ports.index.forget(entry.question);
  }

  async answer(id: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.stage === 'sending') return undefined;
    return this.#send(entry, () => this.#ports.answerer.answer(entry.question, answer, reason));
  }

  async #send(entry: Entry, answer: () => Promise<AnswerOutcome | undefined>) {
    const { stage } = entry;
    entry.answeringHere = true;
    this.#update(entry, { stage: 'sending', isShown: false });
    let outcome: AnswerOutcome | undefined;
    try {
      outcome = await answer();
    } finally {
      entry.answeringHere = false;
      if (outcome !== undefined) this.#applyOutcome(entry, outcome);
      else if (!isOver(entry)) this.#update(entry, { stage });
    }
    // Nothing was sent: it may be over without the index knowing.
    if (outcome === undefined) await this.#endIfOver(entry.question);
    void this.synchronize();
    return outcome;
  }

  /** Its dialog opens here. False where it is shown already, is being answered or is over. */
  show(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || !isWaiting(entry)) return false;
    this.#update(entry, { isShown: true });
    return true;
  }

  /** Tells other windows whether its dialog is open here. One report follows the other, so that the last one is right. */
  async #reportShown(entry: Entry): Promise<void> {
    const { index } = this.#ports;
    if (isOver(entry)) return;
    if (!entry.isShown) await index.hidden(entry.question);
    else {
      const isTold = await index.showing(entry.question);
      entry.isShownReported = isTold && entry.isShown;
    }
  }

  /** What becomes of a conversation's questions where nobody answers was changed here. */
  reconsider(conversation: string): void {
    for (const entry of this.#entries.values())
      if (entry.question.conversation === conversation) void this.#checkUnanswered(entry);
  }

  /** Its dialog went away without an answer. */
  hide(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.isShown !== true) return;
    this.#update(entry, { isShown: false });
    void this.#checkUnanswered(entry);
  }

  get(id: string): TrackedQuestion | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#snapshot(entry);
  }

  open(): readonly TrackedQuestion[] {
    return this.#inOrder().map((entry) => this.#snapshot(entry));
  }

  /** Questions that no dialog of this window shows, in the order in which to ask them. */
  waiting(): readonly TrackedQuestion[] {
    return this.#inOrder()
      .filter(isWaiting)
      .map((entry) => this.#snapshot(entry));
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

  /** Resolves when other windows can know of every question that came here, or the disk has refused it. */
  async flush(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ indexing }) => indexing));
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

  #track(question: PendingQuestion, indexing: Promise<unknown> = Promise.resolve()): Entry {
    const entry = newEntry(question, this.#ports.clock, indexing);
    this.#entries.set(question.id, entry);
    this.#changed.fire(this.#snapshot(entry));
    return entry;
  }

  /** Changes where a question stands, and tells of it. */
  #update(
    entry: Entry,
    change: Partial<Pick<Entry, 'stage' | 'isShown' | 'error' | 'whenUnanswered'>>,
  ): void {
    const { isShown } = entry;
    Object.assign(entry, change);
    if (entry.isShown !== isShown) {
      entry.isShownReported = false;
      entry.reporting = entry.reporting.then(() => this.#reportShown(entry));
    }
    this.#changed.fire(this.#snapshot(entry));
  }

  #finish(entry: Entry, ending: QuestionEnding): void {
    entry.ending = ending;
    entry.timer?.dispose();
    this.#entries.delete(entry.question.id);
    this.#update(entry, { stage: 'over', isShown: false });
  }

  #applyOutcome(entry: Entry, outcome: AnswerOutcome): void {
    if (isOver(entry)) return;
    if (outcome.kind === 'refused') this.#update(entry, { stage: 'refused', error: outcome.error });
    else this.end(entry.question.id, outcome);
  }

  #snapshot(entry: Entry): TrackedQuestion {
    return snapshotOf(entry, this.#ports.clock);
  }

  /** Looks at a question's countdown and at the window that answers it, now and again when something is due. */
  #tick(entry: Entry): void {
    entry.timer?.dispose();
    entry.timer = undefined;
    if (this.#disposed || isOver(entry)) return;
    const { clock } = this.#ports;
    const left = entry.countdown.left();
    if (left === 0 && entry.ranOutAt === undefined) {
      entry.ranOutAt = clock.monotonic();
      this.#update(entry, {});
    }
    void this.#checkUnanswered(entry);
    if (entry.stage === 'sending' && !entry.answeringHere) void this.synchronize();
    if (!this.#snapshot(entry).counts && entry.stage !== 'sending') {
      this.#update(entry, {});
      return;
    }
    const due = left - ([REMINDER_MS, UNANSWERED_MS].find((at) => left > at) ?? 0);
    const wait = due > 0 ? Math.min(due, RECHECK_MS) : RECHECK_MS;
    entry.timer = clock.setTimeout(() => this.#tick(entry), Math.ceil(wait));
  }

  /** In a question's last minute: reminds of it, and answers it for nobody where that is due and its conversation says so. */
  async #checkUnanswered(entry: Entry): Promise<void> {
    const { answerer } = this.#ports;
    const left = entry.countdown.left();
    if (entry.isBeingChecked || left === 0 || left > REMINDER_MS || isOver(entry)) return;
    entry.isBeingChecked = true;
    const isAlone = () => this.#isAlone(entry);
    try {
      const whenUnanswered = await answerer.whenUnanswered(entry.question);
      this.#remind(entry, whenUnanswered);
      // An answer that the service did not take was its user's.
      if (whenUnanswered === 'expire' || !isUntouched(entry) || !(await isAlone())) return;
      if (isUntouched(entry))
        await this.#send(entry, () => answerer.answerForNobody(entry.question, isAlone));
    } catch {
      // An unreadable record is reported where it is read, and its question runs out.
    } finally {
      entry.isBeingChecked = false;
    }
  }

  /** Whether nobody looks at a question in any window, and the last moment to answer it for nobody is there. */
  async #isAlone(entry: Entry): Promise<boolean> {
    const { clock, index } = this.#ports;
    const { question, countdown } = entry;
    const isDue = () =>
      !this.#disposed &&
      !entry.isShown &&
      isUnansweredDue(countdown.left(), clock.now(), question.deadline);
    return isDue() && !(await index.isShownElsewhere(question)) && isDue();
  }

  #remind(entry: Entry, whenUnanswered: WhenUnanswered): void {
    if (this.#disposed || isOver(entry)) return;
    if (entry.whenUnanswered !== whenUnanswered) this.#update(entry, { whenUnanswered });
    if (entry.reminded) return;
    entry.reminded = true;
    if (isWaiting(entry)) this.#reminded.fire(this.#snapshot(entry));
  }

  async #synchronizeAll(): Promise<void> {
    while (this.#syncAgain && !this.#disposed) {
      this.#syncAgain = false;
      // What reaches the index while it lists may be missing from the list: only what it had before counts.
      const known = [...this.#entries.values()].filter(({ isIndexed }) => isIndexed);
      const shownHere = new Set(known.filter(({ isShownReported }) => isShownReported));
      const listed = await this.#ports.index.list();
      if (listed === undefined) continue;
      const ids = new Set(listed.map(({ question }) => question.id));
      for (const entry of known)
        // It may come back: where the index has lost a question, its conversation asks it again.
        if (!ids.has(entry.question.id) && !entry.answeringHere && !isOver(entry))
          this.#finish(entry, { kind: 'elsewhere' });
      const doubtful = listed.filter((kept) => this.#isDoubtful(kept));
      await Promise.all(doubtful.map(({ question }) => this.#endIfOver(question)));
      for (const kept of listed) this.#follow(kept, shownHere);
    }
  }

  /** Returns whether the index alone says that a question waits: it is new here, or another window answers it no more. */
  #isDoubtful({ question: { id }, isSending }: KeptQuestion): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return !this.#over.has(id);
    return entry.stage === 'sending' && !entry.answeringHere && !isSending;
  }

  /** Ends a question whose record says that it is over: the window that closed it may have died before the index knew. */
  async #endIfOver(question: PendingQuestion): Promise<void> {
    const { id } = question;
    if (!(await this.#ports.answerer.isOver(question)) || this.#disposed) return;
    this.#over.add(id);
    this.end(id, { kind: 'elsewhere' });
  }

  /** Takes over where one question stands in other windows. */
  #follow({ question, isSending, shownIn }: KeptQuestion, shownHere: ReadonlySet<Entry>): void {
    if (this.#over.has(question.id)) {
      // The disk refused to let go of it, or another window wrote into its file meanwhile.
      void this.#ports.index.forget(question);
      return;
    }
    const known = this.#entries.get(question.id);
    const entry = known ?? this.#track(question);
    entry.isIndexed = true;
    const wasShown = entry.shownIn !== null;
    entry.shownIn = shownIn;
    if (wasShown && shownIn === null) void this.#checkUnanswered(entry);
    if (entry.answeringHere || isOver(entry)) return;
    if (isSending) {
      if (entry.stage !== 'sending') this.#update(entry, { stage: 'sending', isShown: false });
    } else if (entry.stage === 'sending') this.#update(entry, { stage: 'open' });
    else if (entry.isShown && shownHere.has(entry) && shownIn !== this.#ports.window)
      this.#update(entry, { isShown: false });
    if (entry.timer === undefined && (known === undefined || isSending)) this.#tick(entry);
  }
}
