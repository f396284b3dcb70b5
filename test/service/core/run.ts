import type { ResponseWriter } from '../http/responseWriter.ts';
import type { ApprovalMode, EchoedCall, AnswerRequest } from './chatRequest.ts';
import type { Clock, Timer } from './clock.ts';
import { InvalidBody } from './fields.ts';
import { parseAnswer, toFunction, type Answer, type Interaction } from './interactions.ts';
import { problem, type InStreamReason } from './problems.ts';
import { makeId } from './random.ts';
import { ResponseStream } from './responseStream.ts';
import type { Report, Script, Step } from './script.ts';
import type { Usage } from './usage.ts';

/** Times in ms, sizes in bytes. */
export interface RunLimits {
  keepaliveMs: number;
  interactionDeadlineMs: number;
  /** The time limit for the intern's first output. */
  requestBudgetMs: number;
  /** How much output the intern keeps of a paused run, in bytes of UTF-8. */
  retentionBytes: number;
  /** Pause before each piece of text. */
  chunkMs: number;
}

export interface Question {
  readonly id: string;
  /** The index of its tool call. */
  readonly index: number;
  readonly interaction: Interaction;
  readonly run: Run;
  state: 'pending' | 'answered' | 'gone';
}

export interface RunContext {
  clock: Clock;
  limits: RunLimits;
  sessionId: string;
  mode: ApprovalMode;
  script: Script;
  /** The model in the chunks before the intern reports one. */
  model: string;
  /** The model that it reports at the end of a turn. */
  reportedModel: string;
  /** Returns whether the intern can hold one more run open across a question. */
  mayPause: () => boolean;
  onQuestion: (question: Question) => void;
  /** Returns the usage for the final chunk. @param written characters of the reply */
  measure: (report: Report, written: number) => Usage | null;
}

/** The state of a chat run (interface: States and transitions, Chat run). */
export type RunState = 'streaming' | 'paused' | 'completed' | 'cancelled' | 'ended';

type RunEvent = 'finish' | 'ask' | 'answer' | 'deadline' | 'disconnect' | 'end' | 'fail';

/**
 * The interface's table. A client that disconnects after the `[DONE]` of `tool_calls` is no event: the run stays
 * paused.
 */
const TRANSITIONS: Readonly<Record<RunState, Partial<Record<RunEvent, RunState>>>> = {
  streaming: {
    finish: 'completed',
    ask: 'paused',
    disconnect: 'cancelled',
    end: 'ended',
    fail: 'ended',
  },
  paused: { answer: 'streaming', deadline: 'cancelled', end: 'ended' },
  completed: {},
  cancelled: {},
  ended: {},
};

/** Returns whether the run keeps its session busy. */
export function isOpen(state: RunState): boolean {
  return state === 'streaming' || state === 'paused';
}

/** Reasons that end the run and its questions. */
const ENDING_REASONS: ReadonlySet<InStreamReason> = new Set<InStreamReason>([
  'interaction_not_pending',
  'interaction_unknown',
  'run_ended',
]);

/** One run: plays a script to the attached client. */
export class Run {
  readonly mode: ApprovalMode;
  readonly sessionId: string;
  readonly #context: RunContext;
  #state: RunState = 'streaming';
  #stream: ResponseStream;
  #questions: Question[] = [];
  #current: Question | undefined;
  #retained = '';
  #report: Report = { usage: 'full', model: true };
  /** Reasons with which the next answers are refused inside their streams. */
  #refusals: InStreamReason[] = [];
  #deadline: Timer | undefined;
  #written = 0;
  #sessionReported = false;
  #wake: (() => void) | undefined;

  constructor(context: RunContext, writer: ResponseWriter) {
    this.mode = context.mode;
    this.sessionId = context.sessionId;
    this.#context = context;
    this.#stream = this.#attach(writer);
  }

  get state(): RunState {
    return this.#state;
  }

