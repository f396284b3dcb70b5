import { Emitter } from '../../../src/base/disposable.ts';
import type { Collection } from '../../../src/platform/storage/jsonFolder.ts';

/** A collection in memory. */
export class MemoryCollection<T> implements Collection<T> {
  readonly #idOf: (record: T) => string;
  readonly #records = new Map<string, T>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(idOf: (record: T) => string) {
    this.#idOf = idOf;
  }

  list(): Promise<readonly T[]> {
    const sorted = [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1));
    return Promise.resolve(sorted.map(([, record]) => record));
  }

  get(id: string): Promise<T | undefined> {
    return Promise.resolve(this.#records.get(id));
  }

  async put(record: T): Promise<void> {
    await this.update(this.#idOf(record), () => record);
  }

  update(id: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined> {
    const next = change(this.#records.get(id));
    if (next !== undefined) {
      this.#records.set(id, next);
      this.#changed.fire();
    }
    return Promise.resolve(this.#records.get(id));
  }

  remove(id: string): Promise<boolean> {
    const existed = this.#records.delete(id);
    if (existed) this.#changed.fire();
    return Promise.resolve(existed);
  }
}
