import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Account, AccountServices } from '../accounts/account.ts';
import { countRecords } from '../conversations/conversationRecord.ts';
import type { Settings } from '../../platform/settings.ts';
import type { LogChannel, LoggedProblem } from '../../platform/log/hostLog.ts';

interface LogCommandPorts extends Pick<AccountServices, 'accounts' | 'registrar'> {
  readonly channel: LogChannel;
  readonly settings: Pick<Settings, keyof Settings>;
  readonly keeper: { readonly status: string };
  readonly version: string;
}

export function registerLogCommands(ports: LogCommandPorts): Disposable {
  return ports.registrar.registerAll({
    'interns.showLog': () => ports.channel.show(),
    'interns.copyDiagnostics': () => copyDiagnostics(ports),
  });
}

async function copyDiagnostics({
  channel: { log, redactor },
  accounts,
  settings,
  keeper,
  version,
}: LogCommandPorts): Promise<void> {
  const text = formatDiagnostics({
    environment: { ...environmentValues(version), 'Stream keeper': keeper.status },
    settings: settingValues(settings),
    accounts: await Promise.all(
      accounts.all.map((account) => accountLine(account, account.id === accounts.active?.id)),
    ),
    problems: log.problems,
  });
  await vscode.env.clipboard.writeText(redactor.redact(text));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Copied diagnostics, without keys, secrets or messages.'),
  );
}

type DiagnosticValues = Readonly<Record<string, unknown>>;

function settingValues(settings: LogCommandPorts['settings']): DiagnosticValues {
  const {
    costLimit,
    dailyCostLimit,
    approvalMode,
    systemNotifications,
    notifyAfterSeconds,
    digestAfterMinutes,
    keepRuns,
  } = settings;
  const { narration, speechRate, escapeStops, sendWith, fontSize } = settings.page;
  return {
    baseUrl: addressValue(settings.baseUrl),
    approvalMode,
    costLimit,
    dailyCostLimit,
    idempotencyHeader: addressValue(settings.idempotencyHeader),
    systemNotifications,
    notifyAfterSeconds,
    digestAfterMinutes,
    keepRuns,
    'chat.narration': narration,
    'chat.speechRate': speechRate,
    'chat.escapeStops': escapeStops,
    'chat.sendWith': sendWith,
    'chat.fontSize': fontSize,
    promptFolders: settings.promptFolders().length,
  };
}

/** Says only whether a private setting is set. */
function addressValue(value: string): string {
  return value === '' ? 'not set' : 'set';
}

function environmentValues(version: string): DiagnosticValues {
  const { appName, appHost, remoteName, language, uiKind } = vscode.env;
  return {
    Extension: version,
    Editor: `${appName} ${vscode.version} (${appHost})`,
    Node: process.versions.node,
    System: `${platform()} ${arch()}`,
    Window: uiKind === vscode.UIKind.Web ? 'browser' : 'desktop',
    Remote: remoteName ?? 'none',
    Language: language,
    Workspace: vscode.workspace.isTrusted ? 'trusted' : 'restricted',
  };
}

/** Says how much data an account has, without a name or ID. */
async function accountLine(account: Account, isActive: boolean): Promise<string> {
  const { state, store } = account;
  const [interns, secrets, conversations] = await Promise.all([
    countOrReason(store.interns.list().then(({ length }) => length)),
    countOrReason(store.secrets.list().then(({ length }) => length)),
    countOrReason(countRecords(account)),
  ]);
  return `${state}${isActive ? ', active' : ''}: ${interns} interns, ${secrets} secrets, ${conversations} conversations`;
}

/** Keeps a failed count from failing the others: diagnostics are copied when something is broken. */
function countOrReason(count: Promise<number>): Promise<number | string> {
  return count.catch(() => 'unreadable');
}

interface Diagnostics {
  readonly environment: DiagnosticValues;
  readonly settings: DiagnosticValues;
  readonly accounts: readonly string[];
  readonly problems: readonly LoggedProblem[];
}

/** Returns Markdown in English for a public issue. */
export function formatDiagnostics(diagnostics: Diagnostics): string {
  const { environment, settings, accounts, problems } = diagnostics;
  const problemLines = problems.map(
    ({ at, level, text }) =>
      `${new Date(at).toISOString()} ${level}: ${text.replaceAll('\n', '\n  ')}`,
  );
  return [
    '## Interns diagnostics',
    ...bullets(valueLines(environment)),
    ...section('Settings', valueLines(settings)),
    ...section('Accounts', accounts),
    ...section('Last warnings and errors', problemLines),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `### ${title}`, ...bullets(lines.length > 0 ? lines : ['none'])];
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}

function valueLines(facts: DiagnosticValues): string[] {
  return Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`);
}
