import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { HostLog, type LogSink } from '../../../../src/platform/log/hostLog.ts';
import { registerLogCommands } from '../../../../src/features/diagnostics/logCommands.ts';
import { Redactor } from '../../../../src/platform/log/redactor.ts';
import { settings as pageSettings } from '../../../webview/fixtures/views.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

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
    const settings = {
      baseUrl: 'https://interns.test/api/v1',
      approvalMode: 'manual',
      costLimit: 0,
      dailyCostLimit: 5,
      idempotencyHeader: '',
      systemNotifications: 'questionsAndRuns',
      notifyAfterSeconds: 90,
      digestAfterMinutes: 5,
      keepRuns: 'untilClosed',
      proxy: undefined,
      onDidChangeKeepRuns: () => ({ dispose: drop }),
      page: { ...pageSettings, narration: 'onCompletion', fontSize: 15 },
      promptFolders: () => ['confidential/plans'],
      onDidChangePage: () => ({ dispose: drop }),
    } as const;
    const channel = { log, redactor, show: drop, dispose: drop };
    registerLogCommands({
      channel,
      registrar,
      accounts,
      settings,
      keeper: { status: 'running' },
      version: '1.2.3',
    });
    await registrar.run('interns.copyDiagnostics', []);
    return clipboard.text;
  }

  it('diagnostics list versions, settings and problems without addresses and secrets', async () => {
    const text = await copyDiagnostics();
    for (const line of [
      'Extension: 1.2.3',
      'Stream keeper: running',
      'baseUrl: set',
      'approvalMode: manual',
      'idempotencyHeader: not set',
      'systemNotifications: questionsAndRuns',
      'notifyAfterSeconds: 90',
      'digestAfterMinutes: 5',
      'keepRuns: untilClosed',
      'chat.narration: onCompletion',
      'chat.speechRate: 15',
      'chat.escapeStops: true',
      'chat.fontSize: 15',
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
