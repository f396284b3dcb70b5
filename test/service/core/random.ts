import { createHash, randomBytes } from 'node:crypto';

/** Gives `size` random bytes. Ids and data keys are made of nothing else. */
export type Random = (size: number) => Uint8Array;

export const systemRandom: Random = (size) => randomBytes(size);

/** A repeatable stream of bytes (SHA-256 in counter mode), so that a test can name the ids that it will get. */
export function seededRandom(seed: string): Random {
  let counter = 0;
  return (size) => {
    const blocks: Uint8Array[] = [];
    for (let made = 0; made < size; made += 32) {
      blocks.push(createHash('sha256').update(`${seed}:${counter++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, size);
  };
}

/** An id such as `call_0123456789abcdef01234567`: a prefix and 24 hexadecimal digits. */
export function makeId(random: Random, prefix: string): string {
  return `${prefix}${Buffer.from(random(12)).toString('hex')}`;
}
