import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { commands, l10n } from 'vscode';
import { ApiError, globalFetch, readNetworkFailure, type FetchLike } from '../../api/index.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import { copyToClipboard, withProgress } from '../../platform/dialogs/statusMessage.ts';
import type { StreamKeeperClient } from '../../platform/keeper/keeperClient.ts';
import { fetchError } from '../../platform/keeper/storedResponse.ts';
import type { Redactor } from '../../platform/log/redactor.ts';
import type { Settings } from '../../platform/settings.ts';
import { errorCode, removeFile, replaceText } from '../../platform/storage/files.ts';
import { ACTION_COMMANDS, actionLabel, explainFailure } from '../../platform/text/failures.ts';
import {
  formatDuration,
  formatFacts,
  formatNumber,
  formatSentences,
} from '../../platform/text/format.ts';
import type { Account, AccountServices } from '../accounts/account.ts';

export interface ConnectionPorts extends Pick<AccountServices, 'accounts' | 'clock' | 'dialogs'> {
  readonly keeper: Pick<StreamKeeperClient, 'probe'>;
  readonly settings: Pick<Settings, 'proxy'>;
  readonly redactor: Pick<Redactor, 'redact'>;
  /** The environment of the extension host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the extension's storage. */
  readonly folder: string;
  /** Sends a request from this window. */
  readonly fetch?: FetchLike;
}

/** The Date header has whole seconds, so the service's clock is half a second ahead of it on average. */
const DATE_HEADER_OFFSET_MS = 500;

/** A difference of clocks from which certificates and countdowns may be wrong, in ms. */
const MIN_CLOCK_DIFFERENCE_MS = 30_000;
const PROXY_AUTHENTICATION_REQUIRED = 407;

/** A line of the list. It holds no key and no proxy password. */
interface Finding {
  readonly state: 'good' | 'problem' | 'unknown';
  readonly name: string;
  readonly value: string;
  /** Says what to do; empty if nothing. */
  readonly advice: string;
}

type Result = Omit<Finding, 'name'>;

const good = (value: string, advice = ''): Result => ({ state: 'good', value, advice });
const unknown = (value: string, advice = ''): Result => ({ state: 'unknown', value, advice });
const problem = (value: string, advice: string): Result => ({ state: 'problem', value, advice });

const ICONS = { good: 'pass', problem: 'error', unknown: 'circle-slash' } as const;

/** Checks everything that a run needs, and shows the results with what to do. */
export async function checkConnection(ports: ConnectionPorts): Promise<void> {
  for (;;) {
    const checked = await checkWithProgress(ports);
    if (checked === undefined) return;
    const { account, findings } = checked;
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const picked = await ports.dialogs.pick<CommandId>({
      title: l10n.t('Check Connection'),
      placeholder:
        problems === 0
          ? l10n.t('No problems found')
          : l10n.t('Problems found: {0}', formatNumber(problems)),
      rows: [...findings.map(findingRow), { separator: '' }, ...actionRows(ports, checked)],
    });
    if (picked.kind !== 'value') return;
    if (picked.value !== 'interns.checkConnection') {
      await commands.executeCommand(picked.value, { account });
      return;
    }
  }
}

function findingRow({ state, name, value, advice }: Finding): PickRow<CommandId> {
  return { note: name, description: value, ...(advice && { detail: advice }), icon: ICONS[state] };
}

function actionRows(
  { redactor }: ConnectionPorts,
  { findings, failure }: Awaited<ReturnType<typeof check>>,
): readonly PickRow<CommandId>[] {
  const whenSignedOut = ['signIn'] as const;
  const whenSignedIn = failure ? explainFailure(failure).actions : [];
  const actions = failure === undefined ? whenSignedOut : whenSignedIn;
  const commandRows = actions.flatMap((action) => {
    const value = ACTION_COMMANDS[action];
    return value === undefined || action === 'openLog' ? [] : { label: actionLabel(action), value };
  });
  return [
    {
      label: l10n.t('Copy'),
      icon: 'copy',
      run: () => copyToClipboard(redactor.redact(toText(findings))),
    },
    ...commandRows,
    { label: l10n.t('Check Again'), icon: 'refresh', value: 'interns.checkConnection' },
    { label: l10n.t('Show Log'), icon: 'output', value: 'interns.showLog' },
  ];
}

function toText(findings: readonly Finding[]): string {
  const lines = findings.map(({ name, value, advice }) =>
    [`- ${name}: ${value}`, advice].filter(Boolean).join('\n  '),
  );
  return `${lines.join('\n')}\n`;
}

/** Returns undefined if the user cancels. */
function checkWithProgress(ports: ConnectionPorts) {
  return withProgress(l10n.t('Checking the connection'), (signal) => {
    const canceled = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined));
    });
    return Promise.race([check(ports, signal), canceled]);
  });
}

