import { callAll, toDisposable, type Disposable } from './disposable.ts';

/** Subscribes a listener until the result is disposed, like `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();

  /** Subscribes a listener. The same function subscribed twice is called twice. */
  readonly event: Event<T> = (listener) => {
    const subscription = { call: listener };
    this.#listeners.add(subscription);
    return toDisposable(() => {
      this.#listeners.delete(subscription);
    });
  };

  /**
   * Calls all listeners that are subscribed now, in the order of subscription.
   *
   * @throws the error of the first listener that failed, after all were called
   */
  fire(value: T): void {
    const calls = Array.from(this.#listeners, (subscription) => () => {
      if (this.#listeners.has(subscription)) subscription.call(value);
    });
    callAll(calls);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
