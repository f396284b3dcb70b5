import { l10n } from 'vscode';
import { readNetworkFailure, type ApiError } from '../../api/index.ts';
import { fetchError } from '../../platform/keeper/storedResponse.ts';
import type { ProbeResult } from '../../platform/keeper/keeperClient.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { formatDuration } from '../../platform/text/format.ts';
import type { FailureDetails } from '../../platform/text/failureMessages.ts';

/** A difference of clocks from which certificates and countdowns may be wrong, in ms. */
const MIN_CLOCK_DIFFERENCE_MS = 30_000;
const PROXY_AUTHENTICATION_REQUIRED = 407;

/** The results of the checks. Undefined for one that was not made. */
export interface ConnectionFacts {
  /** Why `GET /key` from this window failed; null if it didn't. */
  readonly window: ApiError | null | undefined;
  readonly keeper: ProbeResult | 'off' | 'unavailable' | undefined;
  readonly proxies: readonly { readonly source: string; readonly url: string }[];
  /** Hosts that are reached without a proxy; empty without any. */
  readonly bypass: string;
  /** How far this computer's clock is ahead of the service's. */
  readonly clockAheadMs: number | undefined;
  /** The system's code if the storage could not be written, or empty; null if it could. */
  readonly storage: string | null;
}

/** A line of the list. It holds no key and no proxy password. */
export interface Finding {
  readonly state: 'good' | 'problem' | 'unknown';
  readonly name: string;
  readonly value: string;
  /** Says what to do; empty if nothing. */
  readonly advice: string;
}

/** Describes the results of the checks, in the order of the list. */
export function connectionFindings(facts: ConnectionFacts): readonly Finding[] {
  const { window, keeper, clockAheadMs, storage } = facts;
  return [
    { name: l10n.t('Service, from this window'), ...windowFinding(window) },
    { name: l10n.t('Service, from the background process'), ...keeperFinding(keeper) },
    { name: l10n.t('Proxy'), ...proxyFinding(facts) },
    { name: l10n.t('Clock'), ...clockFinding(clockAheadMs) },
    { name: l10n.t('Storage'), ...storageFinding(storage) },
  ];
}

type Result = Omit<Finding, 'name'>;

const good = (value: string, advice = ''): Result => ({ state: 'good', value, advice });
const unknown = (value: string, advice = ''): Result => ({ state: 'unknown', value, advice });
const problem = (value: string, advice: string): Result => ({ state: 'problem', value, advice });

function windowFinding(failure: ConnectionFacts['window']): Result {
  if (failure === undefined) return problem(l10n.t('Not checked'), l10n.t('Sign in first.'));
  if (failure === null) return good(l10n.t('Reached. The API key is valid.'));
  return failure.status === PROXY_AUTHENTICATION_REQUIRED
    ? proxyProblem()
    : failureProblem(failure);
}

function keeperFinding(result: ConnectionFacts['keeper']): Result {
  if (result === undefined) return unknown(l10n.t('Not checked'));
  if (result === 'off')
    return unknown(
      l10n.t('Turned off'),
      l10n.t('Runs end with their window. Change {0} to let them continue.', 'interns.keepRuns'),
    );
  if (result === 'unavailable')
    return problem(
      l10n.t('The process can’t run here'),
      l10n.t('Runs end with their window. Reload the window to try again.'),
    );
  const { status, code } = result;
  if (status === PROXY_AUTHENTICATION_REQUIRED) return proxyProblem();
  // The window checks what a refusal means for the API key.
  if (status !== null) return good(l10n.t('Reached. The service responded with HTTP {0}.', status));
  const network = readNetworkFailure(fetchError(code ?? undefined));
  const failure = {
    route: 'key',
    status: null,
    reason: null,
    message: '',
    inStream: false,
  } as const;
  return failureProblem({ ...failure, ...network });
}

function failureProblem(failure: FailureDetails): Result {
  const { title, detail, serviceQuote } = explainFailure(failure);
  const code = failure.code ?? (failure.status ? `HTTP ${failure.status}` : '');
  return problem(
    code === '' ? title : `${title} (${code})`,
    [detail, serviceQuote].filter(Boolean).join(' '),
  );
}

function proxyProblem(): Result {
  return problem(
    l10n.t('The proxy requires a sign-in'),
    l10n.t('Add a user name and password to the proxy’s URL in the setting {0}.', 'http.proxy'),
  );
}

function proxyFinding({ proxies, bypass }: ConnectionFacts): Result {
  if (proxies.length === 0) return good(l10n.t('Not set in the settings or environment'));
  const shown = proxies.map(({ source, url }) => `${withoutCredentials(url)} (${source})`);
  return good(shown.join(', '), bypass && l10n.t('Not used for {0}.', bypass));
}

/** Replaces the user name and password of a proxy's URL. The password may have any characters. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1•••@');
}

function clockFinding(aheadMs: number | undefined): Result {
  if (aheadMs === undefined) return unknown(l10n.t('Not checked'));
  const difference = formatDuration(Math.abs(aheadMs));
  if (Math.abs(aheadMs) < MIN_CLOCK_DIFFERENCE_MS)
    return good(l10n.t('Within {0} of the service’s clock', difference));
  return problem(
    aheadMs > 0
      ? l10n.t('{0} ahead of the service’s clock', difference)
      : l10n.t('{0} behind the service’s clock', difference),
    l10n.t('Correct this computer’s clock. Secure connections and countdowns depend on it.'),
  );
}

function storageFinding(code: ConnectionFacts['storage']): Result {
  if (code === null) return good(l10n.t('Can be written'));
  const value = l10n.t('Can’t be written');
  return problem(
    code === '' ? value : `${value} (${code})`,
    code === 'ENOSPC' || code === 'EDQUOT'
      ? l10n.t('The disk is full. Free up space, or replies may be lost.')
      : l10n.t('Check the permissions of the extension’s storage folder, or replies may be lost.'),
  );
}
