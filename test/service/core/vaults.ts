import type { Clock } from './clock.ts';
import type { Intern, InternRegistry } from './interns.ts';
import type { KeyProfile } from './keys.ts';
import { problem } from './problems.ts';
import { makeId } from './random.ts';
import { seedVault } from './seeds.ts';
import { Vault } from './vault.ts';

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
    seedVault(vault, this.#clock.now());
    this.#workspaces.set(workspaceId, vault);
    return vault;
  }

  /** Whether an intern's request to `hostname` could carry the secret, out of its own vault or its workspace's. */
  wouldRelease(intern: Intern, name: string, hostname: string): boolean {
    const vaults = [this.#interns.vaultOf(intern.id), this.ofWorkspace(intern.workspace_id)];
    return vaults.some((vault) => vault?.releases(name, hostname) === true);
  }
}
