import { createHmac, randomBytes } from 'node:crypto';

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
