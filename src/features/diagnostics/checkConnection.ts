import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { commands, l10n, ProgressLocation, ThemeIcon, window } from 'vscode';
import { ApiError, globalFetch, type FetchLike } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import { copyToClipboard } from '../../platform/dialogs/statusMessage.ts';
import type { StreamKeeperClient } from '../../platform/keeper/keeperClient.ts';
import type { Redactor } from '../../platform/log/redactor.ts';
import type { Settings } from '../../platform/settings.ts';
import { errorCode, removeFile, replaceText } from '../../platform/storage/files.ts';
import { ACTION_COMMANDS, actionLabel, explainFailure } from '../../platform/text/failures.ts';
import { formatNumber } from '../../platform/text/format.ts';
import type { Account, AccountServices } from '../accounts/account.ts';
import { connectionFindings, type ConnectionFacts, type Finding } from './connectionFindings.ts';

export interface ConnectionPorts extends Pick<
  AccountServices,
  'accounts' | 'clock' | 'dialogs' | 'registrar'
> {
  readonly keeper: Pick<StreamKeeperClient, 'probe'>;
  readonly settings: Pick<Settings, 'proxy'>;
  readonly redactor: Pick<Redactor, 'redact'>;
  /** The environment of the extension host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the extension's storage. */
  readonly folder: string;
  /** The window's own. */
  readonly fetch?: FetchLike;
}

/** The Date header has whole seconds, so the service's clock is half a second ahead of it on average. */
const DATE_HEADER_OFFSET_MS = 500;

const ICONS = { good: 'pass', problem: 'error', unknown: 'circle-slash' } as const;

export function registerConnectionCheck(ports: ConnectionPorts): Disposable {
  return ports.registrar.register('interns.checkConnection', () => checkConnection(ports));
}

/** Checks everything that a run needs, and shows the results with what to do. */
async function checkConnection(ports: ConnectionPorts): Promise<void> {
  for (;;) {
    const facts = await checkWithProgress(ports);
    if (facts === undefined) return;
    const findings = connectionFindings(facts);
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const picked = await ports.dialogs.pick<CommandId>({
      title: l10n.t('Check Connection'),
      placeholder:
        problems === 0
          ? l10n.t('No problems found')
          : l10n.t('Problems found: {0}', formatNumber(problems)),
      matchAll: true,
      rows: [...findings.map(findingRow), { separator: '' }, ...actionRows(ports, facts, findings)],
    });
    if (picked.kind !== 'value') return;
    if (picked.value !== 'interns.checkConnection') {
      await commands.executeCommand(picked.value);
      return;
    }
  }
}

function findingRow({ state, name, value, advice }: Finding): PickRow<CommandId> {
  const icon = new ThemeIcon(ICONS[state]);
  return { note: name, description: value, ...(advice && { detail: advice }), icon };
}

function actionRows(
  { redactor }: ConnectionPorts,
  { window: failure }: ConnectionFacts,
  findings: readonly Finding[],
): readonly PickRow<CommandId>[] {
  const actions = failure ? explainFailure(failure).actions : [];
  const ofFailure = actions.flatMap((action) => {
    const value = ACTION_COMMANDS[action];
    return value === undefined || action === 'openLog' ? [] : { label: actionLabel(action), value };
  });
  return [
    {
      label: l10n.t('Copy'),
      icon: new ThemeIcon('copy'),
      run: () => copyToClipboard(redactor.redact(toText(findings))),
    },
    ...ofFailure,
    {
      label: l10n.t('Check Again'),
      icon: new ThemeIcon('refresh'),
      value: 'interns.checkConnection',
    },
    { label: l10n.t('Show Log'), icon: new ThemeIcon('output'), value: 'interns.showLog' },
  ];
}

function toText(findings: readonly Finding[]): string {
  const lines = findings.map(({ name, value, advice }) =>
    [`- ${name}: ${value}`, advice].filter(Boolean).join('\n  '),
  );
  return `${lines.join('\n')}\n`;
}

/** Returns undefined if the user cancels. */
function checkWithProgress(ports: ConnectionPorts): Thenable<ConnectionFacts | undefined> {
  const location = ProgressLocation.Notification;
  const options = { location, title: l10n.t('Checking the connection'), cancellable: true };
  return window.withProgress(options, (_progress, token) => {
    const canceled = new AbortController();
    const aborted = new Promise<undefined>((resolve) => {
      canceled.signal.addEventListener('abort', () => resolve(undefined));
    });
    token.onCancellationRequested(() => canceled.abort());
    return Promise.race([gatherFacts(ports, canceled.signal), aborted]);
  });
}

async function gatherFacts(ports: ConnectionPorts, signal: AbortSignal): Promise<ConnectionFacts> {
  const { accounts, environment, folder, settings } = ports;
  const variable = (name: string): string =>
    environment[name] ?? environment[name.toLowerCase()] ?? '';
  const { proxy } = settings;
  const [service, storage] = await Promise.all([
    accounts.active && askService(ports, accounts.active, signal),
    writeFailure(folder),
  ]);
  return {
    window: service?.window,
    keeper: service?.keeper,
    clockAheadMs: service?.clockAheadMs,
    storage,
    proxies: [
      { source: 'http.proxy', url: proxy?.url ?? '' },
      ...['HTTPS_PROXY', 'HTTP_PROXY'].map((name) => ({ source: name, url: variable(name) })),
    ].filter(({ url }) => url !== ''),
    bypass: [proxy?.bypass, variable('NO_PROXY')].filter(Boolean).join(', '),
  };
}

/** Sends `GET /key` once from the window, and the same request from the stream keeper. */
async function askService(
  { accounts, clock, fetch = globalFetch, keeper }: ConnectionPorts,
  account: Account,
  signal: AbortSignal,
): Promise<Pick<ConnectionFacts, 'window' | 'keeper' | 'clockAheadMs'>> {
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
  const stopped = new AbortController();
  let failure: ApiError | undefined;
  const onRetry = (first: ApiError) => {
    failure = first;
    stopped.abort();
  };
  const options = { signal: AbortSignal.any([signal, stopped.signal]), onRetry };
  try {
    await accounts.client(account, fetchTwice).getKey(options);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    failure ??= thrown;
  }
  return { window: failure ?? null, keeper: await probed, clockAheadMs };
}

/** Writes and removes a file. Returns the system's code of a failure, or empty; null without one. */
async function writeFailure(folder: string): Promise<string | null> {
  const path = join(folder, `check-${randomUUID()}.tmp`);
  try {
    await replaceText(path, '');
    await removeFile(path);
    return null;
  } catch (failure) {
    return errorCode(failure) ?? '';
  }
}
