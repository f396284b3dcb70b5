/** Something that holds a resource until it is told to let go. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function as a {@link Disposable}; it runs once however often it is disposed. */
export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose: () => {
      if (released) return;
      released = true;
      release();
    },
  };
}

/**
 * Holds disposables and disposes them together, the latest first.
 *
 * What is added after the store was disposed is disposed at once, so nothing that arrives late leaks.
 */
export class DisposableStore implements Disposable {
  #members: Disposable[] = [];
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Takes ownership of a disposable and hands it back. */
  add<T extends Disposable>(member: T): T {
    if (this.#disposed) member.dispose();
    else this.#members.push(member);
    return member;
  }

  /**
   * Disposes every member, the latest first.
   *
   * @throws The error of the first member that failed, after all of them were disposed.
   */
  dispose(): void {
    this.#disposed = true;
    const members = this.#members.reverse();
    this.#members = [];
    const failures: unknown[] = [];
    for (const member of members) {
      try {
        member.dispose();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Something made of parts that are disposed of with it, the latest first. */
export abstract class DisposableBase implements Disposable {
  readonly #parts = new DisposableStore();

  protected get isDisposed(): boolean {
    return this.#parts.isDisposed;
  }

  /** Takes ownership of a part and hands it back. */
  protected own<T extends Disposable>(part: T): T {
    return this.#parts.add(part);
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
