import { randomBytes } from 'node:crypto';

/** An id such as `call_0123456789abcdef01234567`: a prefix and 24 hexadecimal digits. */
export function makeId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}
