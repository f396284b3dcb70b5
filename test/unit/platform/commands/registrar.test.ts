import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../../../src/api/index.ts';
import {
  CommandRegistrar,
  type CommandAccounts,
} from '../../../../src/platform/commands/registrar.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { HostLog, type LogSink } from '../../../../src/platform/log/hostLog.ts';
import { Redactor } from '../../../../src/platform/log/redactor.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('CommandRegistrar', () => {
  let markLoaded: () => void;
  let accounts: CommandAccounts;
  let registrar: CommandRegistrar;
  const ran: string[] = [];
  const stub = useStubs();

  beforeEach(() => {
    const whenLoaded = new Promise<void>((resolve) => (markLoaded = resolve));
    accounts = { whenLoaded, active: accountOf('account-1') };
    registrar = new CommandRegistrar(new RecordingLog(), accounts);
    ran.length = 0;
    stub(vscode.window, { showErrorMessage: () => Promise.resolve(undefined) });
  });

  it('a command runs once the accounts are loaded', async () => {
    registrar.register({ 'interns.openChat': () => ran.push('openChat') });
    const running = registrar.run('interns.openChat', []);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ran, []);
    markLoaded();
    await running;
    assert.deepEqual(ran, ['openChat']);
  });

  it('the log opens before the accounts are loaded', async () => {
    registrar.register({ 'interns.showLog': () => ran.push('showLog') });
    await registrar.run('interns.showLog', []);
    assert.deepEqual(ran, ['showLog']);
  });

  it('a command offers to sign in to the account whose key was refused', async () => {
    const called = new Promise<readonly unknown[]>((resolve) => {
      stub(vscode.commands, {
        executeCommand: (...given: readonly unknown[]) => {
          resolve(given);
          return Promise.resolve();
        },
      });
    });
    stub(vscode.window, { showErrorMessage: () => Promise.resolve('Sign In') });
    const createIntern = () => {
      const message = 'No such key';
      throw new ApiError({ kind: 'signed-out', route: 'create', status: 401, message });
    };
    registrar.register({ 'interns.createIntern': createIntern });
    markLoaded();
    await registrar.run('interns.createIntern', []);
    assert.deepEqual(await called, ['interns.signIn', { account: 'account-1' }]);
  });

  it('a failed command writes no key to the log', async () => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const sink: LogSink = { debug: write, info: write, warn: write, error: write };
    registrar = new CommandRegistrar(new HostLog(sink, new Redactor()), accounts);
    const signIn = () => {
      throw new Error('api_key=test-key-owner is broken');
    };
    registrar.register({ 'interns.signIn': signIn });
    markLoaded();
    await registrar.run('interns.signIn', []);
    assert.equal(lines.filter((line) => line.includes('failed')).length, 1);
    assert.doesNotMatch(lines.join('\n'), /test-key-owner/);
  });

  it('a command without a handler counts as missing, and fails', async () => {
    const log = new RecordingLog();
    registrar = new CommandRegistrar(log, accounts);
    assert.throws(() => registrar.checkComplete(), /interns\.signIn.*interns\.showLog/);
    markLoaded();
    await registrar.run('interns.signIn', []);
    assert.ok(log.lines.includes('interns.signIn failed'));
  });
});
