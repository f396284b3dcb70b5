import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { HostLog, type LogSink } from '../../../../src/platform/log/hostLog.ts';
import { registerLogCommands } from '../../../../src/features/diagnostics/logCommands.ts';
import { Redactor } from '../../../../src/platform/log/redactor.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

const manifest = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { readonly contributes: { readonly configuration: { readonly properties: object } } };

describe('Copy Diagnostics', () => {
  const stub = useStubs();
  let fake: FakeAccounts;
  let clipboard: { readonly text: string };

  beforeEach(() => {
    fake = new FakeAccounts();
    stub(vscode.window, { showInformationMessage: () => Promise.resolve() });
    clipboard = stubClipboard(stub);
  });

  async function copyDiagnostics(): Promise<string> {
    const redactor = new Redactor();
    const drop = () => undefined;
    const sink: LogSink = { debug: drop, info: drop, warn: drop, error: drop };
    const log = new HostLog(sink, redactor, () => 0);
    log.warn('Bearer test-key-owner');
    const { accounts } = fake;
    const registrar = new CommandRegistrar(log, accounts);
    const settings: Readonly<Record<string, unknown>> = {
      'interns.baseUrl': 'https://interns.test/api/v1',
      'interns.approvalMode': 'manual',
      'interns.costLimit': 0,
      'interns.dailyCostLimit': 5,
      'interns.idempotencyHeader': '',
      'interns.systemNotifications': 'questionsAndRuns',
      'interns.notifyAfterSeconds': 90,
      'interns.digestAfterMinutes': 5,
      'interns.keepRuns': 'confidential mistake',
      'interns.chat.narration': 'onCompletion',
      'interns.chat.speechRate': 15,
      'interns.chat.escapeStops': true,
      'interns.chat.sendWith': 'enter',
      'interns.chat.fontSize': 15,
      'interns.promptFolders': ['confidential/plans'],
    };
    const configuration = { get: (id: string) => settings[id] };
    stub(vscode.workspace, { getConfiguration: () => configuration });
    const channel = { log, redactor, show: drop, dispose: drop };
    registerLogCommands({
      channel,
      registrar,
      accounts,
      keeper: { status: 'running' },
      manifest: { ...manifest, version: '1.2.3' },
    });
    await registrar.run('interns.copyDiagnostics', []);
    return clipboard.text;
  }

  it('diagnostics list versions, all settings and problems without addresses and secrets', async () => {
    const text = await copyDiagnostics();
    for (const id of Object.keys(manifest.contributes.configuration.properties))
      assert.ok(text.includes(`- ${id.replace('interns.', '')}: `), id);
    for (const line of [
      'Extension: 1.2.3',
      'Stream keeper: running',
      'baseUrl: set',
      'approvalMode: manual',
      'dailyCostLimit: 5',
      'idempotencyHeader: not set',
      'systemNotifications: questionsAndRuns',
      'notifyAfterSeconds: 90',
      'digestAfterMinutes: 5',
      'keepRuns: set',
      'chat.narration: onCompletion',
      'chat.speechRate: 15',
      'chat.escapeStops: true',
      'chat.fontSize: 15',
      'chat.sendWith: enter',
      'promptFolders: 1',
      '1970-01-01T00:00:00.000Z warn: Bearer ‹redacted›',
    ])
      assert.ok(text.includes(`- ${line}\n`), line);
    assert.doesNotMatch(text, /interns\.test|confidential|test-key/);
  });

  it('diagnostics count the rest if a folder cannot be read', async () => {
    fake.account.store.interns.list = () => Promise.reject(new Error('EACCES'));
    const text = await copyDiagnostics();
    assert.match(text, /ready, active: unreadable interns, 0 secrets, 0 conversations/);
  });
});
