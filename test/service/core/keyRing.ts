import type { Clock } from './clock.ts';
import { hasExpired, type KeyProfile } from './keys.ts';
import { problem } from './problems.ts';

export class KeyRing {
  /** Ms since the epoch. The lifetimes of keys start here. */
  readonly startedAt: number;
  readonly #clock: Clock;
  readonly #profiles = new Map<string, KeyProfile>();

  constructor(clock: Clock, profiles: readonly KeyProfile[]) {
    this.#clock = clock;
    this.startedAt = clock.now();
    for (const profile of profiles) this.add(profile);
  }

  add(profile: KeyProfile): void {
    this.#profiles.set(profile.key, profile);
  }

  /** Makes the service respond with 401 to a key from now on. */
  revoke(key: string): void {
    this.#profiles.delete(key);
  }

  /** @throws Error if there is no such key */
  change(key: string, changes: Partial<Omit<KeyProfile, 'key'>>): void {
    const profile = this.#profiles.get(key);
    if (profile === undefined) throw new Error('There is no such key to change.');
    this.add({ ...profile, ...changes });
  }

  /**
   * Returns the profile for an `Authorization` header (RFC 9110: the scheme is case-insensitive).
   * @throws Problem 401
   */
  authenticate(authorization: string | undefined): KeyProfile {
    const key = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    const profile = key === undefined ? undefined : this.#profiles.get(key);
    if (profile === undefined || hasExpired(profile, this.startedAt, this.#clock.now()))
      throw problem('unauthorized');

    return profile;
  }
}
