import { createHash } from 'node:crypto';
import { l10n } from 'vscode';
import { parseKey, parseServiceUrl, type ServiceUrl } from '../../api/index.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
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

/** Reads the variables; undefined if they are not set. @throws UserError that names a malformed one */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): EnvironmentSession | undefined {
  const rootText = variables[ENVIRONMENT_VARIABLES.root] ?? '';
  const keyText = variables[ENVIRONMENT_VARIABLES.key] ?? '';
  if (rootText.trim() === '' || keyText.trim() === '') return undefined;
  const root = parseServiceUrl(rootText);
  if (!root.ok) throw unusable(ENVIRONMENT_VARIABLES.root);
  const key = parseKey(keyText);
  if (!key.ok) throw unusable(ENVIRONMENT_VARIABLES.key);
  return { root: root.value, key: key.value };
}

function unusable(variable: string): UserError {
  return new UserError(
    l10n.t(
      'Couldn’t sign in with the environment variable {0}. Correct it, or sign in manually.',
      variable,
    ),
    [{ label: l10n.t('Sign In'), command: 'interns.signIn' }],
  );
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
