import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribes a listener; disposing the answer unsubscribes it. Has the shape of `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The sending side of an {@link Event}. */
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
   * Calls every listener that is subscribed now, in the order of their subscription.
   *
   * @throws The error of the first listener that failed, after all of them were called.
   */
  fire(value: T): void {
    const failures: unknown[] = [];
    for (const subscription of [...this.#listeners]) {
      if (!this.#listeners.has(subscription)) continue;
      try {
        subscription.call(value);
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Drops every listener. */
  dispose(): void {
    this.#listeners.clear();
  }
}
