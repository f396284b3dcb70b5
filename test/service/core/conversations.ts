import type { ResponseWriter } from '../http/responseWriter.ts';
import type { PromptRequest, AnswerRequest } from './chatRequest.ts';
import type { Clock } from './clock.ts';
import type { Intern } from './interns.ts';
import { problem } from './problems.ts';
import { makeId } from './random.ts';
import { isOpen, Run, type Question, type RunLimits } from './run.ts';
import type { Brain, Turn } from './script.ts';
import { computeUsage } from './usage.ts';

/** The model of an intern that reports none (interface: Stream chunk, model). */
const UNREPORTED_MODEL = 'service/intern';
/** The model that scripted interns report at the end of a turn. */
const SCRIPTED_MODEL = 'scripted/intern-1';

interface Session {
  readonly id: string;
  readonly internId: string;
  readonly prompts: string[];
  readonly questions: Map<string, Question>;
  run: Run | undefined;
}

export interface ConversationsOptions {
  clock: Clock;
  limits: RunLimits;
  /** The number of runs that one intern can hold open across a question. */
  maxPausedRuns: number;
  brain: Brain;
  /** Returns whether a vault of the intern would release a secret to a hostname. */
  canUseSecret: (intern: Intern, name: string, hostname: string) => boolean;
}

/** The sessions of all interns. Each has at most one open run. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  /**
   * Starts a run and plays it until it pauses or is over.
   * @throws Problem before anything was written
   */
  async prompt(intern: Intern, request: PromptRequest, writer: ResponseWriter): Promise<void> {
    assertRunning(intern);
    const id = request.sessionId ?? makeId('session_');
    const known = this.#find(intern, id);
    if (known?.run !== undefined && isOpen(known.run.state)) throw problem('sessionBusy');
    if (this.#pausedRuns(intern) >= this.#options.maxPausedRuns)
      throw problem('noRoomForQuestion', undefined, 1);

    const session = known ?? this.#open(intern, id);
    const run = this.#createRun(intern, session, request, writer);
    session.run = run;
    try {
      await run.start();
    } finally {
      if (run.sessionReported) session.prompts.push(request.text);
      else if (known === undefined) this.#sessions.delete(sessionKey(intern, id));
    }
  }

  /**
   * Answers a question and goes on with the run that asked it.
   * @throws Problem before anything was written
   */
  async answer(intern: Intern, request: AnswerRequest, writer: ResponseWriter): Promise<void> {
    assertRunning(intern);
    const question = this.#find(intern, request.sessionId)?.questions.get(request.toolCallId);
    if (question === undefined) throw problem('interactionUnknown');
    await question.run.answer(question, request, writer);
  }

  /** Returns the sessions as tests see them. A turn is an accepted prompt. */
  list() {
    return [...this.#sessions.values()].map(({ id, internId, prompts, run }) => ({
      ...{ id, internId, turns: prompts.length, run: run?.state },
      pending: run?.pendingQuestions.map((question) => question.id) ?? [],
    }));
  }

  dispose(): void {
    for (const { run } of this.#sessions.values()) run?.dispose();
  }

  #find(intern: Intern, id: string): Session | undefined {
    return this.#sessions.get(sessionKey(intern, id));
  }

  #open(intern: Intern, id: string): Session {
    const session: Session = {
      id,
      internId: intern.id,
      prompts: [],
      questions: new Map(),
      run: undefined,
    };
    this.#sessions.set(sessionKey(intern, id), session);
    return session;
  }

  #pausedRuns(intern: Intern): number {
    const runs = [...this.#sessions.values()].filter(({ internId }) => internId === intern.id);
    return runs.filter(({ run }) => run?.state === 'paused').length;
  }

  #createRun(
    intern: Intern,
    session: Session,
    request: PromptRequest,
    writer: ResponseWriter,
  ): Run {
    const { clock, limits, brain, canUseSecret, maxPausedRuns } = this.#options;
    const earlier = [...session.prompts];
    const turn: Turn = {
      prompt: request.text,
      mode: request.mode,
      internName: intern.name,
      earlier,
      canUseSecret: (name, hostname) => canUseSecret(intern, name, hostname),
    };
    return new Run(
      {
        clock,
        limits,
        sessionId: session.id,
        mode: request.mode,
        script: brain(turn),
        model: intern.model ?? UNREPORTED_MODEL,
        reportedModel: intern.model ?? SCRIPTED_MODEL,
        mayPause: () => this.#pausedRuns(intern) < maxPausedRuns,
        onQuestion: (question) => session.questions.set(question.id, question),
        measure: ({ usage }, written) =>
          computeUsage(usage, {
            fresh: request.text.length,
            cached: earlier.join('').length,
            written,
          }),
      },
      writer,
    );
  }
}

function assertRunning({ status }: Intern): void {
  if (status !== 'running')
    throw problem('internNotReady', `The intern isn’t running: it is ${status}.`);
}

function sessionKey(intern: Intern, id: string): string {
  return JSON.stringify([intern.id, id]);
}
