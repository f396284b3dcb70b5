import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Intern, InternRegistry } from './interns.ts';
import type { KeyProfile } from './keys.ts';
import { problem } from './problems.ts';
import { makeId } from './random.ts';

/** The metadata of a secret (interface: Secret metadata). */
export interface SecretMetadata {
  name: string;
  hosts: string[] | null;
  fingerprint: string | null;
  created_at: string;
}

/** The secrets of a workspace or an intern. Only their metadata is kept: no test needs the values. */
export class Vault {
  readonly id: string;
  readonly #dataKey = randomBytes(32);
  readonly #secrets = new Map<string, SecretMetadata>();

  constructor(id: string) {
    this.id = id;
  }

  /** Creates or replaces a secret. Replacing keeps `created_at`, which is this service's choice. */
  put(name: string, value: string, hosts: readonly string[], now: number): SecretMetadata {
    const metadata: SecretMetadata = {
      name,
      hosts: [...hosts],
      fingerprint: `sha256:${createHmac('sha256', this.#dataKey).update(value).digest('hex')}`,
      created_at: this.#secrets.get(name)?.created_at ?? new Date(now).toISOString(),
    };
    this.#secrets.set(name, metadata);
    return metadata;
  }

  /** Adds a secret from before hosts were required: it has no hosts and no fingerprint, and is never released. */
  putLegacy(name: string, now: number): void {
    const created = new Date(now).toISOString();
    this.#secrets.set(name, { name, hosts: null, fingerprint: null, created_at: created });
  }

  list(): SecretMetadata[] {
    return [...this.#secrets.values()];
  }

  /** Returns whether an intern's request to `hostname` may carry the value. */
  releases(name: string, hostname: string): boolean {
    return this.#secrets.get(name)?.hosts?.includes(hostname) === true;
  }
}

/** The vaults of workspaces, made when first used, and of interns. */
export class Vaults {
  readonly #clock: Clock;
  readonly #interns: InternRegistry;
  readonly #workspaces = new Map<string, Vault>();

  constructor(clock: Clock, interns: InternRegistry) {
    this.#clock = clock;
    this.#interns = interns;
  }

  /** Returns the vault for a key. @throws Problem 404 if it is bound to an intern without a vault */
  of({ vaultOfIntern, workspaceId }: KeyProfile): Vault {
    if (vaultOfIntern === null) return this.ofWorkspace(workspaceId);
    const vault = this.#interns.vaultOf(vaultOfIntern);
    if (vault === undefined) throw problem('hidden');
    return vault;
  }

  ofWorkspace(workspaceId: string): Vault {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const vault = new Vault(makeId('vault_'));
    vault.putLegacy('legacy_token', this.#clock.now());
    this.#workspaces.set(workspaceId, vault);
    return vault;
  }

  /** Returns whether a vault of the intern or its workspace releases the secret to `hostname`. */
  wouldRelease(intern: Intern, name: string, hostname: string): boolean {
    const vaults = [this.#interns.vaultOf(intern.id), this.ofWorkspace(intern.workspace_id)];
    return vaults.some((vault) => vault?.releases(name, hostname) === true);
  }
}
