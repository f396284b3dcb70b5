import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Answer, ApiErrorKind } from '../../../../src/api/index.ts';
import { Conversation } from '../../../../src/conversation/conversation.ts';
import type { JournalEntry } from '../../../../src/conversation/journal.ts';
import type { OpenQuestion } from '../../../../src/conversation/machine/state.ts';
import type { ConversationOwner } from '../../../../src/conversation/ports.ts';
import {
  DIALOG_PROTECTION_MS,
  PendingQuestions,
} from '../../../../src/conversation/questions/pendingQuestions.ts';
import { mayAllow } from '../../../../src/conversation/questions/permission.ts';
import type { PendingQuestion } from '../../../../src/conversation/questions/types.ts';
import {
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  WHEN_UNANSWERED,
  type WhenUnanswered,
} from '../../../../src/conversation/questions/unanswered.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { FakeExchange, permissionCall } from '../conversationStage.ts';
import { HeadWriter, type ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { LimitLedger } from './limitLedger.ts';
import {
  ALLOW,
  CANCELLED,
  REJECT,
  FakeDisk,
  FIVE_MINUTES,
  inTurns,
  permission,
  SleepyClock,
} from './fakes.ts';

const WINDOWS = 3;

/** The outcomes that the service may give an answer. */
const REFUSALS = {
  refused: { kind: 'invalid-request', status: 400 },
  gone: { kind: 'interaction-not-pending', status: 409 },
  lost: { kind: 'network', status: null },
} as const satisfies Record<string, { kind: ApiErrorKind; status: number | null }>;
const OUTCOMES = ['answered', 'asked again', 'refused', 'gone', 'lost'] as const;
type Outcome = (typeof OUTCOMES)[number];

const window = fc.nat(WINDOWS - 1);
const conversation = fc.constantFrom('c0', 'c1');
/** The possible events, with their weights. */
const act = <T>(weight: number, parts: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
  weight,
  arbitrary: fc.record<T>(parts, { noNullPrototype: true }),
});
const step = fc.oneof(
  act(5, { do: fc.constantFrom('prompt', 'open', 'open'), window, conversation }),
  act(3, { do: fc.constantFrom('show', 'hide'), window, conversation }),
  act(1, { do: fc.constant('stop'), window, conversation }),
  act(5, { do: fc.constant('answer'), window, conversation, allow: fc.boolean() }),
  act(3, { do: fc.constant('say why'), window, conversation }),
  act(4, { do: fc.constant('respond'), which: fc.nat(9), how: fc.constantFrom(...OUTCOMES) }),
  act(1, { do: fc.constant('reload'), window }),
  act(2, {
    do: fc.constant('pass'),
    ms: fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.constantFrom(1_000, 15_000, 272_000)),
  }),
  act(1, { do: fc.constant('sleep'), ms: fc.integer({ min: -60_000, max: 900_000 }) }),
  act(2, { do: fc.constant('fail'), what: fc.constantFrom('write', 'list', 'nothing') }),
  act(2, { do: fc.constantFrom('see heads', 'see records') }),
  act(3, {
    do: fc.constant('say'),
    window,
    conversation,
    then: fc.constantFrom(...WHEN_UNANSWERED),
  }),
);
/** Mostly in one window and one conversation, where more steps have an effect. */
const at = { window: fc.constantFrom(0, 0, 0, 1), conversation: fc.constantFrom('c0', 'c0', 'c1') };
/** Steps about self-drive and the cost limit. */
const limit = fc.oneof(
  act(4, { do: fc.constant('drive'), ...at, lasts: fc.constantFrom('this-prompt', '30-minutes') }),
  act(1, { do: fc.constant('manual'), ...at }),
  act(2, { do: fc.constant('limit cost'), ...at, usd: fc.constantFrom(0.5, 1, null) }),
  act(6, { do: fc.constantFrom('queue', 'send queue'), ...at, overrideCostLimit: fc.boolean() }),
  act(1, { do: fc.constant('refuse prompt') }),
);
type AnyOf<T> = T extends fc.Arbitrary<infer U> ? U : never;
type Step = AnyOf<typeof step> | AnyOf<typeof limit>;

