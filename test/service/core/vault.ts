import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Random } from './random.ts';

/** What the vault route tells about a secret (interface: Secret metadata). */
export interface SecretMetadata {
  name: string;
  hosts: string[] | null;
  fingerprint: string | null;
  created_at: string;
}

interface Sealed {
  iv: Uint8Array;
  tag: Uint8Array;
  ciphertext: Uint8Array;
}

interface StoredSecret {
  metadata: SecretMetadata;
  sealed: Sealed;
}

const CIPHER = 'aes-256-gcm';

/** The secrets of one workspace or one intern: sealed under the vault's own keys, their values never given to a caller. */
export class Vault {
  readonly id: string;
  readonly #random: Random;
  readonly #dataKey: Uint8Array;
  readonly #sealingKey: Uint8Array;
  readonly #secrets = new Map<string, StoredSecret>();

  constructor(id: string, random: Random) {
    this.id = id;
    this.#random = random;
    this.#dataKey = random(32);
    this.#sealingKey = random(32);
  }

  /** Creates or replaces a secret. The first storing dates it: that replacing keeps `created_at` is this service's choice. */
  put(name: string, value: string, hosts: readonly string[], now: number): SecretMetadata {
    const metadata: SecretMetadata = {
      name,
      hosts: [...hosts],
      fingerprint: this.#fingerprint(value),
      created_at: this.#secrets.get(name)?.metadata.created_at ?? new Date(now).toISOString(),
    };
    this.#secrets.set(name, { metadata, sealed: this.#seal(value) });
    return metadata;
  }

  /** A row from before host binding was required: no hosts, no fingerprint, released nowhere. */
  putLegacy(name: string, value: string, now: number): void {
    const metadata = {
      name,
      hosts: null,
      fingerprint: null,
      created_at: new Date(now).toISOString(),
    };
    this.#secrets.set(name, { metadata, sealed: this.#seal(value) });
  }

  list(): SecretMetadata[] {
    return [...this.#secrets.values()].map(({ metadata }) => metadata);
  }

  /** The value for a request that an intern sends to `hostname`: only where exactly that name was bound. */
  release(name: string, hostname: string): string | undefined {
    const secret = this.#secrets.get(name);
    if (secret?.metadata.hosts?.includes(hostname) !== true) return undefined;
    return this.#open(secret.sealed);
  }

  #fingerprint(value: string): string {
    return `sha256:${createHmac('sha256', this.#dataKey).update(value, 'utf8').digest('hex')}`;
  }

  #seal(value: string): Sealed {
    const iv = this.#random(12);
    const cipher = createCipheriv(CIPHER, this.#sealingKey, iv);
    const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return { iv, tag: cipher.getAuthTag(), ciphertext };
  }

  #open({ iv, tag, ciphertext }: Sealed): string {
    const decipher = createDecipheriv(CIPHER, this.#sealingKey, iv).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }
}
