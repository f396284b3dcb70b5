import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Intern, InternRegistry } from './interns.ts';
import type { KeyProfile } from './keys.ts';
import { problem } from './problems.ts';
import { makeId } from './random.ts';

/** What the vault route tells about a secret (interface: Secret metadata). */
export interface SecretMetadata {
  name: string;
  hosts: string[] | null;
  fingerprint: string | null;
  created_at: string;
}

/** The secrets of one workspace or one intern: what is told of them, since nobody here needs their values. */
export class Vault {
  readonly id: string;
  readonly #dataKey = randomBytes(32);
  readonly #secrets = new Map<string, SecretMetadata>();

  constructor(id: string) {
    this.id = id;
  }

  /** Creates or replaces a secret. The first storing dates it: that replacing keeps `created_at` is this service's choice. */
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

  /** A row from before host binding was required: no hosts, no fingerprint, released nowhere. */
  putLegacy(name: string, now: number): void {
    const created = new Date(now).toISOString();
    this.#secrets.set(name, { name, hosts: null, fingerprint: null, created_at: created });
  }

  list(): SecretMetadata[] {
    return [...this.#secrets.values()];
  }

  /** Whether a request that an intern sends to `hostname` gets the value: only where exactly that name was bound. */
  releases(name: string, hostname: string): boolean {
    return this.#secrets.get(name)?.hosts?.includes(hostname) === true;
  }
}

/** Which vault is whose: one a workspace, made when it is first used, and the private ones of the interns. */
export class Vaults {
  readonly #clock: Clock;
  readonly #interns: InternRegistry;
  readonly #workspaces = new Map<string, Vault>();

  constructor(clock: Clock, interns: InternRegistry) {
    this.#clock = clock;
    this.#interns = interns;
  }

  /** The vault that the key decides on. @throws Problem 404 when it is bound to an intern that has none */
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

  /** Whether an intern's request to `hostname` could carry the secret, out of its own vault or its workspace's. */
  wouldRelease(intern: Intern, name: string, hostname: string): boolean {
    const vaults = [this.#interns.vaultOf(intern.id), this.ofWorkspace(intern.workspace_id)];
    return vaults.some((vault) => vault?.releases(name, hostname) === true);
  }
}
