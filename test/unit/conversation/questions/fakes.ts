import assert from 'node:assert/strict';
import {
  ApiError,
  readQuestion,
  type Answer,
  type ApiErrorKind,
  type Question,
  type ToolCall,
} from '../../../../src/api/index.ts';
import type { Clock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ConversationOwner } from '../../../../src/conversation/ports.ts';
import {
  PendingQuestions,
  type TrackedQuestion,
} from '../../../../src/conversation/questions/pendingQuestions.ts';
import type {
  Answerer,
  AnswerOutcome,
  LastDialog,
  PendingQuestion,
  QuestionHeads,
  RecordedQuestion,
} from '../../../../src/conversation/questions/types.ts';
import {
  automaticAnswer,
  type WhenUnanswered,
} from '../../../../src/conversation/questions/unanswered.ts';
import type { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { FakeClock } from '../../support/fakeClock.ts';

export const START = 1_700_000_000_000;
export const FIVE_MINUTES = 300_000;

/** Runs one piece of work at a time, each after a delay, as a window does for one of its files. */
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
  /** The pending question of each head, by conversation. */
  readonly heads = new Map<string, PendingQuestion>();
  /** The dialog that was open last, by conversation. */
  readonly dialogs = new Map<string, LastDialog & { readonly question: string }>();
  /** The window that owns a conversation. */
  readonly owners = new Map<string, string>();
  readonly deadWindows = new Set<string>();
  /** The operations that fail on the disk: writing heads, reading them, or marking open dialogs. */
  failing: 'write' | 'list' | 'dialog' | 'nothing' = 'nothing';
  /** How long a change takes. */
  delay: () => Promise<void> = () => Promise.resolve();
  readonly #changed = new Emitter<void>();
  /** Tells every window of all changes, as a watcher does: late, and once for several. */
  readonly notify = (): void => this.#changed.fire();

  /** Writes the pending question of a conversation into its head; undefined for none. */
  async write(window: string, conversation: string, question: PendingQuestion | undefined) {
    await this.delay();
    if (this.failing === 'write') throw new Error('The disk is full');
    if (this.deadWindows.has(window)) return;
    if (question === undefined) this.heads.delete(conversation);
    else this.heads.set(conversation, question);
  }

  /** The questions that a window reads from the heads. */
  window(id: string): QuestionHeads {
    const inTurn = inTurns(() => this.delay());
    return {
      onDidChange: this.#changed.event,
      list: async () => {
        const questions = [...this.heads.values()];
        await this.delay();
        if (this.failing === 'list') return undefined;
        return questions.map((question) => ({
          question,
          isSending: this.#isOwned(question.conversation, id),
        }));
      },
      markDialog: ({ id: question, conversation }, openAt) =>
        inTurn(() => {
          if (this.failing === 'dialog' || this.deadWindows.has(id)) return;
          this.dialogs.set(conversation, { question, window: id, openAt });
        }),
      lastDialog: ({ id: question, conversation }) =>
        inTurn(() => {
          if (this.failing === 'list') return undefined;
          const last = this.dialogs.get(conversation);
          return last?.question === question ? last : null;
        }),
    };
  }

  /** Returns the ownership of a conversation for a window. */
  owner(conversation: string, window: string): ConversationOwner & Pick<OwnerFile, 'isElsewhere'> {
    const isElsewhere = () => this.#isOwned(conversation, window);
    let isOurs = false;
    // A release comes before the next taking.
    const inTurn = inTurns(() => this.delay());
    return {
      get isOurs() {
        return isOurs;
      },
      take: () =>
        inTurn(() => {
          isOurs = !isElsewhere() && !this.deadWindows.has(window);
          if (isOurs) this.owners.set(conversation, window);
          return isOurs;
        }),
      release: () => {
        isOurs = false;
        return inTurn(() => {
          if (this.owners.get(conversation) === window) this.owners.delete(conversation);
        });
      },
      isElsewhere: () => inTurn(isElsewhere),
    };
  }

  /** Returns whether another living window than this one owns a conversation. */
  #isOwned(conversation: string, window: string): boolean {
    const owner = this.owners.get(conversation);
    return owner !== undefined && owner !== window && !this.deadWindows.has(owner);
  }

  /** The questions of a window on this disk. It answers only as the owner of the conversation. */
  pending(window: string, clock: Clock, answerer: Answerer): PendingQuestions {
    const answerAsOwner: Answerer['answer'] = async (question, answer) => {
      const owner = this.owner(question.conversation, window);
      if (!(await owner.take())) return undefined;
      try {
        return await answerer.answer(question, answer);
      } finally {
        await owner.release();
      }
    };
    return new PendingQuestions({
      clock,
      heads: this.window(window),
      window,
      answerer: {
        answer: answerAsOwner,
        readRecordedQuestion: (question) => answerer.readRecordedQuestion(question),
        applyUnansweredPolicy: async (question) => {
          const { whenUnanswered } = await answerer.readRecordedQuestion(question);
          const answer = automaticAnswer(question.question, whenUnanswered);
          return answer && answerAsOwner(question, answer);
        },
      },
    });
  }
}

