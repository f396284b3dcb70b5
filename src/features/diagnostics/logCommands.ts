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

/** Copies Markdown in English for a public issue. */
async function copyDiagnostics(ports: LogCommandPorts): Promise<void> {
  const { accounts, channel, keeper, settings, version } = ports;
  const sections = {
    Settings: valueLines(settingValues(settings)),
    Accounts: await Promise.all(
      accounts.all.map((account) => accountLine(account, account.id === accounts.active?.id)),
    ),
    'Last warnings and errors': channel.log.problems.map(problemLine),
  };
  const text = [
    '## Interns diagnostics',
    ...bullets(valueLines({ ...environmentValues(version), 'Stream keeper': keeper.status })),
    ...Object.entries(sections).flatMap(([title, lines]) => [
      '',
      `### ${title}`,
      ...bullets(lines.length > 0 ? lines : ['none']),
    ]),
    '',
  ].join('\n');
  await vscode.env.clipboard.writeText(channel.redactor.redact(text));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Copied diagnostics, without keys, secrets or messages.'),
  );
}

type DiagnosticValues = Readonly<Record<string, unknown>>;

function settingValues(settings: LogCommandPorts['settings']): DiagnosticValues {
  const { page } = settings;
  return {
    baseUrl: addressValue(settings.baseUrl),
    approvalMode: settings.approvalMode,
    costLimit: settings.costLimit,
    dailyCostLimit: settings.dailyCostLimit,
    idempotencyHeader: addressValue(settings.idempotencyHeader),
    systemNotifications: settings.systemNotifications,
    notifyAfterSeconds: settings.notifyAfterSeconds,
    digestAfterMinutes: settings.digestAfterMinutes,
    keepRuns: settings.keepRuns,
    'chat.narration': page.narration,
    'chat.speechRate': page.speechRate,
    'chat.escapeStops': page.escapeStops,
    'chat.sendWith': page.sendWith,
    'chat.fontSize': page.fontSize,
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
  const counts = {
    interns: store.interns.list().then(({ length }) => length),
    secrets: store.secrets.list().then(({ length }) => length),
    conversations: countRecords(account),
  };
  const words = Object.entries(counts).map(async ([name, count]) => {
    // One failed count must not hide the others: diagnostics are copied when something is broken.
    return `${await count.catch(() => 'unreadable')} ${name}`;
  });
  return `${state}${isActive ? ', active' : ''}: ${(await Promise.all(words)).join(', ')}`;
}

export function problemLine({ at, level, text }: LoggedProblem): string {
  return `${new Date(at).toISOString()} ${level}: ${text.replaceAll('\n', '\n  ')}`;
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}

function valueLines(facts: DiagnosticValues): string[] {
  return Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`);
}