/** One answer that reached the service. */
interface Sent {
  readonly call: string;
  readonly answer: Answer;
  readonly window: string;
  readonly exchange: FakeExchange;
  outcome: Outcome | 'left' | undefined;
}

/** Why a user rejected what was asked. */
interface Reason {
  readonly text: string;
  readonly answer: Answer;
  readonly window: string;
  /** The dialog has it again: it was not sent. */
  isBack: boolean;
}

/** The disk and the service, which all windows share. */
class World {
  readonly clock = new SleepyClock();
  readonly disk = new FakeDisk();
  readonly records = new Map<string, JournalEntry[]>();
  readonly sent: Sent[] = [];
  /** The outcomes of earlier answers to a question for which another one should not have been sent. */
  readonly sentAgain: string[] = [];
  /** The answers of the users. */
  readonly given: Answer[] = [];
  readonly reasons: Reason[] = [];
  /** Reasons that reached the service as prompts, each with whether its rejection had been taken. */
  readonly told: { readonly text: string; readonly isTaken: boolean }[] = [];
  /** Conversations whose run was stopped by its user. */
  readonly stopped = new Set<string>();
  readonly limits = new LimitLedger(() => this.clock.now());
  /** The service refuses the next prompt for a while. */
  #refusesPrompt = false;
  /** Answers that were given for nobody, as objects: one may be sent again. */
  readonly automatic: Answer[] = [];
  /** The violations that were found. */
  readonly wrongAutomatic: string[] = [];
  windows: Window[] = [];
  /** When questions came, on a clock that also runs while the machine sleeps. */
  readonly #askedAt = new Map<string, number>();
  /** The dialogs that were open when everything last settled, and when the disk said so. */
  #dialogs: readonly {
    readonly window: Window;
    readonly question: string;
    readonly openAt: number;
  }[] = [];
  #clockMoved = false;
  /** The clock was set back, which only windows that open later do not notice. */
  #isSetBack = false;
  #sleptMs = 0;
  #ids = 0;
  readonly #delays: readonly number[];
  #works = 0;

  /** @param delays how many turns each work on the disk takes, over and over */
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

  async take(next: Step): Promise<void> {
    if ('conversation' in next) {
      // What is being sent is not subject to a new limit.
      if (next.do === 'limit cost') await settled();
      return this.windows[next.window]!.take(next);
    }
    if ('ms' in next) this.#moveClock(next.do, next.ms);
    else if (next.do === 'respond') this.#respond(next.which, next.how);
    else if (next.do === 'reload') this.#reload(next.window);
    else if (next.do === 'fail') this.disk.failing = next.what;
    else if (next.do === 'see heads') this.disk.notify();
    else if (next.do === 'see records') this.seeRecords();
    else this.#refusesPrompt = true;
  }

  #moveClock(how: 'pass' | 'sleep', ms: number): void {
    this.#clockMoved = true;
    if (how === 'pass') {
      this.clock.advance(ms);
      return;
    }
    this.clock.sleep(ms);
    this.#isSetBack ||= ms < 0;
    this.#sleptMs += Math.max(ms, 0);
  }

  /** Everything that was begun has come to an end. */
  settle(): void {
    this.#clockMoved = false;
    this.#dialogs = this.windows.flatMap((each) =>
      each.pending
        .open()
        .filter(({ isShown }) => isShown)
        .map(({ question }) => ({
          window: each,
          question: question.id,
          openAt: this.disk.dialogs.get(question.conversation)?.openAt ?? -Infinity,
        })),
    );
  }

  /** Checks an automatic answer at the moment in which it is recorded. */
  recording(entry: JournalEntry, when: WhenUnanswered): void {
    const now = this.clock.monotonic() + this.#sleptMs;
    if (entry.type === 'asked') this.#askedAt.set(entry.question, now);
    if (entry.type !== 'answering' || entry.by === undefined) return;
    const { question, how } = entry;
    const wrong = (what: string) => this.wrongAutomatic.push(`${question}: ${what}`);
    if (how !== (when === 'refuse' ? 'reject_once' : 'cancel')) wrong(`${how} where it is ${when}`);
    if (when === 'expire') wrong('its conversation says nothing');
    const age = now - this.#askedAt.get(question)!;
    if (age < FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS) wrong(`too early, after ${age} ms`);
    for (const { pending } of this.windows) {
      const late = pending.get(question)?.isLate === true;
      if (late && !this.#clockMoved && !this.#isSetBack) wrong('after its time');
    }
    const isOpen = this.#dialogs.some(
      (each) =>
        each.question === question &&
        each.window.shows(question) &&
        this.clock.now() - each.openAt < DIALOG_PROTECTION_MS,
    );
    if (isOpen) wrong('its dialog is open');
  }

  /** Windows are told that records changed. */
  seeRecords(): void {
    for (const each of this.windows) each.catchUp();
  }

  /** Lets every window learn everything, and notice which others are gone. */
  async comeToRest(): Promise<void> {
    this.disk.failing = 'nothing';
    await settled();
    while (this.windows.some((each) => each.holdsPrompt)) {
      this.settle();
      this.#clockMoved = true;
      this.clock.advance(20_000);
      await settled();
    }
    for (let round = 0; round < 4; round += 1) {
      await settled();
      this.disk.notify();
      this.seeRecords();
      await settled();
      this.settle();
      this.#clockMoved = true;
      this.clock.advance(20_000);
    }
    await settled();
  }

  dispose(): void {
    for (const each of this.windows) each.dispose();
  }

  /** The service gets a request: a prompt asks at once, an answer waits for what a step makes of it. */
  receive(exchange: FakeExchange, window: string, id: string): void {
    const { chat } = exchange;
    if (chat.kind === 'prompt') {
      this.limits.sent(id, chat);
      if (this.#refusesPrompt) {
        this.#refusesPrompt = false;
        exchange.fail({ kind: 'rate-limited', status: 429, retryAfterMs: 20_000 });
        return;
      }
      const reason = this.reasons.find(({ text }) => text === chat.text);
      if (reason !== undefined)
        this.told.push({
          text: reason.text,
          isTaken: this.sent.some((each) => isTaken(each, reason)),
        });
      exchange.open().ask(permissionCall(this.newId()));
      return;
    }
    const call = chat.call.id;
    // Only after refusals that kept the question, and answers whose response or window was lost: the service takes one.
    const before = this.sent.filter((each) => each.call === call);
    // Stop hangs up on an answer that is sent again, and cancels in its place.
    const isCancel = isDeepStrictEqual(chat.answer, CANCELLED);
    const isLeft = (each: Sent) => isCancel && each.exchange.aborted;
    const outcomes = before.map((each) => each.outcome ?? (isLeft(each) ? 'left' : 'unsettled'));
    if (outcomes.some((outcome) => !['refused', 'lost', 'left'].includes(outcome)))
      this.sentAgain.push(outcomes.join(', '));
    const last = this.#recorded(call).findLast((entry) => entry.type === 'answering');
    if (last?.by !== undefined) this.automatic.push(chat.answer);
    this.sent.push({ call, answer: chat.answer, window, exchange, outcome: undefined });
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
    else exchange.fail(REFUSALS[how]);
  }

  /** The extension host dies with all that it was doing; the next one opens the tabs again. */
  #reload(index: number): void {
    const before = this.windows[index]!;
    before.dispose();
    this.disk.deadWindows.add(before.id);
    for (const sent of this.sent)
      if (sent.window === before.id && !this.#isJudged(sent.call)) sent.outcome = 'left';
    const next = this.#openWindow();
    this.windows[index] = next;
    for (const id of before.openIds) void next.open(id);
    void next.pending.synchronize();
  }

  /** The recorded answers to the question of a call. */
  #recorded(call: string) {
    const entries = [...this.records.values()].flat();
    const asked = entries.find((entry) => entry.type === 'asked' && entry.call.id === call);
    const question = asked?.type === 'asked' ? asked.question : undefined;
    return entries.filter((entry) => 'question' in entry && entry.question === question);
  }

  #isJudged(call: string): boolean {
    return this.#recorded(call).some(({ type }) => type === 'answered' || type === 'closed');
  }

  #openWindow(): Window {
    return new Window(this, this.newId());
  }
}

