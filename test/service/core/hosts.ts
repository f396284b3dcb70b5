import { asArray, InvalidBody, requiredString } from './fields.ts';

const MAX_HOSTS = 100;
/** 253 of a DNS name and a trailing dot. */
const MAX_HOST_CHARACTERS = 254;
const MAX_NAME_CHARACTERS = 253;
/** Includes underscores, which DNS names may have and the interface does not forbid. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Normalizes the hosts of a secret (interface: PUT /vault/secrets/{name}, rules for `hosts`): 1 to 100 exact DNS
 * hostnames, lowercase, without a trailing dot, without duplicates.
 * @throws InvalidBody that names the invalid entry and the rule.
 */
export function normalizeHosts(value: unknown): string[] {
  const entries = asArray(value, 'hosts');
  if (entries.length < 1 || entries.length > MAX_HOSTS)
    throw new InvalidBody(`hosts must have 1 to ${MAX_HOSTS} entries.`);

  const names = entries.map((entry, index) => {
    const what = `hosts[${index}]`;
    const text = requiredString(entry, what, { min: 1, max: MAX_HOST_CHARACTERS });
    const name = normalizeHost(text);
    const wrong = whatIsWrong(name);
    if (wrong !== undefined) throw new InvalidBody(`${what} ${wrong}`);
    return name;
  });
  return [...new Set(names)];
}

/** Lowercases ASCII letters and removes one trailing dot. */
function normalizeHost(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

function whatIsWrong(name: string): string | undefined {
  if (name === '') return 'must not be empty.';
  if (name.includes('://')) return 'must not have a scheme.';
  if (name.includes('*')) return 'must not have a wildcard.';
  if (/[/?#\\]/.test(name)) return 'must not have a path.';
  if (name.includes(':')) return 'must not have a port.';
  if (name.includes('@')) return 'must not have a user.';
  if (name.length > MAX_NAME_CHARACTERS)
    return `must have at most ${MAX_NAME_CHARACTERS} characters.`;
  if (!name.split('.').every((label) => LABEL.test(label))) return 'must be an exact DNS hostname.';
  return undefined;
}
