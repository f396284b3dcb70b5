import type { Clock } from './clock.ts';
import { hasExpired, type KeyProfile } from './keys.ts';
import { problem } from './problems.ts';

/** The API keys that are valid now. */
export class KeyRing {
  /** Ms since the epoch: what the keys' own times count from. */
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

  /** From now on the key gets 401. */
  revoke(key: string): void {
    this.#profiles.delete(key);
  }

  /** Changes what a key plays. @throws Error when there is no such key */
  change(key: string, changes: Partial<Omit<KeyProfile, 'key'>>): void {
    const profile = this.#profiles.get(key);
    if (profile === undefined) throw new Error('There is no such key to change.');
    this.add({ ...profile, ...changes });
  }

  /**
   * Who calls, by the `Authorization` header (RFC 9110: the scheme's name is case-insensitive).
   * @throws Problem 401
   */
  authenticate(authorization: string | undefined): KeyProfile {
    const key = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    const profile = key === undefined ? undefined : this.#profiles.get(key);
    if (profile === undefined || hasExpired(profile, this.startedAt, this.#clock.now())) {
      throw problem('unauthorized');
    }
    return profile;
  }
}