  /** True if the intern has reported the session. Until then, failures have a null `session_id`. */
  get sessionReported(): boolean {
    return this.#sessionReported;
  }

  get pendingQuestions(): readonly Question[] {
    return this.#questions.filter(({ state }) => state === 'pending');
  }

  /**
   * Plays the turn until it pauses or ends.
   * @throws Problem if it is refused before any output
   */
  async start(): Promise<void> {
    await this.#play(undefined);
  }

  /**
   * Continues with the answer to a question, on a new response.
   * @throws Problem if the answer is refused; the run and its deadline stay the same
   */
  async answer(
    question: Question,
    { content, echo }: Pick<AnswerRequest, 'content' | 'echo'>,
    writer: ResponseWriter,
  ): Promise<void> {
    if (this.#state === 'streaming' && question === this.#current)
      throw problem('attachedElsewhere');

    if (question.state !== 'pending') throw problem('interactionNotPending');
    if (echo !== undefined) assertUnchanged(question, echo);
    const answer = readAnswer(question, content);
    const refusal = this.#refusals.shift();
    if (refusal !== undefined) {
      this.#refuseInStream(refusal, writer);
      return;
    }
    if (Buffer.byteLength(this.#retained) > this.#context.limits.retentionBytes) {
      this.#become('end');
      throw problem('outputLost');
    }
    question.state = 'answered';
    this.#current = question;
    this.#become('answer');
    this.#stream = this.#attach(writer);
    this.#stream.begin();
    this.#say(this.#retained);
    await this.#play(answer);
  }

  dispose(): void {
    this.#deadline?.dispose();
    this.#stream.release();
    if (this.#state === 'streaming') this.#become('disconnect');
  }

  /** Refuses an answer inside its stream. The question stays pending, unless the reason ends the run. */
  #refuseInStream(reason: InStreamReason, writer: ResponseWriter): void {
    if (ENDING_REASONS.has(reason)) this.#become('end');
    const message = `The answer was refused on request, with the reason ${reason}.`;
    const stream = this.#attach(writer, () => undefined);
    stream.fail(reason, message, { sessionId: this.sessionId });
  }

  #attach(
    writer: ResponseWriter,
    onDisconnect = (): void => this.#become('disconnect'),
  ): ResponseStream {
    const { clock, limits, model } = this.#context;
    return new ResponseStream({
      writer,
      clock,
      keepaliveMs: limits.keepaliveMs,
      completionId: makeId('chatcmpl-'),
      model,
      onDisconnect,
    });
  }

  /**
   * Changes the state, wakes what waits, and withdraws questions that no longer count.
   * @throws Error if the event cannot happen in this state, which is a defect of the service
   */
  #become(event: RunEvent): void {
    const next = TRANSITIONS[this.#state][event];
    if (next === undefined) throw new Error(`A ${this.#state} run cannot take "${event}".`);
    this.#state = next;
    this.#deadline?.dispose();
    if (this.#state === 'paused') return;
    for (const question of this.pendingQuestions) question.state = 'gone';
    if (this.#state === 'streaming') return;
    this.#stream.release();
    this.#wake?.();
  }

  async #play(answer: Answer | undefined): Promise<void> {
    try {
      let input = answer;
      while (this.#state === 'streaming') {
        const { done, value } = this.#context.script.next(input);
        input = undefined;
        if (done === true) this.#finish();
        else await this.#perform(value);
      }
    } catch (error) {
      if (this.#state !== 'streaming') throw error;
      if (!this.#stream.hasBegun) {
        this.#become('fail');
        throw error;
      }
      this.#fail('turn_failed', problem('turnFailed').message);
    }
  }

  async #perform(step: Step): Promise<void> {
    const { limits } = this.#context;
    switch (step.do) {
      case 'say':
      case 'think':
        await this.#pace();
        if (this.#state === 'streaming')
          this.#say(step.text, step.do === 'say' ? 'content' : 'reasoning');
        return;
      case 'ask':
        this.#ask(step);
        return;
      case 'wait':
        await this.#sleep(step.ms);
        return;
      case 'stall':
      case 'break off':
        this.#beginStream();
        if (step.do === 'break off') this.#stream.breakOff();
        else if (step.dead) this.#stream.mute();
        await this.#sleep(Infinity);
        return;
      case 'refuse':
        throw step.problem;
      case 'ignore':
        await this.#sleep(limits.requestBudgetMs);
        if (this.#state === 'streaming') throw problem('timeout');
        return;
      case 'fail':
        if (!step.early) this.#beginStream();
        this.#fail(step.reason, step.message);
        return;
      case 'report':
        this.#report = step.report;
        return;
    }
  }

  #beginStream(): void {
    this.#sessionReported = true;
    this.#stream.begin();
  }

  #say(text: string, kind: 'content' | 'reasoning' = 'content'): void {
    if (text === '') return;
    this.#beginStream();
    this.#written += text.length;
    this.#stream.say(kind, text);
  }

  #ask(step: Extract<Step, { do: 'ask' }>): void {
    const { interactions, firstIndex = 0, meanwhile = '', refusals = [] } = step;
    const { clock, limits, mayPause, onQuestion } = this.#context;
    this.#beginStream();
    if (!this.#stream.writer.isConnected) {
      this.#become('disconnect');
      return;
    }
    if (!mayPause()) {
      this.#fail('busy', problem('noRoomForQuestion').message);
      return;
    }
    const asked = interactions.map((interaction, position): Question => {
      const index = firstIndex + position;
      return { id: makeId('call_'), index, interaction, run: this, state: 'pending' };
    });
    this.#questions = asked;
    this.#current = undefined;
    this.#retained = meanwhile;
    this.#refusals = [...refusals];
    this.#become('ask');
    this.#deadline = clock.setTimeout(() => this.#become('deadline'), limits.interactionDeadlineMs);
    for (const question of asked) onQuestion(question);
    this.#stream.ask(asked);
    this.#stream.finish('tool_calls', { sessionId: this.sessionId });
  }

  #finish(): void {
    const report = this.#report;
    this.#beginStream();
    this.#become('finish');
    this.#stream.finish(report.finish ?? 'stop', {
      sessionId: this.sessionId,
      usage: this.#context.measure(report, this.#written),
      model: report.model ? this.#context.reportedModel : undefined,
    });
  }

  #fail(reason: InStreamReason, message: string): void {
    this.#become(reason === 'run_ended' ? 'end' : 'fail');
    const sessionId = this.#sessionReported ? this.sessionId : null;
    this.#stream.fail(reason, message, { sessionId });
  }

  /** Waits until the client has read the output, and for the pace of the script. */
  async #pace(): Promise<void> {
    const { writer } = this.#stream;
    if (writer.isFull) await writer.drained();
    if (this.#context.limits.chunkMs > 0) await this.#sleep(this.#context.limits.chunkMs);
  }

  /** Resolves after `ms`, or when the run ends. */
  async #sleep(ms: number): Promise<void> {
    if (this.#state !== 'streaming') return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = this.#context.clock.setTimeout(resolve, ms);
    });
    timer?.dispose();
    this.#wake = undefined;
  }
}

/** @throws Problem if the echo differs from the tool call in the stream (interface: Chat message, echoed tool call) */
function assertUnchanged({ index, interaction }: Question, echo: EchoedCall): void {
  const streamed = toFunction(interaction);
  const isSame =
    (echo.index === undefined || echo.index === index) &&
    echo.name === streamed.name &&
    echo.arguments === streamed.arguments;
  if (!isSame) throw problem('badRequest', 'The echoed tool call was changed.');
}

function readAnswer({ interaction }: Question, content: string): Answer {
  try {
    return parseAnswer(interaction, content);
  } catch (error) {
    if (error instanceof InvalidBody) throw problem('badRequest', error.message);
    throw error;
  }
}
