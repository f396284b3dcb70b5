import { createHash } from 'node:crypto';
import { STATUS } from './choices.ts';
import type { Clock, Timer } from './clock.ts';
import type { CreateRequest } from './requests.ts';
import { unlistedProblem } from './problems.ts';
import { makeId } from './random.ts';
import { Vault } from './vault.ts';

export const INTERN_STATUSES = [
  'awaiting_slack_install',
  'queued',
  'provisioning',
  'running',
  'failed',
  'stopped',
  'destroying',
  'destroy_failed',
] as const;

export type InternStatus = (typeof INTERN_STATUSES)[number];

/** Interface: Intern. */
export interface Intern {
  readonly id: string;
  readonly name: string;
  description: string | null;
  instructions: string | null;
  model: string | null;
  status: InternStatus;
  hostname: string | null;
  progress: { step: string; completed: number; total: number } | null;
  last_failure_message: string | null;
  vault_id: string | null;
  attached_vault_id: string | null;
  readonly workspace_id: string;
  readonly created_at: string;
  updated_at: string;
}

/** The user and workspace that a create acts for. */
export interface Creator {
  creatorUserId: string;
  workspaceId: string;
}

export interface CreateCall {
  request: CreateRequest;
  body: Uint8Array;
  idempotencyKey: string | undefined;
}

/**
 * Thrown when the simulated network cuts a create: before the vault is made, so that a retry resumes it, or after
 * everything is done.
 */
export class CreateCutOff extends Error {
  override readonly name = 'CreateCutOff';
}

interface Operation {
  bodyDigest: string;
  intern: Intern;
  request: CreateRequest;
  isComplete: boolean;
}

/** The course of an intern's provisioning. */
interface Fate {
  settlesIn: InternStatus;
  failure: string | null;
  /** A factor of the usual duration. */
  slowness: number;
  /** When the network cuts the first create: before it is complete, or before its response. */
  cutsCreate: 'halfway' | 'at its end' | undefined;
}

const USUAL: Fate = { settlesIn: 'running', failure: null, slowness: 1, cutsCreate: undefined };

/** Prefixes of names that simulate other fates. */
const FATES: Readonly<Record<string, Fate>> = {
  'fail-': {
    ...USUAL,
    settlesIn: 'failed',
    failure: 'The machine image could not be started: no capacity in the region.',
  },
  'slow-': { ...USUAL, slowness: 10 },
  'cut-': { ...USUAL, cutsCreate: 'halfway' },
  'lost-': { ...USUAL, cutsCreate: 'at its end' },
  'queued-': { ...USUAL, settlesIn: 'queued' },
  'stuck-': { ...USUAL, settlesIn: 'provisioning' },
  'slack-': { ...USUAL, settlesIn: 'awaiting_slack_install' },
  'stopped-': { ...USUAL, settlesIn: 'stopped' },
  'destroying-': { ...USUAL, settlesIn: 'destroying' },
  'undead-': { ...USUAL, settlesIn: 'destroy_failed' },
};

/** The interns of all workspaces, their private vaults and their provisioning. */
export class InternRegistry {
  readonly #clock: Clock;
  readonly #provisioningMs: number;
  readonly #interns = new Map<string, Intern>();
  readonly #vaults = new Map<string, Vault>();
  readonly #operations = new Map<string, Operation>();
  readonly #names = new Set<string>();
  readonly #timers = new Set<Timer>();

  /** @param provisioningMs from create until the intern runs */
  constructor(clock: Clock, provisioningMs: number) {
    this.#clock = clock;
    this.#provisioningMs = provisioningMs;
  }

