import assert from 'node:assert/strict';
import {
  ApiError,
  type ApiErrorInit,
  type CallOptions,
  type ChatEvent,
  type ChatRequest,
  type ToolCall,
} from '../../../src/api/index.ts';
import { settled } from './questions/fakes.ts';

/** The relevant fields of a failure. The others get the service's usual values. */
export type Failure = Partial<ApiErrorInit> & Pick<ApiErrorInit, 'kind'>;

/** One request that the conversation made, to be answered by the test. */
export class FakeExchange {
  /** Null if only the response is read. */
  readonly request: ChatRequest | null;
  readonly #options: CallOptions;
  readonly #arrivals: (readonly ChatEvent[] | 'end' | ApiError)[] = [];
  #wake: () => void = () => undefined;

  constructor(request: ChatRequest | null, options: CallOptions) {
    this.request = request;
    this.#options = options;
    options.signal?.addEventListener('abort', () => {
      this.fail({ kind: 'aborted' });
    });
  }

  get chat(): ChatRequest {
    assert.ok(this.request, 'No request was sent');
    return this.request;
  }

  get aborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** The headers of an accepted response come. */
  open(receivedAt?: () => number): this {
    this.#options.onResponse?.(receivedAt);
    return this;
  }

  /** Nothing has come for so many ms. */
  quiet(ms: number): this {
    this.#options.onSilence?.(ms);
    return this;
  }

  /** Bytes come again after a silence. */
  sound(): this {
    this.#options.onSilenceEnd?.();
    return this;
  }

  say(...events: readonly ChatEvent[]): this {
    this.#arrive(events);
    return this;
  }

  /** The rest of a good response: finish chunk, final chunk, `[DONE]`. */
  finish(sessionId: string | null = 'session-1', cost: number | null = null): this {
    const tokens = { promptTokens: 1, completionTokens: 1, totalTokens: 2, cachedTokens: null };
    const end = { ...endEvent(sessionId), usage: cost === null ? null : { ...tokens, cost } };
    return this.say({ kind: 'finish', reason: 'stop' }, end).done();
  }

  ask(call: ToolCall = permissionCall('call-1'), sessionId: string | null = 'session-1'): this {
    return this.say(interaction(call)).pause(sessionId);
  }

  /** The rest of a response that asks. */
  pause(sessionId: string | null = 'session-1'): this {
    return this.say({ kind: 'finish', reason: 'tool_calls' }, endEvent(sessionId)).done();
  }

  done(): this {
    this.#arrive('end');
    return this;
  }

  /** Runs all work that is ready, including that of this request. */
  async taken(): Promise<void> {
    await settled();
  }

  fail(failure: Failure | ApiError): this {
    const facts = { route: 'chat', message: 'said the service' } as const;
    this.#arrive(failure instanceof ApiError ? failure : new ApiError({ ...facts, ...failure }));
    return this;
  }

  /** A failure chunk and what follows every finish: the final chunk, `[DONE]`. */
  refuse(init: Failure): this {
    const facts = { route: 'chat', message: 'said the service', inStream: true } as const;
    const error = new ApiError({ ...facts, ...init });
    return this.say({ kind: 'finish', reason: 'error', error }, endEvent(null)).done();
  }

  async *stream(): AsyncGenerator<readonly ChatEvent[]> {
    for (;;) {
      const next = this.#arrivals.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (next === 'end') return;
      if (next instanceof ApiError) throw next;
      yield next;
    }
  }

  #arrive(arrival: readonly ChatEvent[] | 'end' | ApiError): void {
    this.#arrivals.push(arrival);
    this.#wake();
  }
}

export const endEvent = (sessionId: string | null): ChatEvent & { kind: 'end' } => ({
  kind: 'end',
  sessionId,
  usage: null,
  model: null,
  completionId: null,
});

const mayRun = {
  kind: 'permission',
  operation: 'shell',
  options: ['allow_once', 'reject_once'],
} as const;

export function permissionCall(id: string): ToolCall {
  return { index: 0, id, name: 'service.provide_input', arguments: JSON.stringify(mayRun) };
}

export function interaction(call: ToolCall): ChatEvent {
  return { kind: 'interaction', call };
}