/** One window: its questions, and the conversations that are open in it. */
class Window {
  readonly id: string;
  readonly pending: PendingQuestions;
  readonly #world: World;
  readonly #open = new Map<string, Conversation>();
  readonly #opening = new Map<string, Promise<void>>();
  /** How many entries of each record this window has read or written, and those that wait to be written. */
  readonly #known = new Map<string, Set<string>>();
  readonly #waiting = new Map<string, JournalEntry[]>();
  readonly #heads: HeadWriter[] = [];
  #isGone = false;

  constructor(world: World, id: string) {
    this.#world = world;
    this.id = id;
    const { clock, disk } = world;
    this.pending = new PendingQuestions({
      clock,
      heads: disk.window(id),
      window: id,
      answerer: {
        answer: async (question, answer, reason) => {
          await this.open(question.conversation);
          return this.#open.get(question.conversation)!.answer(question.id, answer, reason);
        },
        recorded: async ({ id: question, conversation: of }) => {
          const transcript = await this.#read(of);
          const isOver = transcript.question(question)?.stage === 'over';
          const { whenUnanswered } = transcript;
          return { isOver, whenUnanswered, maybeReceived: null };
        },
        answerAutomatically: async (question) => {
          await this.open(question.conversation);
          return this.#open.get(question.conversation)!.answerAutomatically(question.id);
        },
      },
    });
  }

