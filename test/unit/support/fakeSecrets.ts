import { Emitter } from '../../../src/base/disposable.ts';
import type { SecretStore } from '../../../src/features/accounts/keyStore.ts';

/** VS Code's secret storage. Windows with the same `values` share a keyring. */
export class FakeSecrets implements SecretStore {
  readonly values: Map<string, string>;
  readonly #changed = new Emitter<{ readonly key: string }>();

  readonly onDidChange = this.#changed.event;

  constructor(values = new Map<string, string>()) {
    this.values = values;
  }

  get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(name));
  }

  store(name: string, value: string): Promise<void> {
    this.values.set(name, value);
    this.#changed.fire({ key: name });
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.values.delete(name);
    this.#changed.fire({ key: name });
    return Promise.resolve();
  }

  /** Simulates a change by another window. */
  tell(name: string): void {
    this.#changed.fire({ key: name });
  }
}
