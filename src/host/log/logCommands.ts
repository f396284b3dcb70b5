import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Account, Accounts } from '../auth/account.ts';
import { countRecords } from '../chat/conversationRecord.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import type { Settings, SettingValues } from '../settings.ts';
import type { LogChannel } from './channel.ts';
import { formatDiagnostics, settingFact, type AccountFacts, type Count } from './diagnostics.ts';

/** What the commands of the log work with. */
export interface LogCommandPorts {
  readonly channel: LogChannel;
  readonly registrar: CommandRegistrar;
  readonly accounts: Accounts;
  readonly settings: Pick<Settings, 'all'>;
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
  const { baseUrl, approvalMode, idempotencyHeader, notifyAfterSeconds } = settings.all;
  const facts = {
    environment: environmentFacts(version),
    settings: {
      baseUrl: settingFact(baseUrl),
      approvalMode,
      idempotencyHeader: settingFact(idempotencyHeader),
      notifyAfterSeconds: String(notifyAfterSeconds),
    } satisfies Record<keyof SettingValues, string>,
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
