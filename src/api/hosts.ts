import { err, ok, type Result } from '../base/result.ts';

const MAX_HOSTS = 100;
/** Maximum number of characters of a typed host: 253 of a DNS name, and a trailing dot. */
export const MAX_HOST_CHARACTERS = 254;

const MAX_DNS_NAME_CHARACTERS = 253;
const MAX_LABEL_CHARACTERS = 63;

export type HostProblemKind =
  | 'scheme'
  | 'user-info'
  | 'path'
  | 'wildcard'
  | 'port'
  /** An IPv6 address, whose colons no host may have. */
  | 'ipv6'
  | 'too-long'
  /** A part between dots is empty, too long, or has a character that a DNS name cannot have. */
  | 'label';

export type HostsProblem =
  | { readonly kind: HostProblemKind; readonly host: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-many'; readonly count: number; readonly max: number };

/** Splits hosts that are separated by commas or white space. */
export function splitHosts(text: string): string[] {
  return text.split(/[\s,]+/u).filter((host) => host !== '');
}

/**
 * Checks the hosts of a secret and normalizes them as the service does: lowercase, in ASCII form, without a trailing dot
 * and without duplicates (interface: PUT /vault/secrets/{name}, "Rules for `hosts`").
 */
export function checkHosts(hosts: readonly string[]): Result<readonly string[], HostsProblem> {
  const normalized = new Set<string>();
  for (const host of hosts) {
    const checked = normalizeHost(host);
    if (!checked.ok) return err({ kind: checked.error, host });
    normalized.add(checked.value);
  }
  const count = normalized.size;
  if (count === 0) return err({ kind: 'none' });
  if (count > MAX_HOSTS) return err({ kind: 'too-many', count, max: MAX_HOSTS });
  return ok([...normalized]);
}

export function normalizeHost(host: string): Result<string, HostProblemKind> {
  const misplaced = findForeignPart(host);
  if (misplaced !== null) return err(misplaced);
  if (host.length > MAX_HOST_CHARACTERS) return err('too-long');
  const ascii = toAscii(host);
  if (ascii === null) return err('label');
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  if (name.length > MAX_DNS_NAME_CHARACTERS) return err('too-long');
  return name.split('.').every(isLabel) ? ok(name) : err('label');
}

/**
 * Returns why a service may refuse a normalized host that the API allows; null if there is no reason.
 *
 * A name whose last label is a number counts as an IPv4 address, "1.2" and "0x7f" included.
 */
export function unusualHostPart(host: string): 'ipv4' | 'underscore' | null {
  if (/(^|\.)(\d+|0x[\da-f]*)$/.test(host)) return 'ipv4';
  return host.includes('_') ? 'underscore' : null;
}

function findForeignPart(host: string): HostProblemKind | null {
  if (host.includes('://')) return 'scheme';
  if (host.includes('@')) return 'user-info';
  if (/[/\\?#]/.test(host)) return 'path';
  if (host.includes('*')) return 'wildcard';
  if (host.startsWith('[') || (host.match(/:/g) ?? []).length > 1) return 'ipv6';
  if (host.includes(':')) return 'port';
  return null;
}

/** Returns the ASCII form of a name (IDNA) from the URL parser; null if it has none. */
function toAscii(host: string): string | null {
  const lower = host.toLowerCase();
  if (/^[a-z0-9_.-]*$/.test(lower)) return lower;
  if (/[\s%\p{Cc}]/u.test(host)) return null;
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : null;
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARACTERS && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label);
}
