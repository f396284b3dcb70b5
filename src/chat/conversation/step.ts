import type { EntryBody } from '../journal.ts';
import type { Effect, Environment } from './events.ts';
import type { ConversationState, Exchange, Phase } from './state.ts';

/** One step of the machine in the making: the state so far and the effects in their order. */
export class Step {
  readonly effects: Effect[] = [];
  readonly env: Environment;
  #state: ConversationState;

  constructor(state: ConversationState, env: Environment) {
    this.#state = state;
    this.env = env;
  }

  get state(): ConversationState {
    return this.#state;
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** The exchange under way, where it is the one of this request. */
  exchange(request: string): Exchange | undefined {
    const { phase } = this.#state;
    return phase.kind === 'requesting' && phase.exchange.request === request
      ? phase.exchange
      : undefined;
  }

  set(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change };
  }

  /** Changes the exchange of a request that is under way. */
  update(exchange: Exchange, change: Partial<Exchange>): Exchange {
    const next = { ...exchange, ...change };
    this.set({ phase: { kind: 'requesting', exchange: next } });
    return next;
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  record(entry: EntryBody): void {
    this.emit({ type: 'record', entry });
  }
}
