import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import type { Account, AccountServices } from '../accounts/account.ts';
import { recordNames } from '../conversations/conversationRecord.ts';
import type { LogChannel, LoggedProblem } from '../../platform/log/hostLog.ts';

interface LogCommandPorts extends Pick<AccountServices, 'accounts' | 'registrar'> {
  readonly channel: LogChannel;
  readonly keeper: { readonly status: string };
  /** The extension's package.json. */
  readonly manifest: unknown;
}

interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
    };
  };
}

export function registerLogCommands(ports: LogCommandPorts): void {
  ports.registrar.register({
    'interns.showLog': () => ports.channel.show(),
    'interns.copyDiagnostics': () => copyDiagnostics(ports),
  });
}

/** Copies Markdown in English for a public issue. */
async function copyDiagnostics(ports: LogCommandPorts): Promise<void> {
  const { accounts, channel, keeper } = ports;
  const manifest = ports.manifest as Manifest;
  const sections = {
    Settings: valueLines(settingValues(manifest)),
    Accounts: await Promise.all(
      accounts.all.map((account) => accountLine(account, account.id === accounts.active?.id)),
    ),
    'Last warnings and errors': channel.log.problems.map(problemLine),
  };
  const text = [
    '## Interns diagnostics',
    ...bullets(valueLines({ ...environmentValues(manifest), 'Stream keeper': keeper.status })),
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

function settingValues({ contributes }: Manifest): DiagnosticValues {
  const configuration = vscode.workspace.getConfiguration();
  const settings = Object.entries(contributes.configuration.properties);
  return Object.fromEntries(
    settings.map(([id, { enum: choices }]) => [
      id.replace('interns.', ''),
      settingValue(configuration.get(id), choices),
    ]),
  );
}

/** Describes a setting. A text that is not one of the choices may be private, and so may the items of a list. */
function settingValue(value: unknown, choices: readonly unknown[] = []): unknown {
  if (choices.includes(value) || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (Array.isArray(value)) return value.length;
  return value === '' ? 'not set' : 'set';
}

function environmentValues({ version }: Manifest): DiagnosticValues {
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
  const lists: Readonly<Record<string, Promise<readonly unknown[]>>> = {
    interns: store.interns.list(),
    secrets: store.secrets.list(),
    conversations: recordNames(account),
  };
  const words = Object.entries(lists).map(async ([name, list]) => {
    // One failed count must not hide the others: diagnostics are copied when something is broken.
    const count = await list.then(({ length }) => length).catch(() => 'unreadable');
    return `${count} ${name}`;
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
