import { isDeepStrictEqual } from 'node:util';
import type { Answer, ApiErrorKind, ChatRequest } from '../../../../../src/api/index.ts';
import type { JournalEntry } from '../../../../../src/conversation/journal.ts';
import { DIALOG_PROTECTION_MS } from '../../../../../src/conversation/questions/pendingQuestions.ts';
import {
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  type WhenUnanswered,
} from '../../../../../src/conversation/questions/unanswered.ts';
import { permissionCall, type FakeExchange } from '../../fakeExchange.ts';
import { CANCELED, FakeDisk, FIVE_MINUTES } from '../fakes.ts';
import { LimitLedger } from './limitLedger.ts';
import { WINDOWS, type Outcome, type Step, type Steps } from './steps.ts';
import { Window } from './window.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const FAILURES = {
  refused: { kind: 'invalid-request', status: 400 },
  gone: { kind: 'interaction-not-pending', status: 409 },
  lost: { kind: 'network', status: null },
} as const satisfies Record<string, { kind: ApiErrorKind; status: number | null }>;

/** An answer that reached the service. */
interface SentAnswer {
  readonly call: string;
  readonly answer: Answer;
  readonly window: string;
  readonly exchange: FakeExchange;
  outcome: Outcome | 'left' | undefined;
}

/** The reason that a user gave for a rejection. */
export interface Reason {
  readonly text: string;
  readonly answer: Answer;
  readonly window: string;
  /** True if it went back to the dialog, unsent. */
  isReturned: boolean;
}

/** The disk and the service that all windows share. */
export class World {
  readonly clock = new FakeClock();
  readonly disk = new FakeDisk();
  readonly records = new Map<string, JournalEntry[]>();
  readonly sent: SentAnswer[] = [];
  /** The earlier outcomes of each question that wrongly got another answer. */
  readonly wronglyRepeated: string[] = [];
  /** The answers that users gave. */
  readonly given: Answer[] = [];
  /** The answers that were sent automatically. Each repetition is the same object. */
  readonly automatic: Answer[] = [];
  /** The automatic answers that broke a rule. */
  readonly wrongAutomatic: string[] = [];
  readonly reasons: Reason[] = [];
  /** The reasons that were sent as prompts, and whether their rejection was accepted before. */
  readonly sentReasons: { readonly text: string; readonly isTaken: boolean }[] = [];
  /** True if a user stopped a run. */
  wasStopped = false;
  readonly limits = new LimitLedger(() => this.clock.now());
  readonly windows: Window[] = [];
  /** The service refuses the next prompt. */
  #refusesPrompt = false;
  /** When questions arrived, on a clock that counts the sleep of the machine. */
  readonly #askedAt = new Map<string, number>();
  /** The dialogs that were open when all work had last ended, and when they were last marked as open. */
  #dialogs: readonly { window: Window; question: string; openAt: number }[] = [];
  #hasClockMoved = false;
  /** True if the clock was set back. Only windows that open later don't notice. */
  #isSetBack = false;
  #sleptMs = 0;
  #ids = 0;
  readonly #delays: readonly number[];
  #works = 0;

  /** @param delays how many turns successive accesses to the disk take, in a cycle */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
    this.disk.delay = () => this.delay();
    for (let index = 0; index < WINDOWS; index += 1) this.windows.push(this.#openWindow());
  }

  async delay(): Promise<void> {
    this.#works += 1;
    const turns = this.#delays[this.#works % this.#delays.length] ?? 1;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }

  newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  /** Takes the steps, then lets all windows read everything. */
  async play(steps: Steps): Promise<void> {
    for (const [step, ends] of steps) {
      await this.#take(step);
      if (!ends) continue;
      await allWork();
      this.#noteDialogs();
    }
    await this.#rest();
  }

  async #take(step: Step): Promise<void> {
    if ('conversation' in step) {
      // A new limit does not apply to what is being sent.
      if (step.do === 'limit cost') await allWork();
      return this.windows[step.window]!.take(step);
    }
    if ('ms' in step) this.#moveClock(step.do, step.ms);
    else if (step.do === 'respond') this.#respond(step.which, step.how);
    else if (step.do === 'reload') this.#reload(step.window);
    else if (step.do === 'fail') this.disk.failing = step.what;
    else if (step.do === 'notify of heads') this.disk.notify();
    else if (step.do === 'notify of records') this.#notifyOfRecords();
    else this.#refusesPrompt = true;
  }