/** The questions of windows that share a disk and the service. */
export class QuestionWindows {
  readonly clock = new FakeClock();
  readonly disk = new FakeDisk();
  readonly answerer = new FakeAnswerer();
  readonly #windows: PendingQuestions[] = [];

  open(window: string): PendingQuestions {
    const opened = this.disk.pending(window, this.clock, this.answerer);
    this.#windows.push(opened);
    return opened;
  }

  /** The answers that were sent. */
  get sent(): readonly Answer[] {
    return this.answerer.sent.map(({ answer }) => answer);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  dispose(): void {
    for (const window of this.#windows) window.dispose();
    assert.equal(this.clock.waiting, 0, 'a timer is left');
  }
}

/** The stage of a question in a few words: `open`, `refused, late`, `open, shown`. */
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

  /** The policies of the conversations for unanswered questions. */
  when: WhenUnanswered = 'expire';

  /** The questions that are over by their records. */
  readonly over = new Set<string>();

  recordReads = 0;

  readRecordedQuestion({ id }: PendingQuestion): Promise<RecordedQuestion> {
    this.recordReads += 1;
    const isOver = this.over.has(id);
    return Promise.resolve({ isOver, whenUnanswered: this.when, maybeReceived: null });
  }

  applyUnansweredPolicy(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  answer(question: PendingQuestion, answer: Answer): Promise<AnswerOutcome> {
    return new Promise((settle, fail) =>
      this.sent.push({ question: question.id, answer, settle, fail }),
    );
  }
}

/** A call with such arguments, and its question. */
export function asked(id: string, args: object): { call: ToolCall; question: Question } {
  const name = 'service.provide_input';
  const call = { index: 0, id: `call-${id}`, name, arguments: JSON.stringify(args) };
  return { call, question: readQuestion(call) };
}

export function permission(
  id: string,
  { arrivedAt = START, conversation = 'c1' }: { arrivedAt?: number; conversation?: string } = {},
): PendingQuestion {
  return {
    id,
    conversation,
    intern: 'intern-1',
    internName: 'ada',
    account: 'account-1',
    question: { kind: 'permission', operation: 'shell', options: ['allow_once', 'reject_once'] },
    context: { said: '', allowed: 0, rejected: 0 },
    deadline: arrivedAt + FIVE_MINUTES,
  };
}

export function apiError(kind: ApiErrorKind, status: number): ApiError {
  return new ApiError({ kind, route: 'chat', status, message: 'The service says no' });
}

export const ALLOW: Answer = { kind: 'permission', choice: 'allow_once' };
export const REJECT: Answer = { kind: 'permission', choice: 'reject_once' };
export const CANCELED: Answer = { kind: 'permission', choice: 'cancel' };

/** Lets all pending promises settle. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
