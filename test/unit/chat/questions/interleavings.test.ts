import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Answer, ApiError } from '../../../../src/api/index.ts';
import { QuestionBroker } from '../../../../src/chat/questions/broker.ts';
import type { AnswerOutcome, PendingQuestion } from '../../../../src/chat/questions/types.ts';
import {
  ALLOW,
  apiError,
  CANCELLED,
  FakeAnswerer,
  FakeDisk,
  permission,
  settled,
  SleepyClock,
} from './fakes.ts';

const WINDOWS = 3;
const QUESTIONS = 4;

type Step =
  | {
      readonly do: 'arrive' | 'show' | 'hide' | 'end';
      readonly window: number;
      readonly question: number;
    }
  | {
      readonly do: 'answer';
      readonly window: number;
      readonly question: number;
      readonly allow: boolean;
    }
  | { readonly do: 'respond'; readonly which: number; readonly how: AnswerOutcome['kind'] }
  | { readonly do: 'reload'; readonly window: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'fail'; readonly what: FakeDisk['failing'] }
  | { readonly do: 'watch' | 'settle' };

const window = fc.nat(WINDOWS - 1);
const question = fc.nat(QUESTIONS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('arrive', 'show', 'hide'), window, question }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end'), window, question }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('answer'), window, question, allow: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('respond'),
      which: fc.nat(9),
      how: fc.constantFrom('accepted', 'kept', 'gone', 'maybe-answered', 'abandoned'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload'), window }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.integer({ min: 1, max: 400_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sleep'),
      ms: fc.integer({ min: -60_000, max: 900_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail'),
      what: fc.constantFrom('keep', 'list', 'nothing'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('watch', 'settle') }) },
);

/** One answer on its way to the service. */
interface Sent {
  readonly question: string;
  readonly answer: Answer;
  readonly window: string;
  readonly settle: (outcome: AnswerOutcome) => void;
  outcome: AnswerOutcome['kind'] | 'lost' | undefined;
}

function outcomeOf(kind: AnswerOutcome['kind'], error: ApiError): AnswerOutcome {
  switch (kind) {
    case 'accepted':
    case 'abandoned':
      return { kind };
    case 'kept':
    case 'gone':
      return { kind, error };
    case 'maybe-answered':
      return { kind, how: 'allow_once', isEarlier: false };
  }
}

/** Several windows over one disk, with a record of what their users did and what reached the service. */
class World {
  readonly clock = new SleepyClock();
  readonly disk = new FakeDisk();
  readonly sent: Sent[] = [];
  /** What had become of earlier answers to a question when another one was sent, where it should not have been. */
  readonly sentAgain: string[] = [];
  /** What users answered, by question. */
  readonly given = new Map<string, Answer[]>();
  /** Questions whose conversation has them on record, and is not done with them. */
  readonly open = new Map<string, PendingQuestion>();
  /** The place of the window whose conversation asked it. */
  readonly #askedIn = new Map<string, number>();
  readonly #windows: { id: string; broker: QuestionBroker }[] = [];
  #opened = 0;

  constructor() {
    for (let index = 0; index < WINDOWS; index += 1) this.#windows.push(this.#openWindow());
  }