  async take(next: Extract<Step, { conversation: string }>): Promise<void> {
    const { conversation: id } = next;
    if (['drive', 'manual', 'limit cost'].includes(next.do)) await this.open(id);
    const live = this.#open.get(id);
    const question = this.#questionOf(id);
    if (next.do === 'prompt') await this.#prompt(id);
    else if (next.do === 'open') void this.open(id);
    else if (next.do === 'show' || next.do === 'hide') this.pending[next.do](question?.id ?? '');
    else if (next.do === 'answer') this.#answer(id, next.allow ? { ...ALLOW } : { ...CANCELLED });
    else if (next.do === 'say why') this.#sayWhy(id);
    else if (next.do === 'queue') this.#queue(id, next.overrideCostLimit);
    else if (next.do === 'send queue') this.#sendQueue(id, next.overrideCostLimit);
    else if (next.do === 'limit cost') live?.record({ type: 'cost-limit', usd: next.usd });
    else if (next.do === 'manual') live?.send({ type: 'set-mode', mode: 'manual' });
    else if (next.do === 'stop') {
      this.#world.stopped.add(id);
      live?.send({ type: 'stop' });
    } else if (next.do === 'drive') {
      this.#world.limits.chose(id, next.lasts);
      live?.send({ type: 'set-mode', mode: 'self-drive', lasts: next.lasts });
    } else if ('then' in next) {
      live?.record({ type: 'unanswered', then: next.then });
      this.pending.reconsider(id);
    }
  }

