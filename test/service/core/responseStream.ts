import type { ResponseWriter } from '../http/responseWriter.ts';
import type { Clock, Timer } from './clock.ts';
import { toFunction, type Interaction } from './interactions.ts';
import { IN_STREAM_CODES, type InStreamReason } from './problems.ts';
import type { Usage } from './usage.ts';

export interface AskedQuestion {
  id: string;
  index: number;
  interaction: Interaction;
}

export interface FinalChunk {
  sessionId: string | null;
  usage?: Usage | null;
  model?: string | undefined;
}

export interface ResponseStreamOptions {
  writer: ResponseWriter;
  clock: Clock;
  /** The time without output before a keepalive, in ms. */
  keepaliveMs: number;
  completionId: string;
  model: string;
  /** Called once, at the keepalive tick that finds the client gone. */
  onDisconnect: () => void;
}

/**
 * Writes one response of the chat route in the interface's order: role, content, finish, final, `[DONE]`, with
 * keepalives.
 */
export class ResponseStream {
  readonly #options: ResponseStreamOptions;
  readonly #created: number;
  #begun = false;
  #muted = false;
  #lastWrite: number;
  #tick: Timer | undefined;

  constructor(options: ResponseStreamOptions) {
    this.#options = options;
    this.#lastWrite = options.clock.now();
    this.#created = Math.floor(this.#lastWrite / 1000);
    this.#schedule();
  }

  /** True if the status was sent, so that a failure must be reported inside the stream. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  get writer(): ResponseWriter {
    return this.#options.writer;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#options.writer.begin();
    this.#sendDelta({ role: 'assistant' });
  }

  say(kind: 'content' | 'reasoning', text: string): void {
    this.begin();
    this.#sendDelta({ [kind]: text });
  }

  ask(questions: readonly AskedQuestion[]): void {
    this.begin();
    this.#sendDelta({
      tool_calls: questions.map(({ id, index, interaction }) => ({
        index,
        id,
        type: 'function',
        function: toFunction(interaction),
      })),
    });
  }

  /**
   * Writes the finish chunk, the final chunk and `[DONE]`.
   * @param reason `stop`, `tool_calls`, or one that the interface does not list
   */
  finish(reason: string, final: FinalChunk): void {
    this.begin();
    this.#send({ choices: [choice({}, reason)] });
    this.#end(final);
  }

  /** Writes the finish chunk of a failure, the final chunk and `[DONE]`. */
  fail(reason: InStreamReason, message: string, final: FinalChunk): void {
    const error = { code: IN_STREAM_CODES[reason], message, metadata: { reason } };
    this.begin();
    this.#send({ choices: [choice({}, 'error')], error });
    this.#end(final);
  }

  /** Writes nothing more, not even keepalives. A disconnect is still noticed. */
  mute(): void {
    this.begin();
    this.#muted = true;
  }

  breakOff(): void {
    this.begin();
    this.#options.writer.destroy();
  }

  release(): void {
    this.#tick?.dispose();
  }

  #end({ sessionId, usage = null, model }: FinalChunk): void {
    const reported = model === undefined ? {} : { model };
    this.#send({ choices: [], session_id: sessionId, usage, ...reported });
    this.#write('data: [DONE]\n\n');
    this.#options.writer.end();
    this.release();
  }

  #sendDelta(delta: object): void {
    this.#send({ choices: [choice(delta, null)] });
  }

  #send(fields: object): void {
    const chunk = {
      id: this.#options.completionId,
      object: 'chat.completion.chunk',
      created: this.#created,
      model: this.#options.model,
      ...fields,
    };
    this.#write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  #write(text: string): void {
    this.#lastWrite = this.#options.clock.now();
    this.#options.writer.write(text);
  }

  /** One timer for keepalives and disconnects: it fires one interval after the last write or tick. */
  #schedule(): void {
    const { clock, keepaliveMs } = this.#options;
    this.#tick = clock.setTimeout(
      () => this.#onTick(),
      this.#lastWrite + keepaliveMs - clock.now(),
    );
  }

  #onTick(): void {
    const { writer, clock, keepaliveMs, onDisconnect } = this.#options;
    if (!writer.isConnected) {
      onDisconnect();
      return;
    }
    if (clock.now() - this.#lastWrite >= keepaliveMs) {
      if (this.#begun && !this.#muted) this.#write(': keepalive\n\n');
      else this.#lastWrite = clock.now();
    }
    this.#schedule();
  }
}

function choice(delta: object, finishReason: string | null): object {
  return { index: 0, delta, finish_reason: finishReason };
}