  #moveClock(how: 'pass' | 'sleep', ms: number): void {
    this.#hasClockMoved = true;
    if (how === 'pass') {
      this.clock.advance(ms);
      return;
    }
    this.clock.sleep(ms);
    this.#isSetBack ||= ms < 0;
    this.#sleptMs += Math.max(ms, 0);
  }

  #noteDialogs(): void {
    this.#hasClockMoved = false;
    const openAt = (conversation: string) =>
      this.disk.dialogs.get(conversation)?.openAt ?? -Infinity;
    this.#dialogs = this.windows.flatMap((window) =>
      window.pending
        .listOpen()
        .filter(({ isShown }) => isShown)
        .map(({ question: { id, conversation } }) => ({
          ...{ window, question: id, openAt: openAt(conversation) },
        })),
    );
  }

  /** Checks an automatic answer at the moment when it is recorded. */
  checkEntry(entry: JournalEntry, policy: WhenUnanswered): void {
    const now = this.clock.monotonic() + this.#sleptMs;
    if (entry.type === 'asked') this.#askedAt.set(entry.question, now);
    if (entry.type !== 'answering' || entry.by === undefined) return;
    const { question, how } = entry;
    const age = now - this.#askedAt.get(question)!;
    const isLate = this.windows.some(({ pending }) => pending.get(question)?.isLate === true);
    const isShown = this.#dialogs.some(
      (dialog) =>
        dialog.question === question &&
        dialog.window.shows(question) &&
        this.clock.now() - dialog.openAt < DIALOG_PROTECTION_MS,
    );
    const faults = {
      [`${how} with the policy ${policy}`]:
        how !== (policy === 'refuse' ? 'reject_once' : 'cancel'),
      'sent without a policy': policy === 'expire',
      [`too early, after ${age} ms`]: age < FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS,
      'after the deadline': isLate && !this.#hasClockMoved && !this.#isSetBack,
      'while its dialog is open': isShown,
    };
    for (const [fault, isFault] of Object.entries(faults))
      if (isFault) this.wrongAutomatic.push(`${question}: ${fault}`);
  }

  #notifyOfRecords(): void {
    for (const window of this.windows) window.readRecords();
  }

  /** Lets all windows read everything, and notice which other windows are gone. */
  async #rest(): Promise<void> {
    this.disk.failing = 'nothing';
    await allWork();
    while (this.windows.some((window) => window.holdsPrompt)) await this.#waitForTimers();
    for (let round = 0; round < 4; round += 1) {
      this.disk.notify();
      this.#notifyOfRecords();
      await this.#waitForTimers();
    }
  }

  async #waitForTimers(): Promise<void> {
    await allWork();
    this.#noteDialogs();
    this.#moveClock('pass', 20_000);
    await allWork();
  }

  dispose(): void {
    for (const window of this.windows) window.dispose();
  }

  /** Receives a request: a prompt gets a question at once, an answer waits for a step. */
  receive(exchange: FakeExchange, window: string, conversation: string): void {
    const { chat } = exchange;
    if (chat.kind === 'prompt') this.#receivePrompt(exchange, chat, conversation);
    else this.#receiveAnswer(exchange, chat, window);
  }

  #receivePrompt(
    exchange: FakeExchange,
    prompt: ChatRequest & { kind: 'prompt' },
    conversation: string,
  ): void {
    this.limits.sent(conversation, prompt);
    if (this.#refusesPrompt) {
      this.#refusesPrompt = false;
      exchange.fail({ kind: 'rate-limited', status: 429, retryAfterMs: 20_000 });
      return;
    }
    const reason = this.reasons.find(({ text }) => text === prompt.text);
    if (reason !== undefined) {
      const isTaken = this.sent.some((sent) => sent.answer === reason.answer && wasTaken(sent));
      this.sentReasons.push({ text: reason.text, isTaken });
    }
    exchange.open().ask(permissionCall(this.newId()));
  }

  #receiveAnswer(
    exchange: FakeExchange,
    { answer, call: { id: call } }: ChatRequest & { kind: 'answer' },
    window: string,
  ): void {
    const entries = this.#entriesOf(call);
    const earlier = this.sent.filter((sent) => sent.call === call);
    // Stop aborts an answer that is being repeated, and sends a cancel instead. A response that was not read is lost.
    if (isDeepStrictEqual(answer, CANCELED) && !entries.some(({ type }) => type === 'answered'))
      for (const sent of earlier) if (sent.exchange.aborted) sent.outcome = 'left';
    const outcomes = earlier.map(({ outcome = 'unsettled' }) => outcome);
    // Another answer may follow only a refused or a lost one, since the service accepts one.
    if (outcomes.some((outcome) => !['refused', 'lost', 'left'].includes(outcome)))
      this.wronglyRepeated.push(outcomes.join(', '));
    const recorded = entries.findLast((entry) => entry.type === 'answering');
    if (recorded?.by !== undefined) this.automatic.push(answer);
    this.sent.push({ call, answer, window, exchange, outcome: undefined });
  }

  #respond(which: number, how: Outcome): void {
    const waiting = this.sent.filter(({ outcome }) => outcome === undefined);
    const sent = waiting[which % Math.max(waiting.length, 1)];
    if (sent === undefined) return;
    const { exchange } = sent;
    sent.outcome = exchange.aborted ? 'left' : how;
    if (how === 'answered')
      exchange.open().say({ kind: 'text', text: 'Well' }).finish('session-1', 0.75);
    else if (how === 'asked again') exchange.open().ask(permissionCall(this.newId()));
    else exchange.fail(FAILURES[how]);
  }

  /** Kills the extension host of a window with all its work. The next one opens the same tabs. */
  #reload(index: number): void {
    const before = this.windows[index]!;
    before.dispose();
    this.disk.deadWindows.add(before.id);
    for (const sent of this.sent) {
      const isOver = this.#entriesOf(sent.call).some(
        ({ type }) => type === 'answered' || type === 'closed',
      );
      if (sent.window === before.id && !isOver) sent.outcome = 'left';
    }
    const next = this.#openWindow();
    this.windows[index] = next;
    for (const id of before.openIds) void next.open(id);
    void next.pending.synchronize();
  }

  /** The entries about the question of a call. */
  #entriesOf(call: string) {
    const entries = [...this.records.values()].flat();
    const asked = entries.find((entry) => entry.type === 'asked' && entry.call.id === call);
    const question = asked?.type === 'asked' ? asked.question : undefined;
    return entries.filter((entry) => 'question' in entry && entry.question === question);
  }

  #openWindow(): Window {
    return new Window(this, this.newId());
  }
}

/** Returns whether the service accepted an answer. */
export function wasTaken({ outcome }: Pick<SentAnswer, 'outcome'>): boolean {
  return outcome === 'answered' || outcome === 'asked again';
}

/** Resolves when all started work has ended. */
async function allWork(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
