import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import { countRecords } from '../conversations/conversationRecord.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { Settings } from '../../platform/settings.ts';
import type { LogChannel, LoggedProblem } from '../../platform/log/hostLog.ts';

interface LogCommandPorts {
  readonly registrar: CommandRegistrar;
  readonly accounts: Accounts;
  readonly channel: LogChannel;
  readonly settings: Pick<Settings, keyof Settings>;
  /** The extension's own version. */
  readonly version: string;
}

/** Registers Show Log and Copy Diagnostics. */
export function registerLogCommands(ports: LogCommandPorts): Disposable {
  return ports.registrar.registerAll({
    'interns.showLog': () => {
      ports.channel.show();
    },
    'interns.copyDiagnostics': () => copyDiagnostics(ports),
  });
}

async function copyDiagnostics({
  channel: { log, redactor },
  accounts,
  settings,
  version,
}: LogCommandPorts): Promise<void> {
  const facts = {
    environment: environmentFacts(version),
    settings: settingFacts(settings),
    accounts: await Promise.all(
      accounts.all.map((account) => accountFacts(account, account.id === accounts.active?.id)),
    ),
    problems: log.problems,
  };
  const text = formatDiagnostics(facts, (whole) => redactor.redact(whole));
  await vscode.env.clipboard.writeText(text);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Diagnostics were copied. They hold versions, settings, counts and the last errors, and no key, secret or conversation.',
    ),
  );
}

function settingFacts(settings: LogCommandPorts['settings']): Record<string, string> {
  return {
    baseUrl: settingFact(settings.baseUrl),
    approvalMode: settings.approvalMode,
    idempotencyHeader: settingFact(settings.idempotencyHeader),
    notifyAfterSeconds: String(settings.notifyAfterSeconds),
    digestAfterMinutes: String(settings.digestAfterMinutes),
    ...Object.fromEntries(
      Object.entries<unknown>({ ...settings.page }).map(([name, value]) => [
        `chat.${name}`,
        String(value),
      ]),
    ),
    promptFolders: String(settings.promptFolders().length),
  };
}

function environmentFacts(version: string): Record<string, string> {
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

async function accountFacts(account: Account, active: boolean): Promise<AccountFacts> {
  const { state, store } = account;
  const [interns, secrets, conversations] = await Promise.all([
    counted(store.interns.list().then(({ length }) => length)),
    counted(store.secrets.list().then(({ length }) => length)),
    counted(countRecords(account)),
  ]);
  return { state, active, interns, secrets, conversations };
}

/** A count, of which one that fails costs none of the others: diagnostics are copied when something is broken. */
function counted(count: Promise<number>): Promise<Count> {
  return count.catch(() => 'unreadable');
}

/** What Copy Diagnostics tells of an account: how much there is of what, nothing of whom. */
interface AccountFacts {
  readonly state: string;
  readonly active: boolean;
  readonly interns: Count;
  readonly secrets: Count;
  readonly conversations: Count;
}

/** How many there are; `unreadable` where the disk does not say. */
type Count = number | 'unreadable';

/** What Copy Diagnostics puts together. */
interface Diagnostics {
  /** Versions and the like, by name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly accounts: readonly AccountFacts[];
  readonly problems: readonly LoggedProblem[];
}

/**
 * Diagnostics as Markdown in English, ready for an issue that everyone can read.
 *
 * @param redact Goes over the whole once more.
 */
export function formatDiagnostics(
  { environment, settings, accounts, problems }: Diagnostics,
  redact: (text: string) => string,
): string {
  const accountLines = accounts.map(
    ({ state, active, interns, secrets, conversations }) =>
      `- ${state}${active ? ', active' : ''}: ${interns} interns, ${secrets} secrets, ${conversations} conversations`,
  );
  const problemLines = problems.map(
    ({ at, level, text }) => `- ${new Date(at).toISOString()} ${level}: ${indented(text)}`,
  );
  const text = [
    '## Interns diagnostics',
    ...bullets(environment),
    section('Settings', bullets(settings)),
    section('Accounts', accountLines),
    section('Last warnings and errors', problemLines),
  ].join('\n');
  return `${redact(text)}\n`;
}

/** What is told of a setting that holds an address: nothing but whether it is set. */
export function settingFact(value: string): string {
  return value === '' ? 'not set' : 'set';
}

function section(title: string, lines: readonly string[]): string {
  return ['', `### ${title}`, ...(lines.length > 0 ? lines : ['- none'])].join('\n');
}

function bullets(facts: Readonly<Record<string, string>>): string[] {
  return Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
}

/** Lines after the first, indented as a part of their bullet. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
