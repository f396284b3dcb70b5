import { join } from 'node:path';
import * as v from 'valibot';
import type { Account } from '../accounts/account.ts';
import type { HostParts } from '../parts.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { emptyValues, type CreateValues } from './createValues.ts';

const schema: v.GenericSchema<unknown, CreateValues> = v.pipe(
  v.object({
    name: v.string(),
    description: v.string(),
    source: v.optional(v.picklist(['none', 'editor', 'file', 'intern-file'])),
    instructions: v.string(),
    provision: v.optional(v.boolean()),
  }),
  v.transform((values) => ({ ...emptyValues, ...values })),
);

/** The one record of a folder. */
const id = 'values';

type Ports = Pick<HostParts, 'workspace' | 'watch' | 'reportUnreadable'>;

/** What was entered in a create dialog that was left, by account: the next one goes on from there. */
export class KeptValues {
  readonly #ports: Ports;
  readonly #folders = new WeakMap<Account['store'], JsonFolder<CreateValues>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get(account: Account): CreateValues {
    return this.#folder(account).getNow(id) ?? emptyValues;
  }

  /** Forgets what an intern came of meanwhile, by its name; what was begun since then is kept. */
  async created(account: Account, name: string | null): Promise<void> {
    if (this.get(account).name === name) await this.set(account, emptyValues);
  }

  async set(account: Account, values: CreateValues): Promise<void> {
    const folder = this.#folder(account);
    if (values === emptyValues) await folder.remove(id);
    else await folder.put(values);
  }

  #folder({ store }: Account): JsonFolder<CreateValues> {
    const { workspace, watch, reportUnreadable } = this.#ports;
    const known = this.#folders.get(store);
    const path = join(store.draftsDir, workspace, 'create');
    const folder =
      known ?? new JsonFolder({ folder: path, schema, idOf: () => id, watch, reportUnreadable });
    this.#folders.set(store, folder);
    return folder;
  }
}
