import {
  ApiError,
  readQuestion,
  type Answer,
  type ApiErrorKind,
} from '../../../../src/api/index.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type {
  AnswerClaim,
  KeptQuestion,
  QuestionIndex,
} from '../../../../src/chat/questions/ports.ts';
import type {
  Answerer,
  AnswerOutcome,
  PendingQuestion,
} from '../../../../src/chat/questions/types.ts';
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

/** The storage that several windows share; each has its own view of it. */
export class FakeDisk {
  readonly questions = new Map<string, { question: PendingQuestion; shownIn: string | null }>();
  readonly claims = new Map<string, string>();
  readonly deadWindows = new Set<string>();
  /** What the disk refuses: to take new questions, to list those that it has, or to mark one as shown. */
  failing: 'keep' | 'list' | 'showing' | 'nothing' = 'nothing';
  readonly #changed = new Emitter<void>();
  /** Every window is told of every change by a call of this, as a watcher does: late, and once for several. */
  readonly notify = (): void => this.#changed.fire();

  window(id: string): QuestionIndex {
    const unkept = new Set<string>();
    return {
      onDidChange: this.#changed.event,
      list: () =>
        Promise.resolve(
          this.failing === 'list'
            ? undefined
            : [...this.questions.values()].map((kept) => this.#view(kept)),
        ),
      keep: async (question) => {
        await Promise.resolve();
        if (this.questions.has(question.id)) return true;
        if (this.failing === 'keep') unkept.add(question.id);
        else this.questions.set(question.id, { question, shownIn: null });
        return this.failing !== 'keep';
      },
      forget: async (question) => {
        await Promise.resolve();
        this.questions.delete(question.id);
        this.claims.delete(question.id);
      },
      showing: async ({ id: question }) => {
        await Promise.resolve();
        const kept = this.questions.get(question);
        if (kept === undefined || this.failing === 'showing') return false;
        this.questions.set(question, { ...kept, shownIn: id });
        return true;
      },
      claim: (question) =>
        Promise.resolve(
          unkept.has(question.id)
            ? { release: () => Promise.resolve() }
            : this.#claim(question.id, id),
        ),
    };
  }

  #claim(question: string, window: string): AnswerClaim | undefined {
    if (this.#holder(question) !== undefined || !this.questions.has(question)) return undefined;
    this.claims.set(question, window);
    return {
      release: async () => {
        await Promise.resolve();
        this.claims.delete(question);
      },
    };
  }

  #view({
    question,
    shownIn,
  }: {
    question: PendingQuestion;
    shownIn: string | null;
  }): KeptQuestion {
    const claim = this.#holder(question.id) === undefined ? 'free' : 'held';
    return { question, shownIn, claim };
  }

  /** The living window that has the claim on a question. */
  #holder(question: string): string | undefined {
    const owner = this.claims.get(question);
    return owner === undefined || this.deadWindows.has(owner) ? undefined : owner;
  }
}

/** Takes answers and lets a test say what became of each. */
export class FakeAnswerer implements Answerer {
  readonly sent: { question: string; answer: Answer; settle: (outcome: AnswerOutcome) => void }[] =
    [];

  answer(question: PendingQuestion, answer: Answer): Promise<AnswerOutcome> {
    return new Promise((settle) => this.sent.push({ question: question.id, answer, settle }));
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
  return {
    id,
    conversation,
    intern: 'intern-1',
    internName: 'ada',
    account: 'account-1',
    call,
    question: readQuestion(call),
    arrivedAt,
    deadline: arrivedAt + FIVE_MINUTES,
  };
}

export function unreadable(id: string): PendingQuestion {
  return { ...permission(id), question: { kind: 'unreadable', problem: 'not-json' } };
}

export function apiError(kind: ApiErrorKind, status: number): ApiError {
  return new ApiError({ kind, route: 'chat', status, message: 'The service says no' });
}

export const ALLOW: Answer = { kind: 'permission', choice: 'allow_once' };
export const CANCELLED: Answer = { kind: 'permission', choice: 'cancel' };

/** Lets everything that is ready to go on go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
