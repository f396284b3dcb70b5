import type { Memento } from 'vscode';
import * as v from 'valibot';
import { emptyValues, type CreateValues } from './createValues.ts';

const stored = v.object({
  name: v.string(),
  description: v.string(),
  source: v.optional(v.picklist(['none', 'editor', 'file'])),
  instructions: v.string(),
  provision: v.optional(v.boolean()),
});

/** What was entered in a create dialog that was left, by account: the next one goes on from there. */
export class KeptValues {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  get(accountId: string): CreateValues {
    const kept = v.safeParse(stored, this.#state.get(keyOf(accountId)));
    return kept.success ? { ...emptyValues, ...kept.output } : emptyValues;
  }

  /** Forgets what an intern came of meanwhile, by its name; what was begun since then is kept. */
  async created(accountId: string, name: string | null): Promise<void> {
    if (this.get(accountId).name === name) await this.set(accountId, emptyValues);
  }

  async set(accountId: string, values: CreateValues): Promise<void> {
    await this.#state.update(keyOf(accountId), values === emptyValues ? undefined : values);
  }
}

function keyOf(accountId: string): string {
  return `create:${accountId}`;
}