  list(): Intern[] {
    return [...this.#interns.values()];
  }

  /** Returns the intern if the workspace owns it. */
  find(id: string, workspaceId: string): Intern | undefined {
    const intern = this.#interns.get(id);
    return intern?.workspace_id === workspaceId ? intern : undefined;
  }

  vaultOf(internId: string): Vault | undefined {
    return this.#vaults.get(internId);
  }

  /** Adds an intern at the start of the service. */
  seed(id: string, creator: Creator, fields: Partial<Intern> & { name: string }): Intern {
    const intern = { ...this.#blank(id, creator, fields.name), ...fields };
    this.#names.add(keyOf(creator, intern.name));
    this.#interns.set(id, intern);
    this.#makeVault(intern);
    return intern;
  }

  /**
   * Creates an intern, resumes an unfinished create, or replays a finished one (interface: POST /interns, Rules).
   * @throws Problem if the name is taken, or the idempotency key was used with another body
   * @throws CreateCutOff once, for names that simulate it
   */
  create(creator: Creator, { request, body, idempotencyKey }: CreateCall) {
    const bodyDigest = createHash('sha256').update(body).digest('hex');
    const key = keyOf(creator, idempotencyKey ?? `body:${bodyDigest}`);
    const known = this.#operations.get(key);
    if (known !== undefined) {
      if (known.bodyDigest !== bodyDigest) {
        const message = 'This idempotency key was used with another body.';
        throw unlistedProblem(STATUS.idempotencyMismatch, message);
      }
      const replayed = known.isComplete;
      if (!replayed) this.#complete(known);
      return { intern: known.intern, replayed };
    }
    const operation = this.#begin(creator, request, bodyDigest);
    this.#operations.set(key, operation);
    const { cutsCreate } = fateOf(request.name);
    if (cutsCreate === 'halfway') throw new CreateCutOff();
    this.#complete(operation);
    if (cutsCreate === 'at its end') throw new CreateCutOff();
    return { intern: operation.intern, replayed: false };
  }

  setStatus(intern: Intern, changes: Partial<Intern>): void {
    Object.assign(intern, changes, { updated_at: this.#timestamp() });
  }

  dispose(): void {
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
  }

  #begin(creator: Creator, request: CreateRequest, bodyDigest: string): Operation {
    const taken = keyOf(creator, request.name);
    if (this.#names.has(taken)) {
      const message = `You already have an intern named ${request.name} in this workspace.`;
      throw unlistedProblem(STATUS.duplicateName, message);
    }
    this.#names.add(taken);
    const intern = this.#blank(makeId('intern_'), creator, request.name);
    intern.description = request.description;
    intern.instructions = request.instructions;
    this.#interns.set(intern.id, intern);
    return { bodyDigest, intern, request, isComplete: false };
  }

  #complete(operation: Operation): void {
    this.#makeVault(operation.intern);
    if (operation.request.provision) this.#provision(operation.intern);
    operation.isComplete = true;
  }

  #blank(id: string, { workspaceId }: Creator, name: string): Intern {
    const now = this.#timestamp();
    return {
      id,
      name,
      description: null,
      instructions: null,
      model: null,
      status: 'stopped',
      hostname: null,
      progress: null,
      last_failure_message: null,
      vault_id: null,
      attached_vault_id: null,
      workspace_id: workspaceId,
      created_at: now,
      updated_at: now,
    };
  }

  #makeVault(intern: Intern): void {
    const vault = new Vault(makeId('vault_'));
    this.#vaults.set(intern.id, vault);
    intern.vault_id = vault.id;
  }

  /** Sets `queued`, then `provisioning`, then the final status for the intern's name, which is usually `running`. */
  #provision(intern: Intern): void {
    const fate = fateOf(intern.name);
    this.setStatus(intern, { status: 'queued' });
    if (fate.settlesIn === 'queued') return;
    this.#later(this.#provisioningMs / 4, () => {
      const progress = { step: 'Starting the machine', completed: 1, total: 3 };
      this.setStatus(intern, { status: 'provisioning', progress });
    });
    if (fate.settlesIn === 'provisioning') return;
    this.#later(this.#provisioningMs * fate.slowness, () => this.#settle(intern, fate));
  }

  #settle(intern: Intern, { settlesIn, failure }: Fate): void {
    const hostname = settlesIn === 'running' ? `${intern.name}.interns.test` : null;
    const changes = { status: settlesIn, hostname, progress: null, last_failure_message: failure };
    this.setStatus(intern, changes);
  }

  #later(ms: number, run: () => void): void {
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** Identifies a name or an idempotency key of a creator. */
function keyOf({ workspaceId, creatorUserId }: Creator, text: string): string {
  return JSON.stringify([workspaceId, creatorUserId, text]);
}

function fateOf(name: string): Fate {
  const played = Object.entries(FATES).find(([beginning]) => name.startsWith(beginning));
  return played?.[1] ?? USUAL;
}