  get brokers(): readonly QuestionBroker[] {
    return this.#windows.map(({ broker }) => broker);
  }

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'arrive':
        this.#arrive(next.window, `q${next.question}`);
        return;
      case 'show':
      case 'hide':
        this.#brokerOf(next.window)[next.do](`q${next.question}`);
        return;
      case 'end':
        this.#brokerOf(next.window).end(`q${next.question}`, { kind: 'run-ended' });
        return;
      case 'answer':
        this.#answer(this.#brokerOf(next.window), `q${next.question}`, next.allow);
        return;
      case 'respond':
        this.#respond(next.which, next.how);
        return;
      case 'reload':
        this.#reload(next.window);
        return;
      case 'pass':
        this.clock.advance(next.ms);
        return;
      case 'sleep':
        this.clock.sleep(next.ms);
        return;
      case 'fail':
        this.disk.failing = next.what;
        return;
      case 'watch':
        this.disk.notify();
        return;
      case 'settle':
        await settled();
    }
  }

  /** Lets every window learn everything. */
  async comeToRest(): Promise<void> {
    this.disk.failing = 'nothing';
    for (let round = 0; round < 4; round += 1) {
      await settled();
      this.disk.notify();
    }
    await settled();
  }

  dispose(): void {
    for (const { broker } of this.#windows) broker.dispose();
  }

  #brokerOf(index: number): QuestionBroker {
    return this.#windows[index]!.broker;
  }

  #arrive(index: number, id: string): void {
    if (this.given.has(id)) return;
    const asked = permission(id, { arrivedAt: this.clock.now() });
    this.given.set(id, []);
    this.open.set(id, asked);
    this.#askedIn.set(id, index);
    this.#brokerOf(index).arrive(asked);
  }

  #answer(broker: QuestionBroker, id: string, allow: boolean): void {
    const answer = allow ? { ...ALLOW } : { ...CANCELLED };
    if (broker.get(id) === undefined) return;
    this.given.get(id)!.push(answer);
    void broker.answer(id, answer);
  }

  #respond(which: number, kind: AnswerOutcome['kind']): void {
    const waiting = this.sent.filter(({ outcome }) => outcome === undefined);
    const sent = waiting[which % Math.max(waiting.length, 1)];
    if (sent === undefined) return;
    sent.outcome = kind;
    const error = apiError(kind === 'kept' ? 'timeout' : 'interaction-not-pending', 409);
    sent.settle(outcomeOf(kind, error));
  }

  /** The extension host dies with all that it was doing; the next one takes up what its conversations have on record. */
  #reload(index: number): void {
    const { id, broker } = this.#windows[index]!;
    broker.dispose();
    this.disk.deadWindows.add(id);
    for (const sent of this.sent)
      if (sent.window === id && sent.outcome === undefined) sent.outcome = 'lost';
    const next = this.#openWindow();
    this.#windows[index] = next;
    for (const [asked, question] of this.open)
      if (this.#askedIn.get(asked) === index || this.disk.questions.has(asked))
        next.broker.arrive(question);
    void next.broker.synchronize();
  }

  #openWindow(): { id: string; broker: QuestionBroker } {
    this.#opened += 1;
    const id = `w${this.#opened}`;
    const answerer = new FakeAnswerer();
    const answer: FakeAnswerer['answer'] = (asked, given) =>
      new Promise((settle) => {
        const before = this.sent.filter((each) => each.question === asked.id);
        this.#note(before);
        const sent: Sent = {
          question: asked.id,
          answer: given,
          window: id,
          settle,
          outcome: undefined,
        };
        this.sent.push(sent);
      });
    Object.assign(answerer, { answer });
    const broker = new QuestionBroker({
      clock: this.clock,
      answerer,
      index: this.disk.window(id),
      window: id,
    });
    broker.onDidChange(({ question: { id: over }, ending }) => {
      if (ending !== null && ending.kind !== 'elsewhere') this.open.delete(over);
    });
    return { id, broker };
  }

  /** Only after refusals that kept the question, and answers that went down with their window: the service takes one. */
  #note(before: readonly Sent[]): void {
    const outcomes = before.map(({ outcome }) => outcome ?? 'unsettled');
    if (outcomes.some((outcome) => outcome !== 'kept' && outcome !== 'lost'))
      this.sentAgain.push(outcomes.join(', '));
  }
}

describe('questions in any order of arrivals, answers, expiries, errors, sleeps, failures of the disk and reloads of three windows', () => {
  const anySteps = fc.array(step, { minLength: 5, maxLength: 60 });
  const run = (check: (world: World) => void) =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const world = new World();
        try {
          for (const next of steps) await world.take(next);
          await world.comeToRest();
          check(world);
        } finally {
          world.dispose();
        }
      }),
      { numRuns: 1_000 },
    );

  it('are never answered twice, and only a refusal that keeps one or the death of a window lets another answer go', async () => {
    await run(({ sent, sentAgain }) => {
      assert.deepEqual(sentAgain, []);
      const accepted = sent.filter(({ outcome }) => outcome === 'accepted');
      assert.equal(new Set(accepted.map(({ question: id }) => id)).size, accepted.length);
    });
  });

  it('never send an answer that no user gave', async () => {
    await run(({ sent, given }) => {
      for (const { question: id, answer } of sent) assert.ok(given.get(id)?.includes(answer), id);
      assert.equal(new Set(sent.map(({ answer }) => answer)).size, sent.length);
    });
  });

  it('are never lost: what is not over is open in every window, or in one where the disk did not take it, and what is over waits in none', async () => {
    await run(({ open, given, brokers, disk }) => {
      for (const id of given.keys()) {
        const states = brokers.map((broker) => broker.get(id)?.state);
        const present = states.filter((state) => state !== undefined);
        if (open.has(id))
          assert.ok(present.length >= (disk.questions.has(id) ? WINDOWS : 1), `${id} was lost`);
        // An answer on its way is waited for, even where another window has closed the question.
        else
          assert.deepEqual(
            present.filter((state) => state !== 'answering'),
            [],
            `${id} waits`,
          );
      }
    });
  });
});
