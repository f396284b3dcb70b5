import { createHash } from 'node:crypto';
import { parseKey, parseServiceUrl, type ServiceUrl } from '../../api/index.ts';
import type { SecretStore } from './keyStore.ts';

/** Variables that sign in if no key is stored. Both must be set. */
export const ENVIRONMENT_VARIABLES = {
  root: 'INTERNS_BASE_URL',
  key: 'INTERNS_API_KEY',
} as const;

export interface EnvironmentSession {
  readonly root: ServiceUrl;
  readonly key: string;
}

type Environment =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly variable: string }
  | { readonly kind: 'session'; readonly session: EnvironmentSession };

/** Reads the variables. `unusable` names a malformed one. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): Environment {
  const rootText = variables[ENVIRONMENT_VARIABLES.root] ?? '';
  const keyText = variables[ENVIRONMENT_VARIABLES.key] ?? '';
  if (rootText.trim() === '' || keyText.trim() === '') return { kind: 'none' };
  const root = parseServiceUrl(rootText);
  if (!root.ok) return { kind: 'unusable', variable: ENVIRONMENT_VARIABLES.root };
  const key = parseKey(keyText);
  if (!key.ok) return { kind: 'unusable', variable: ENVIRONMENT_VARIABLES.key };
  return { kind: 'session', session: { root: root.value, key: key.value } };
}

const REMEMBERED_KEY = 'environment';

/** Remembers the account of the environment's key by a hash, so that the next window needs no request. */
export async function rememberEnvironment(
  store: SecretStore,
  session: EnvironmentSession,
  account: string,
): Promise<void> {
  try {
    await store.store(REMEMBERED_KEY, `${environmentFingerprint(session)}/${account}`);
  } catch {
    // The next window asks the service.
  }
}

/** Returns the account of this URL and key, if they are known. */
export async function recallEnvironment(
  store: SecretStore,
  session: EnvironmentSession,
): Promise<string | undefined> {
  try {
    const [fingerprint, account] = (await store.get(REMEMBERED_KEY))?.split('/') ?? [];
    return fingerprint === environmentFingerprint(session) ? account : undefined;
  } catch {
    return undefined;
  }
}

function environmentFingerprint({ root, key }: EnvironmentSession): string {
  return createHash('sha256')
    .update(JSON.stringify([root, key]))
    .digest('hex');
}
