import { err, ok, type Result } from '../base/result.ts';

/** Fewest and most hosts of a secret. */
export const HOSTS_PER_SECRET = { min: 1, max: 100 } as const;
/** Most characters of a host as typed: 253 of a DNS name and its trailing dot. */
export const MAX_HOST_CHARACTERS = 254;

const MAX_DNS_NAME_CHARACTERS = 253;
const MAX_LABEL_CHARACTERS = 63;

/** What is wrong with one host, most telling first. */
export type HostProblemKind =
  | 'empty'
  | 'scheme'
  | 'user-info'
  | 'path'
  | 'wildcard'
  | 'port'
  /** An IPv6 address, whose colons no host may have. */
  | 'ipv6'
  | 'too-long'
  /** A part between dots is empty, too long, or holds what a DNS name cannot. */
  | 'label';

/** What is wrong with the hosts of a secret. */
export type HostsProblem =
  | { readonly kind: HostProblemKind; readonly host: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-many'; readonly count: number; readonly max: number };

/** Splits hosts typed in one box, separated by commas or white space. */
export function splitHosts(text: string): string[] {
  return text.split(/[\s,]+/u).filter((host) => host !== '');
}

/**
 * Checks the hosts of a secret and normalises them as the service does: lowercase, without a trailing dot, duplicates
 * collapsed; names beyond ASCII in their ASCII form. (PUT /vault/secrets/{name}, "Rules for hosts".)
 */
export function checkHosts(hosts: readonly string[]): Result<readonly string[], HostsProblem> {
  const normalised = new Set<string>();
  for (const host of hosts) {
    const checked = normalizeHost(host);
    if (!checked.ok) return err({ kind: checked.error, host });
    normalised.add(checked.value);
  }
  if (normalised.size < HOSTS_PER_SECRET.min) return err({ kind: 'none' });
  if (normalised.size > HOSTS_PER_SECRET.max) {
    return err({ kind: 'too-many', count: normalised.size, max: HOSTS_PER_SECRET.max });
  }
  return ok([...normalised]);
}

/** Checks one host and normalises it, see {@link checkHosts}. */
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
 * Why a service may refuse a normalised host that the interface does not forbid; null where nothing speaks against it.
 *
 * A name whose last label is a number is read as an IPv4 address everywhere, "1.2" and "0x7f" included.
 */
export function unusualPart(host: string): 'ipv4' | 'underscore' | null {
  if (/(^|\.)(\d+|0x[\da-f]*)$/.test(host)) return 'ipv4';
  return host.includes('_') ? 'underscore' : null;
}

/** What of a URL is there that is no part of a host name. */
function findForeignPart(host: string): HostProblemKind | null {
  if (host === '' || host === '.') return 'empty';
  if (host.includes('://')) return 'scheme';
  if (host.includes('@')) return 'user-info';
  if (/[/\\?#]/.test(host)) return 'path';
  if (host.includes('*')) return 'wildcard';
  if (host.startsWith('[') || (host.match(/:/g) ?? []).length > 1) return 'ipv6';
  if (host.includes(':')) return 'port';
  return null;
}

/** The ASCII form of a name, null where it has none. The URL parser is the platform's own implementation of IDNA. */
function toAscii(host: string): string | null {
  const lower = host.toLowerCase();
  if (/^[a-z0-9_.-]*$/.test(lower)) return lower;
  if (/[\s%\p{Cc}]/u.test(host)) return null;
  try {
    return new URL(`https://${host}`).hostname;
  } catch {
    return null;
  }
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARACTERS && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label);
}