async function check(ports: ConnectionPorts, signal: AbortSignal) {
  const { active } = ports.accounts;
  const [service, storage] = await Promise.all([
    active && askService(ports, active, signal),
    storageFinding(ports.folder),
  ]);
  const findings: readonly Finding[] = [
    { name: l10n.t('Service, from this window'), ...windowFinding(service?.failure) },
    { name: l10n.t('Service, from the background process'), ...keeperFinding(service?.keeper) },
    { name: l10n.t('Proxy'), ...proxyFinding(ports) },
    { name: l10n.t('Clock'), ...clockFinding(service?.clockAheadMs) },
    { name: l10n.t('Storage'), ...storage },
  ];
  return { account: active?.id, findings, failure: service?.failure };
}

/**
 * Sends `GET /key` once from the window, and once from the stream keeper. Returns why the window's request failed
 * (null if it didn't), the keeper's result, and by how many ms the clock of this computer is ahead of the service's.
 */
async function askService(
  { accounts, clock, fetch = globalFetch, keeper }: ConnectionPorts,
  account: Account,
  signal: AbortSignal,
) {
  let probed: ReturnType<typeof keeper.probe> | undefined;
  let clockAheadMs: number | undefined;
  const fetchTwice: FetchLike = async (url, init) => {
    probed ??= keeper.probe(url, init.headers);
    const sentAt = clock.now();
    const response = await fetch(url, init);
    const serviceTime = Date.parse(response.headers.get('date') ?? '') + DATE_HEADER_OFFSET_MS;
    const aheadMs = (sentAt + clock.now()) / 2 - serviceTime;
    if (!Number.isNaN(aheadMs)) clockAheadMs = aheadMs;
    return response;
  };
  let failure: ApiError | null = null;
  // The first failure is shown. A call that throws it ends the retries.
  const onRetry = (first: ApiError) => {
    throw first;
  };
  try {
    await accounts.client(account, fetchTwice).getKey({ signal, onRetry });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    failure = thrown;
  }
  return { failure, keeper: await probed, clockAheadMs };
}

/** @param failure undefined without an account */
function windowFinding(failure: ApiError | null | undefined): Result {
  if (failure === undefined) return problem(l10n.t('Not checked'), l10n.t('Sign in first.'));
  if (failure === null) return good(l10n.t('Reached. The API key is valid.'));
  return failure.status === PROXY_AUTHENTICATION_REQUIRED
    ? proxyProblem()
    : failureProblem(failure);
}

function keeperFinding(result: Awaited<ReturnType<typeof askService>>['keeper']): Result {
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
  return failureProblem(new ApiError({ ...network, route: 'key', message: '' }));
}

function failureProblem(failure: ApiError): Result {
  const { title, detail, serviceQuote } = explainFailure(failure);
  const code = failure.code ?? (failure.status ? `HTTP ${failure.status}` : '');
  return problem(
    code === '' ? title : `${title} (${code})`,
    formatSentences([detail, serviceQuote]),
  );
}

function proxyProblem(): Result {
  return problem(
    l10n.t('The proxy requires a sign-in'),
    l10n.t('Add a user name and password to the proxy’s URL in the setting {0}.', 'http.proxy'),
  );
}

function proxyFinding({ environment, settings: { proxy } }: ConnectionPorts): Result {
  const variable = (name: string): string =>
    environment[name] ?? environment[name.toLowerCase()] ?? '';
  const urls = [
    ['http.proxy', proxy?.url ?? ''] as const,
    ...['HTTPS_PROXY', 'HTTP_PROXY'].map((name) => [name, variable(name)] as const),
  ].filter(([, url]) => url !== '');
  if (urls.length === 0) return good(l10n.t('Not set in the settings or environment'));
  const shown = urls.map(([source, url]) => `${withoutCredentials(url)} (${source})`);
  const bypass = [proxy?.bypass, variable('NO_PROXY')].filter(Boolean).join(', ');
  return good(formatFacts(shown), bypass && l10n.t('Not used for {0}.', bypass));
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

/** Writes and removes a file. */
async function storageFinding(folder: string): Promise<Result> {
  const path = join(folder, `check-${randomUUID()}.tmp`);
  try {
    await replaceText(path, '');
    await removeFile(path);
    return good(l10n.t('Can be written'));
  } catch (failure) {
    const code = errorCode(failure);
    const value = l10n.t('Can’t be written');
    return problem(
      code === undefined ? value : `${value} (${code})`,
      code === 'ENOSPC' || code === 'EDQUOT'
        ? l10n.t('The disk is full. Free up space, or replies may be lost.')
        : l10n.t(
            'Check the permissions of the extension’s storage folder, or replies may be lost.',
          ),
    );
  }
}
