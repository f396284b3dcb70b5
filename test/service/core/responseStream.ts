import type { Clock, Timer } from './clock.ts';
import { toFunction, type Interaction } from './interactions.ts';
import type { InStreamReason } from './problems.ts';
import type { Usage } from './usage.ts';

/** The client's end of a streamed response. The service learns of a disconnect only when it asks. */
export interface Attachment {
  readonly isConnected: boolean;
  /** Whether a `write` now would have to wait in memory. */
  readonly isFull: boolean;
  /** Sends the status and the headers. */
  begin(): void;
  write(text: string): void;
  /** Settles when there is room again, or nobody is left to write to. */
  drained(): Promise<void>;
  end(): void;
  /** Cuts the connection, as a broken network would. */
  destroy(): void;
}

/** A question as it is asked: the id and the index of its tool call, and what is asked. */
export interface AskedQuestion {
  id: string;
  index: number;
  interaction: Interaction;
}

/** Interface: Stream error object. */
export interface StreamError {
  code: number;
  message: string;
  metadata: { reason: InStreamReason };
}

export interface FinalChunk {
  sessionId: string | null;
  usage: Usage | null;
  /** The model that the intern reported at the end, where it did. */
  model: string | undefined;
}

export interface ResponseStreamOptions {
  attachment: Attachment;
  clock: Clock;
  /** Silence, in ms, after which a keepalive is written. */
  keepaliveMs: number;
  completionId: string;
  model: string;
  /** Called once, at a keepalive tick, when the client is found to be gone. */
  onDisconnect: () => void;
}

/** Writes one response of the chat route in the interface's order: role, content, finish, final, `[DONE]`; and keepalives. */
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

  /** Whether the response has its status already, so that a failure can only be told inside it. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  get isConnected(): boolean {
    return this.#options.attachment.isConnected;
  }

  get isFull(): boolean {
    return this.#options.attachment.isFull;
  }

  drained(): Promise<void> {
    return this.#options.attachment.drained();
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#options.attachment.begin();
    this.#sendDelta({ role: 'assistant' });
  }

  content(text: string): void {
    this.begin();
    this.#sendDelta({ content: text });
  }

  reasoning(text: string): void {
    this.begin();
    this.#sendDelta({ reasoning: text });
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
   * The finish chunk, the final chunk and `[DONE]`, after which nothing more is written.
   *
   * @param reason `stop`, `tool_calls`, or one that the interface does not list
   */
  finish(reason: string, final: FinalChunk): void {
    this.begin();
    this.#send({ choices: [choice({}, reason)] });
    this.#end(final);
  }

  /** The finish chunk of a failure, then the same end as ever. */
  fail(error: StreamError, final: FinalChunk): void {
    this.begin();
    this.#send({ choices: [choice({}, 'error')], error });
    this.#end(final);
  }

  /** Writes nothing from here on, not even keepalives; a disconnect is still noticed. */
  mute(): void {
    this.begin();
    this.#muted = true;
  }

  breakOff(): void {
    this.begin();
    this.#options.attachment.destroy();
  }

  /** Stops the ticking; the response is left as it is. */
  release(): void {
    this.#tick?.dispose();
  }

  #end({ sessionId, usage, model }: FinalChunk): void {
    const reported = model === undefined ? {} : { model };
    this.#send({ choices: [], session_id: sessionId, usage, ...reported });
    this.#write('data: [DONE]\n\n');
    this.#options.attachment.end();
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
    this.#options.attachment.write(text);
  }

  /** One timer serves both promises: it fires at the latest one interval after the last write, and after the last tick. */
  #schedule(): void {
    const { clock, keepaliveMs } = this.#options;
    this.#tick = clock.setTimeout(
      () => this.#onTick(),
      this.#lastWrite + keepaliveMs - clock.now(),
    );
  }

  #onTick(): void {
    const { attachment, clock, keepaliveMs, onDisconnect } = this.#options;
    if (!attachment.isConnected) {
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