  get openIds(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** True if a prompt waits until the service has noticed that a run was left. */
  get holdsPrompt(): boolean {
    return [...this.#open.values()].some(({ state }) => state.phase.kind === 'holding');
  }

  /** Returns whether a run of a conversation is under way here. */
  runs(id: string): boolean {
    const live = this.#open.get(id);
    return this.#waiting.has(id) || (live !== undefined && live.state.phase.kind !== 'idle');
  }

  /** Sends a prompt where no window has a run, and this one shows all that there is: a user is at one composer at a time. */
  async #prompt(id: string): Promise<void> {
    await this.open(id);
    if (this.#isBehind(id) || this.#world.windows.some((each) => each.runs(id))) return;
    this.#submit(id, false);
  }

  /** Sends a prompt to wait where a run is under way here. */
  #queue(id: string, overrideCostLimit: boolean): void {
    const phase = this.#open.get(id)?.state.phase.kind;
    if ((phase === 'requesting' || phase === 'paused') && !this.#isBehind(id))
      this.#submit(id, overrideCostLimit);
  }

  /** Returns whether another window has said more than this one shows: its user would have to be at two composers at a time. */
  #isBehind(id: string): boolean {
    const { windows, records } = this.#world;
    const known = this.#known.get(id);
    return (
      windows.some((each) => each !== this && each.#waiting.has(id)) ||
      (records.get(id) ?? []).some((entry) => known?.has(entry.id) !== true)
    );
  }

  #sendQueue(id: string, overrideCostLimit: boolean): void {
    const live = this.#open.get(id);
    const [head] = live?.state.queue ?? [];
    if (live?.state.phase.kind !== 'idle' || head === undefined) return;
    if (overrideCostLimit) this.#world.limits.saidAnyway(head.text);
    live.send({ type: 'send-now', overrideCostLimit });
  }

  #submit(id: string, overrideCostLimit: boolean): void {
    const text = `Go ${this.#world.newId()}`;
    if (overrideCostLimit) this.#world.limits.saidAnyway(text);
    const prompt = { text, sent: text, attachments: [] };
    this.#open.get(id)?.send({ type: 'submit', prompt, overrideCostLimit });
  }

