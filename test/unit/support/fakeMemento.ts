import type { Memento } from 'vscode';

/** A memento in memory. */
export class FakeMemento implements Memento {
  readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, otherwise?: T): T | undefined {
    return (this.values.get(key) as T | undefined) ?? otherwise;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    return Promise.resolve();
  }
}
