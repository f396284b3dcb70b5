import type { ApprovalMode, EchoedCall, ReplyRequest } from './chatRequest.ts';
import type { Clock, Timer } from './clock.ts';
import { InvalidBody } from './fields.ts';
import { parseAnswer, toFunction, type Answer, type Interaction } from './interactions.ts';
import { IN_STREAM_CODES, problem, type InStreamReason } from './problems.ts';
import { makeId } from './random.ts';
import { ResponseStream, type Attachment } from './responseStream.ts';
import type { Report, Script, Step } from './script.ts';
import type { Usage } from './usage.ts';

/** Times in ms, sizes in bytes. */
export interface RunLimits {
  keepaliveMs: number;
  interactionDeadlineMs: number;
  /** How long the intern may take until its first output. */
  requestBudgetMs: number;
  /** Output that the intern keeps of a paused run, in bytes of UTF-8. */
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

/** What a run needs from around it. */
export interface RunContext {
  clock: Clock;
  limits: RunLimits;
  sessionId: string;
  mode: ApprovalMode;
  script: Script;
  /** The model that the intern is known to run before it says so. */
  model: string;
  /** The model that it reports at the end of a turn. */
  reportedModel: string;
  /** Whether the intern can hold one more run open across a question. */
  mayPause: () => boolean;
  onQuestion: (question: Question) => void;
  /** Numbers for the final chunk. @param written characters of the run's reply */
  measure: (report: Report, written: number) => Usage | null;
}

/** Where a chat run is (interface: States and transitions, Chat run). */
export type RunState = 'streaming' | 'paused' | 'completed' | 'cancelled' | 'ended';

type RunEvent =
  /** The intern finishes the turn. */
  | 'finish'
  /** The intern needs a permission or an answer. */
  | 'ask'
  /** An answer arrives that the intern accepts. */
  | 'answer'
  /** The interaction deadline passes. */
  | 'deadline'
  /** A client's disconnect in mid-stream is noticed. */
  | 'disconnect'
  /** The intern ends the run and confirms it. */
  | 'end'
  /** The run fails, or the connection to the intern breaks without a confirmation. */
  | 'fail';

/**
 * The interface's table. What is not listed cannot happen: a client that closes its connection after the `[DONE]` of
 * `tool_calls` is no event, since the run stays paused.
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

/** The state after `event`. @throws Error when the event cannot happen in this state: a defect of the service. */
function nextRunState(state: RunState, event: RunEvent): RunState {
  const next = TRANSITIONS[state][event];
  if (next === undefined) throw new Error(`A ${state} run cannot take the event "${event}".`);
  return next;
}

/** Whether the run occupies its session: no other turn may start there. */
export function isOpen(state: RunState): boolean {
  return state === 'streaming' || state === 'paused';
}

/** Reasons after which no question of the run waits any more. */
const ENDING_REASONS: ReadonlySet<InStreamReason> = new Set<InStreamReason>([
  'interaction_not_pending',
  'interaction_unknown',
  'run_ended',
]);

const DEFAULT_REPORT: Report = { usage: 'full', model: true };

/** One run: a script, played to whoever is attached, through the states of TRANSITIONS. */
export class Run {
  readonly mode: ApprovalMode;
  readonly sessionId: string;
  readonly #context: RunContext;
  #state: RunState = 'streaming';
  #stream: ResponseStream;
  #questions: Question[] = [];
  #current: Question | undefined;
  #retained = '';
  /** Reasons with which the next replies are refused in their streams. */
  #refusals: InStreamReason[] = [];
  #deadline: Timer | undefined;
  #written = 0;
  #sessionReported = false;
  #wake: (() => void) | undefined;