  /** Returns the transcript of a conversation in this window, else the one on record. */
  async #read(id: string): Promise<Transcript> {
    await this.#world.delay();
    return this.#open.get(id)?.transcript ?? Transcript.fold(this.#world.records.get(id) ?? []);
  }

  open(id: string): Promise<void> {
    const opening = this.#opening.get(id) ?? this.#load(id);
    this.#opening.set(id, opening);
    return opening;
  }

  async #load(id: string): Promise<void> {
    if (this.#isGone) return;
    const entries = [...(this.#world.records.get(id) ?? [])];
    this.#known.set(id, new Set(entries.map((entry) => entry.id)));
    const live = this.#create(id, Transcript.fold(entries));
    this.#open.set(id, live);
    await live.resume();
  }

  /** True if it is alive and has the dialog of a question open. */
  shows(question: string): boolean {
    return !this.#isGone && this.pending.get(question)?.isShown === true;
  }

  #answer(id: string, answer: Answer, reason?: Reason): void {
    const question = this.#questionOf(id);
    if (question === undefined) return;
    this.#world.given.push(answer);
    if (reason !== undefined) this.#world.reasons.push(reason);
    void this.pending.answer(question.id, answer, reason?.text).then((outcome) => {
      if (reason !== undefined) reason.isBack = outcome === undefined || outcome.kind === 'refused';
    });
  }

  /** Rejects with a unique reason. */
  #sayWhy(id: string): void {
    const answer = { ...REJECT };
    const text = `Because of ${this.#world.newId()}`;
    this.#answer(id, answer, { text, answer, window: this.id, isBack: false });
  }

  /** Returns whether a prompt waits here. */
  isQueued(text: string): boolean {
    return [...this.#open.values()].some(({ state }) =>
      state.queue.some((each) => each.text === text),
    );
  }

  catchUp(): void {
    for (const id of this.#open.keys()) this.#readOn(id);
  }

  dispose(): void {
    this.#isGone = true;
    this.pending.dispose();
    for (const each of [...this.#open.values(), ...this.#heads]) each.dispose();
  }

  #questionOf(conversation: string): PendingQuestion | undefined {
    return this.pending.open().find(({ question }) => question.conversation === conversation)
      ?.question;
  }

  #create(id: string, transcript: Transcript): Conversation {
    const world = this.#world;
    const owner = world.disk.owner(id, this.id);
    const inTurn = inTurns(() => world.delay());
    // Whoever reads of a run can see its owner by then.
    const write = () => inTurn(() => owner.settled().then(() => this.#write(id)));
    const head = this.#headWriter(id, owner);
    const live: Conversation = new Conversation(id, transcript, {
      clock: world.clock,
      newId: () => world.newId(),
      random: () => 0.5,
      selfDriveAllowed: () => true,
      client: () => ({
        streamChat: (_intern, chat, options) => {
          const exchange = new FakeExchange(chat, options ?? {});
          world.receive(exchange, this.id, id);
          return exchange.stream();
        },
      }),
      append: (entry) => {
        world.recording(entry, transcript.whenUnanswered);
        this.#known.get(id)!.add(entry.id);
        if (entry.type === 'prompt') world.limits.started(entry.text, transcript);
        this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), entry]);
        void write();
      },
      recorded: () => write().then(() => head.flush()),
      catchUp: () => inTurn(() => this.#readOn(id)),
      owner,
      pendingQuestions: this.pending,
      describe: (open) => ({ ...permission(open.id), ...pendingOf(id, open) }),
      observedStatus: () => undefined,
      runEnded: () => undefined,
      silent: () => undefined,
    });
    live.onDidChange(({ state }) => state && head.update(live));
    return live;
  }

  #headWriter(id: string, owner: ConversationOwner): HeadWriter {
    const { disk, clock } = this.#world;
    const put = ({ question: asked }: ConversationHead): Promise<void> =>
      disk.write(this.id, id, asked && { ...permission(asked.id), ...pendingOf(id, asked) });
    const heads = { put, remove: () => Promise.resolve(false) };
    const head = new HeadWriter({ heads, owner, clock, written: () => undefined });
    this.#heads.push(head);
    return head;
  }

  /** Writes what waits, unless the window is gone. */
  #write(id: string): void {
    const { records } = this.#world;
    if (this.#isGone) return;
    records.set(id, [...(records.get(id) ?? []), ...(this.#waiting.get(id) ?? [])]);
    this.#waiting.delete(id);
  }

  #readOn(id: string): void {
    const known = this.#known.get(id)!;
    const news = (this.#world.records.get(id) ?? []).filter((entry) => !known.has(entry.id));
    for (const entry of news) known.add(entry.id);
    if (news.length > 0) this.#open.get(id)?.follow(news);
  }
}

/** The data of one question of a conversation. */
function pendingOf(
  conversation: string,
  { call, askedAt }: Pick<OpenQuestion, 'call' | 'askedAt'>,
): Pick<PendingQuestion, 'conversation' | 'call' | 'arrivedAt' | 'deadline'> {
  return { conversation, call, arrivedAt: askedAt, deadline: askedAt + FIVE_MINUTES };
}

function isTaken({ answer, outcome }: Sent, reason: Reason): boolean {
  return answer === reason.answer && (outcome === 'answered' || outcome === 'asked again');
}

/** The service takes one answer to each question, and gets another one only where it may not have taken the one before. */
function assertNoneIsAnsweredTwice({ sent, sentAgain }: World): void {
  assert.deepEqual(sentAgain, []);
  const taken = sent.filter(({ outcome }) => outcome === 'answered' || outcome === 'asked again');
  assert.equal(new Set(taken.map(({ call }) => call)).size, taken.length);
}

/** Asserts that the questions that wait by the record wait in the windows, and no others. */
function assertNoneIsLost({ records, windows, disk }: World): void {
  for (const [id, entries] of records) {
    const transcript = Transcript.fold(entries);
    const [open] = transcript.lastReply?.endedAt === null ? transcript.openQuestions : [];
    const kept = disk.heads.get(id)?.id;
    for (const entry of entries) {
      if (entry.type !== 'asked') continue;
      const stages = windows.map(({ pending }) => pending.get(entry.question)?.stage);
      const present = stages.filter((stage) => stage !== undefined);
      if (entry.question !== open?.id) assert.deepEqual(present, [], `${id} waits`);
      else {
        assert.ok(present.length >= (kept === open.id ? WINDOWS : 1), `${id} was lost`);
      }
    }
  }
}

/** Takes steps, each with whether all that it begins comes to an end before the next one, and checks what came of them. */
async function play(
  steps: readonly (readonly [Step, boolean])[],
  delays: readonly number[],
  check: (world: World) => void,
): Promise<void> {
  const world = new World(delays);
  try {
    for (const [next, settles] of steps) {
      await world.take(next);
      if (!settles) continue;
      await settled();
      world.settle();
    }
    await world.comeToRest();
    check(world);
  } finally {
    world.dispose();
  }
}

/** Lets everything that is ready to go on go on. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('questions of three windows, with steps in any order', () => {
  /** Each with whether all that it begins comes to an end before the next one. */
  const anySteps: fc.Arbitrary<[Step, boolean][]> = fc.array(fc.tuple(step, fc.boolean()), {
    minLength: 5,
    maxLength: 60,
  });
  const anyDelays = fc.array(fc.nat(12), { minLength: 1, maxLength: 7 });
  /** Stories in which much is said: each step comes to its end before the next one. */
  const longSteps: fc.Arbitrary<[Step, boolean][]> = fc.array(fc.tuple(step, fc.constant(true)), {
    maxLength: 60,
    size: 'max',
  });
  /** After the opening of a question that is to be answered for nobody soon, in a conversation that two windows have open. */
  const nearlyUp = fc
    .tuple(
      fc.constantFrom(...WHEN_UNANSWERED),
      fc.integer({ min: 230_000, max: 275_000 }),
      anySteps,
    )
    .map(([then, ms, steps]): [Step, boolean][] => {
      const first = { window: 0, conversation: 'c0' } as const;
      const opening: readonly Step[] = [
        { do: 'prompt', ...first },
        { do: 'open', ...first, window: 1 },
        { do: 'say', ...first, then },
        { do: 'see heads' },
        { do: 'pass', ms },
      ];
      return [...opening.map((each): [Step, boolean] => [each, true]), ...steps];
    });
  const run = (check: (world: World) => void, steps: fc.Arbitrary<[Step, boolean][]> = anySteps) =>
    fc.assert(
      fc.asyncProperty(steps, anyDelays, (steps, delays) => play(steps, delays, check)),
      { numRuns: 1_000 },
    );

  it('the service gets one answer to a question, unless one was refused or lost', async () => {
    await run(assertNoneIsAnsweredTwice);
  });

  it('no prompt exceeds self-drive, or the cost limit without an override', async () => {
    const lively = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('prompt'), ...at }) },
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('answer'), ...at, allow: fc.constant(true) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('respond'),
          which: fc.constant(0),
          how: fc.constant('answered'),
        }),
      },
      { weight: 6, arbitrary: limit },
      { weight: 3, arbitrary: step },
    );
    const settles = fc.constantFrom(true, true, true, false);
    const steps = fc.array(fc.tuple(lively, settles), { minLength: 20, maxLength: 60 });
    const counts = { 'self-drive': 0, override: 0, prompts: 0 };
    await run(({ limits }) => {
      assert.deepEqual(limits.faults, []);
      for (const name of limits.seen) counts[name] += 1;
    }, steps);
    assert.ok(
      Object.values(counts).every((count) => count > 0),
      JSON.stringify(counts),
    );
  });

  it('sends no answer that neither a user nor a policy gave', async () => {
    await run(({ sent, given, automatic, stopped }) => {
      const byUsers = sent.filter(({ answer }) => given.includes(answer));
      const byStop = sent.filter(
        ({ answer }) => !given.includes(answer) && !automatic.includes(answer),
      );
      for (const { answer } of byStop) assert.deepEqual(answer, CANCELLED);
      assert.ok(byStop.length === 0 || stopped.size > 0);
      const repeated = byUsers.filter(({ answer, outcome }) => {
        const times = byUsers.filter((each) => each.answer === answer);
        return times.length > 1 && outcome !== 'lost' && times.at(-1)?.outcome !== outcome;
      });
      assert.deepEqual(repeated, []);
    });
  });

  it('sends the reason for a rejection once, after the service accepted the rejection', async () => {
    let toldInAll = 0;
    await run(({ told, reasons, windows }) => {
      toldInAll += told.length;
      assert.ok(told.every((each) => each.isTaken));
      assert.equal(new Set(told.map(({ text }) => text)).size, told.length);
      for (const { text, window: id, isBack } of reasons) {
        const living = windows.find((each) => each.id === id);
        const places = [isBack, told.some((each) => each.text === text), living?.isQueued(text)];
        if (living !== undefined) assert.equal(places.filter((is) => is === true).length, 1, text);
      }
    }, longSteps);
    assert.ok(toldInAll > 0);
  });

  it('answers a question automatically once, in the last 30 s and without an open dialog', async () => {
    await run(({ sent, given, automatic, wrongAutomatic }) => {
      assert.deepEqual(wrongAutomatic, []);
      const answers = new Map<string, Set<Answer>>();
      for (const { call, answer } of sent) {
        if (!automatic.includes(answer)) continue;
        assert.ok(!given.includes(answer));
        assert.ok(answer.kind === 'permission' && !mayAllow(answer.choice));
        answers.set(call, (answers.get(call) ?? new Set()).add(answer));
      }
      for (const [call, each] of answers) assert.equal(each.size, 1, call);
    }, nearlyUp);
  });

  it('all windows show the questions that wait by the record, and no others', async () => {
    await run(assertNoneIsLost);
  });

  const asked = { window: 0, conversation: 'c0' } as const;
  const answered: readonly Step[] = [
    { do: 'prompt', ...asked },
    { do: 'answer', ...asked, allow: true },
  ];
  const settling = (steps: readonly Step[]) => steps.map((each) => [each, true] as const);
  const taken: Step = { do: 'respond', which: 0, how: 'answered' };

  it('all windows close an answered question, whenever the window that answered dies', async () => {
    const dies: Step = { do: 'reload', window: 0 };
    const aMoment = [{ do: 'sleep', ms: 0 }, false] as const;
    for (let moments = 0; moments < 30; moments += 1) {
      const until = Array.from({ length: moments }, () => aMoment);
      const steps = [...settling(answered), [taken, false], ...until, [dies, true]] as const;
      // The record is written sooner than the head.
      await play(steps, [0, 0, 4], assertNoneIsLost);
    }
  });

  it('Stop cancels a question while a lost answer is repeated', async () => {
    const repeat: Step = { do: 'pass', ms: 1_000 };
    const lost: Step = { do: 'respond', which: 0, how: 'lost' };
    const stop: Step = { do: 'stop', ...asked };
    await play(settling([...answered, lost, repeat, stop]), [0], (world) => {
      assertNoneIsAnsweredTwice(world);
      const [first, again, last, ...more] = world.sent.map(({ answer }) => answer);
      assert.deepEqual([first, again, last, more], [ALLOW, ALLOW, CANCELLED, []]);
    });
  });

  it('all windows close an answered question though the disk failed at first', async () => {
    const refusal: Step = { do: 'fail', what: 'write' };
    await play(settling([...answered, refusal, taken]), [0], assertNoneIsLost);
  });
});
