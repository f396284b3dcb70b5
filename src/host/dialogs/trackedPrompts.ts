import { Emitter, type Event } from '../../base/event.ts';
import type { Prompts } from './prompts.ts';

/** Whether a dialog of this extension is open. */
export interface OpenDialogs {
  readonly isOpen: boolean;
  /** A dialog opened or closed. */
  readonly onDidChange: Event<void>;
}

/** Prompts that know whether one of them is open, so that nothing that opens by itself takes its place. */
export class TrackedPrompts implements Prompts, OpenDialogs {
  readonly #prompts: Prompts;
  readonly #changed = new Emitter<void>();
  #open = 0;

  readonly onDidChange = this.#changed.event;

  constructor(prompts: Prompts) {
    this.#prompts = prompts;
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  input: Prompts['input'] = (options) => this.#track(this.#prompts.input(options));
  pick: Prompts['pick'] = (options) => this.#track(this.#prompts.pick(options));
  pickMany: Prompts['pickMany'] = (options) => this.#track(this.#prompts.pickMany(options));

  async #track<T>(shown: Promise<T>): Promise<T> {
    this.#open += 1;
    this.#changed.fire();
    try {
      return await shown;
    } finally {
      this.#open -= 1;
      this.#changed.fire();
    }
  }
}