  constructor(context: RunContext, attachment: Attachment) {
    this.mode = context.mode;
    this.sessionId = context.sessionId;
    this.#context = context;
    this.#stream = this.#attach(attachment);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Whether the intern told which session it is in: until then a failure carries a null `session_id`. */
  get sessionReported(): boolean {
    return this.#sessionReported;
  }

  get pendingQuestions(): readonly Question[] {
    return this.#questions.filter(({ state }) => state === 'pending');
  }

  /**
   * Plays the turn until it pauses or is over.
   * @throws Problem when it is refused before any output: nothing was written then.
   */
  async start(): Promise<void> {
    await this.#play(undefined);
  }

  /**
   * Goes on with the answer to a question of this run, on a new response.
   * @throws Problem when the answer is not taken; the run is then as before, its deadline too.
   */
  async reply(
    question: Question,
    { content, echo }: Pick<ReplyRequest, 'content' | 'echo'>,
    attachment: Attachment,
  ): Promise<void> {
    if (this.#state === 'streaming' && question === this.#current) {
      throw problem('attachedElsewhere');
    }
    if (question.state !== 'pending') throw problem('interactionNotPending');
    if (echo !== undefined) assertUnchanged(question, echo);
    const answer = readAnswer(question, content);
    const refusal = this.#refusals.shift();
    if (refusal !== undefined) {
      this.#refuseInStream(refusal, attachment);
      return;
    }
    if (Buffer.byteLength(this.#retained) > this.#context.limits.retentionBytes) {
      this.#become('end');
      throw problem('outputLost');
    }
    question.state = 'answered';
    this.#current = question;
    this.#become('answer');
    this.#stream = this.#attach(attachment);
    this.#stream.begin();
    this.#say(this.#retained);
    await this.#play(answer);
  }

  /** The intern ends the run and confirms it: an attached client reads `run_ended`. Does nothing when it is over. */
  end(): void {
    if (this.#state === 'streaming') {
      this.#fail('run_ended', IN_STREAM_CODES.run_ended, 'The intern ended the run.', 'end');
    } else if (this.#state === 'paused') {
      this.#become('end');
    }
  }

  /** Forgets the run without a word to anyone: the service is closing. */
  dispose(): void {
    this.#deadline?.dispose();
    this.#stream.release();
    if (this.#state === 'streaming') this.#become('disconnect');
  }

  /** The response begins as ever, and then says why the answer was not taken. The question waits on, unless it is over. */
  #refuseInStream(reason: InStreamReason, attachment: Attachment): void {
    if (ENDING_REASONS.has(reason)) this.#become('end');
    const error = {
      code: IN_STREAM_CODES[reason],
      message: `The reply was refused on request, with the reason ${reason}.`,
      metadata: { reason },
    };
    const final = { sessionId: this.sessionId, usage: null, model: undefined };
    this.#attach(attachment, () => undefined).fail(error, final);
  }

  #attach(
    attachment: Attachment,
    onDisconnect = (): void => this.#become('disconnect'),
  ): ResponseStream {
    const { clock, limits, model } = this.#context;
    return new ResponseStream({
      attachment,
      clock,
      keepaliveMs: limits.keepaliveMs,
      completionId: makeId('chatcmpl-'),
      model,
      onDisconnect,
    });
  }

  /** Every change of state goes through here: what was waiting is woken, what no longer waits is withdrawn. */
  #become(event: RunEvent): void {
    this.#state = nextRunState(this.#state, event);
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
        if (done === true) this.#finish(value ?? DEFAULT_REPORT);
        else await this.#perform(value);
      }
    } catch (error) {
      if (this.#state !== 'streaming') throw error;
      if (!this.#stream.hasBegun) {
        this.#become('fail');
        throw error;
      }
      const { message } = problem('turnFailed');
      this.#fail('turn_failed', IN_STREAM_CODES.turn_failed, message, 'fail');
    }
  }

  async #perform(step: Step): Promise<void> {
    const { limits } = this.#context;
    switch (step.do) {
      case 'say':
        await this.#pace();
        if (this.#state === 'streaming') this.#say(step.text);
        return;
      case 'think':
        await this.#pace();
        if (this.#state === 'streaming') this.#think(step.text);
        return;
      case 'ask':
        this.#ask(step);
        return;
      case 'wait':
        await this.#sleep(step.ms);
        return;
      case 'stall':
        this.#beginStream();
        if (step.dead) this.#stream.mute();
        await this.#sleep(Infinity);
        return;
      case 'break off':
        this.#beginStream();
        this.#stream.breakOff();
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
        this.#fail(
          step.reason,
          step.code,
          step.message,
          step.reason === 'run_ended' ? 'end' : 'fail',
        );
        return;
    }
  }

  #beginStream(): void {
    this.#sessionReported = true;
    this.#stream.begin();
  }

  #say(text: string): void {
    if (text === '') return;
    this.#beginStream();
    this.#written += text.length;
    this.#stream.content(text);
  }

  #think(text: string): void {
    this.#beginStream();
    this.#written += text.length;
    this.#stream.reasoning(text);
  }

  #ask(step: Extract<Step, { do: 'ask' }>): void {
    const { interactions, firstIndex = 0, meanwhile = '', refusals = [] } = step;
    const { clock, limits, mayPause, onQuestion } = this.#context;
    this.#beginStream();
    if (!this.#stream.isConnected) {
      this.#become('disconnect');
      return;
    }
    if (!mayPause()) {
      const { message } = problem('noRoomForQuestion');
      this.#fail('busy', IN_STREAM_CODES.busy, message, 'fail');
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
    this.#stream.finish('tool_calls', {
      sessionId: this.sessionId,
      usage: null,
      model: undefined,
    });
  }

  #finish(report: Report): void {
    this.#beginStream();
    this.#become('finish');
    this.#stream.finish(report.finish ?? 'stop', {
      sessionId: this.sessionId,
      usage: this.#context.measure(report, this.#written),
      model: report.model ? this.#context.reportedModel : undefined,
    });
  }

  #fail(reason: InStreamReason, code: number, message: string, event: 'end' | 'fail'): void {
    this.#become(event);
    this.#stream.fail(
      { code, message, metadata: { reason } },
      {
        sessionId: this.#sessionReported ? this.sessionId : null,
        usage: null,
        model: undefined,
      },
    );
  }

  /** Waits for the client to take what was written, and for the pace of the script. */
  async #pace(): Promise<void> {
    if (this.#stream.isFull) await this.#stream.drained();
    if (this.#context.limits.chunkMs > 0) await this.#sleep(this.#context.limits.chunkMs);
  }

  /** Settles after `ms`, or as soon as the run is over. */
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

/** @throws Problem if the echo is not the tool call as it was streamed (interface: Chat message, echoed tool call) */
function assertUnchanged({ index, interaction }: Question, echo: EchoedCall): void {
  const streamed = toFunction(interaction);
  const isSame =
    (echo.index === undefined || echo.index === index) &&
    echo.name === streamed.name &&
    echo.arguments === streamed.arguments;
  if (!isSame) throw problem('badRequest', { message: 'The echoed tool call was changed.' });
}

function readAnswer({ interaction }: Question, content: string): Answer {
  try {
    return parseAnswer(interaction, content);
  } catch (error) {
    if (error instanceof InvalidBody) throw problem('badRequest', { message: error.message });
    throw error;
  }
}
