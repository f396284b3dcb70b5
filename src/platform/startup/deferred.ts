import type { Disposable } from '../../base/disposable.ts';

/**
 * A part that takes long to load: its first user loads it, and at the latest the first quiet moment after it was
 * deferred, so that what it shows by itself comes without anyone asking.
 */
export class Deferred<T> implements Disposable {
  readonly #load: () => Promise<T>;
  readonly #quiet: NodeJS.Immediate;
  #loading: Promise<T> | undefined;
  #loaded: T | undefined;

  /** @param failed Called once where the part cannot be loaded, whoever asked for it first. */
  constructor(load: () => Promise<T>, failed: (failure: unknown) => void) {
    this.#load = load;
    this.#quiet = setImmediate(() => {
      this.get().catch(failed);
    });
  }

  /**
   * The part, as soon as it is there. It is loaded once, and not tried again where that fails.
   *
   * @throws Whatever loading it threw.
   */
  get(): Promise<T> {
    this.#loading ??= this.#load().then((part) => (this.#loaded = part));
    return this.#loading;
  }

  /** The part if it is there already. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** Gives up on loading a part that nobody has asked for yet. */
  dispose(): void {
    clearImmediate(this.#quiet);
  }
}
