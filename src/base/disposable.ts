export interface Disposable {
  dispose(): void;
}

/** Holds disposables and disposes them together. Once disposed, it disposes any added member at once. */
export class DisposableStore implements Disposable {
  #members: Disposable[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Takes ownership of a disposable and returns it. */
  add<T extends Disposable>(member: T): T {
    if (this.#isDisposed) member.dispose();
    else this.#members.push(member);
    return member;
  }

  /** Disposes every member, the latest first. @throws the first error, after all were disposed */
  dispose(): void {
    this.#isDisposed = true;
    const members = this.#members.reverse();
    this.#members = [];
    callAll(members.map((member) => () => member.dispose()));
  }
}

/** Calls every function. @throws the first error, after all were called */
function callAll(calls: readonly (() => void)[]): void {
  const failures: unknown[] = [];
  for (const call of calls) {
    try {
      call();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Base of a class whose parts are disposed with it, the latest first. */
export abstract class DisposableBase implements Disposable {
  readonly #parts = new DisposableStore();
  readonly #partsOf = new WeakMap<object, Disposable>();

  protected get isDisposed(): boolean {
    return this.#parts.isDisposed;
  }

  protected own<T extends Disposable>(part: T): T {
    return this.#parts.add(part);
  }

  /** Returns the part that belongs to `of`, made and owned at the first call. All calls must make the same type. */
  protected ownOnce<T extends Disposable>(of: object, make: () => T): T {
    const known = this.#partsOf.get(of) as T | undefined;
    if (known !== undefined) return known;
    const part = this.own(make());
    this.#partsOf.set(of, part);
    return part;
  }

  dispose(): void {
    this.#parts.dispose();
  }
}

/** Subscribes a listener until the result is disposed, like `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();

  /** Subscribes a listener. The same function subscribed twice is called twice. */
  readonly event: Event<T> = (listener) => {
    const subscription = { call: listener };
    this.#listeners.add(subscription);
    return { dispose: () => this.#listeners.delete(subscription) };
  };

  /** Calls the current listeners in the order of subscription. @throws the first error, after all were called */
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
