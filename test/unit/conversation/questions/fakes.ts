import assert from 'node:assert/strict';
import {
  ApiError,
  readQuestion,
  type Answer,
  type ApiErrorKind,
} from '../../../../src/api/index.ts';
import type { Clock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { ConversationOwner } from '../../../../src/conversation/ports.ts';
import { QuestionBroker } from '../../../../src/conversation/questions/broker.ts';
import type { KeptQuestion, QuestionIndex } from '../../../../src/conversation/questions/ports.ts';
import type {
  Answerer,
  AnswerOutcome,
  PendingQuestion,
  TrackedQuestion,
} from '../../../../src/conversation/questions/types.ts';
import {
  answerForNobody,
  type WhenUnanswered,
} from '../../../../src/conversation/questions/unanswered.ts';
import { FakeClock } from '../../support/fakeClock.ts';

export const START = 1_700_000_000_000;
export const FIVE_MINUTES = 300_000;

/** A clock whose machine may sleep, or be set: the wall clock alone moves then. */
export class SleepyClock extends FakeClock {
  #slept = 0;

  override now(): number {
    return super.now() + this.#slept;
  }

  /** Lets so many ms pass on the wall clock alone; negative where it is set back. */
  sleep(ms: number): void {
    this.#slept += ms;
  }
}

/** The right of one window to go on with a conversation, which says when others can see what was asked for last. */
interface FakeOwner extends ConversationOwner {
  settled(): Promise<void>;
}

/** A question as it lies on disk. */
type Kept = Omit<KeptQuestion, 'isSending'>;

/** Does work one by one, each after a delay, as a window's work on one of its files goes. */
export function inTurns(delay: () => Promise<void>): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(delay).then(work);
    last = done;
    return done;
  };
}

/** The storage that several windows share; each has its own view of it. */
export class FakeDisk {
  readonly questions = new Map<string, Kept>();
  /** The window that owns a conversation. */
  readonly owners = new Map<string, string>();
  readonly deadWindows = new Set<string>();
  /** The faults of the disk: it refuses to take new questions, to let go of one, to list those that it has, or to mark one as shown. */
  failing: 'keep' | 'forget' | 'list' | 'showing' | 'nothing' = 'nothing';
  /** How long a change takes. */
  delay: () => Promise<void> = () => Promise.resolve();
  readonly #changed = new Emitter<void>();
  /** Every window is told of every change by a call of this, as a watcher does: late, and once for several. */
  readonly notify = (): void => this.#changed.fire();

  window(id: string): QuestionIndex {
    const isDead = () => this.deadWindows.has(id);
    const turns = new Map<string, ReturnType<typeof inTurns>>();
    const inTurn = (question: string): ReturnType<typeof inTurns> => {
      const known = turns.get(question) ?? inTurns(() => this.delay());
      turns.set(question, known);
      return known;
    };
    /** Reads what is kept of a question, and writes it a moment later: another window may have changed it meanwhile. */
    const update = (
      { id: question }: PendingQuestion,
      change: (kept: Kept | undefined) => Kept | false | undefined,
    ): Promise<boolean> =>
      inTurn(question)(async () => {
        const next = change(this.questions.get(question));
        if (next === undefined) return true;
        await this.delay();
        if (next === false || isDead()) return false;
        this.questions.set(question, next);
        return true;
      });
    return {
      onDidChange: this.#changed.event,
      list: async () => {
        const kept = [...this.questions.values()];
        await this.delay();
        if (this.failing === 'list') return undefined;
        return kept.map((each) => ({
          ...each,
          isSending: this.#isOwned(each.question.conversation, id),
        }));
      },
      keep: (question) =>
        update(question, (kept) => {
          if (kept !== undefined) return undefined;
          return this.failing !== 'keep' && { question, shownIn: null };
        }),
      forget: ({ id: question }) =>
        inTurn(question)(() => {
          if (!isDead() && this.failing !== 'forget') this.questions.delete(question);
        }),
      showing: (question) =>
        update(
          question,
          (kept) => kept !== undefined && this.failing !== 'showing' && { ...kept, shownIn: id },
        ),
      hidden: async (question) => {
        await update(question, (kept) =>
          kept?.shownIn === id ? { ...kept, shownIn: null } : undefined,
        );
      },
      isShownElsewhere: async ({ id: question }) => {
        await this.delay();
        if (this.failing === 'list') return true;
        const shownIn = this.questions.get(question)?.shownIn ?? null;
        return shownIn !== null && shownIn !== id && !this.deadWindows.has(shownIn);
      },
    };
  }

  /** The right of a window to go on with a conversation. */
  owner(conversation: string, window: string): FakeOwner {
    const isElsewhere = () => this.#isOwned(conversation, window);
    // A release comes before the next taking.
    const inTurn = inTurns(() => this.delay());
    return {
      take: () =>
        inTurn(() => {
          if (isElsewhere() || this.deadWindows.has(window)) return false;
          this.owners.set(conversation, window);
          return true;
        }),
      release: () =>
        inTurn(() => {
          if (this.owners.get(conversation) === window) this.owners.delete(conversation);
        }),
      isElsewhere: () => inTurn(isElsewhere),
      settled: () => inTurn(() => undefined),
    };
  }

  /** Whether another living window than this one owns a conversation. */
  #isOwned(conversation: string, window: string): boolean {
    const owner = this.owners.get(conversation);
    return owner !== undefined && owner !== window && !this.deadWindows.has(owner);
  }

  /** What a window knows of the questions on this disk. */
  broker(window: string, clock: Clock, answerer: Answerer): QuestionBroker {
    const index = this.window(window);
    return new QuestionBroker({ clock, answerer: this.answerer(window, answerer), index, window });
  }

  /** Sends what one window answers, as the owner of the conversation alone. */
  answerer(window: string, answerer: Answerer): Answerer {
    const asOwner: Answerer['answer'] = async (question, answer) => {
      const owner = this.owner(question.conversation, window);
      if (!(await owner.take())) return undefined;
      return answerer.answer(question, answer).finally(() => owner.release());
    };
    return {
      answer: asOwner,
      isOver: (question) => answerer.isOver(question),
      whenUnanswered: (question) => answerer.whenUnanswered(question),
      answerForNobody: async (question, isAlone) => {
        const when = await answerer.whenUnanswered(question);
        const given = answerForNobody(question.question, when);
        return given && (await isAlone()) ? asOwner(question, given) : undefined;
      },
    };
  }
}

/** Where a question stands, in a few words: `open`, `refused, late`, `open, shown`. */
export function standsAt(tracked: TrackedQuestion | undefined): string | undefined {
  if (tracked === undefined) return undefined;
  const { stage, isShown, isLate } = tracked;
  return [
    stage,
    ...(isShown ? ['shown'] : []),
    ...(isLate && stage !== 'over' ? ['late'] : []),
  ].join(', ');
}

/** Takes answers and lets a test say what became of each. */
export class FakeAnswerer implements Answerer {
  readonly sent: {
    question: string;
    answer: Answer;
    settle: (outcome: AnswerOutcome) => void;
    fail: (reason: Error) => void;
  }[] = [];

  /** What the conversations say of questions that nobody answers. */
  when: WhenUnanswered = 'expire';

  /** The questions that are over by their records. */
  readonly over = new Set<string>();

  isOver({ id }: PendingQuestion): Promise<boolean> {
    return Promise.resolve(this.over.has(id));
  }

  whenUnanswered(): Promise<WhenUnanswered> {
    return Promise.resolve(this.when);
  }

  answerForNobody(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  answer(question: PendingQuestion, answer: Answer): Promise<AnswerOutcome> {
    return new Promise((settle, fail) =>
      this.sent.push({ question: question.id, answer, settle, fail }),
    );
  }
}

export function permission(
  id: string,
  { arrivedAt = START, conversation = 'c1' }: { arrivedAt?: number; conversation?: string } = {},
): PendingQuestion {
  const call = {
    index: 0,
    id: `call-${id}`,
    name: 'service.provide_input',
    arguments: JSON.stringify({
      kind: 'permission',
      operation: 'shell',
      options: ['allow_once', 'reject_once'],
    }),
  };
  const question = readQuestion(call);
  assert.ok(question.kind === 'permission');
  return {
    id,
    conversation,
    intern: 'intern-1',
    internName: 'ada',
    account: 'account-1',
    call,
    question,
    arrivedAt,
    deadline: arrivedAt + FIVE_MINUTES,
  };
}

export function apiError(kind: ApiErrorKind, status: number): ApiError {
  return new ApiError({ kind, route: 'chat', status, message: 'The service says no' });
}

export const ALLOW: Answer = { kind: 'permission', choice: 'allow_once' };
export const REJECT: Answer = { kind: 'permission', choice: 'reject_once' };
export const CANCELLED: Answer = { kind: 'permission', choice: 'cancel' };

/** Lets everything that is ready to go on go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
