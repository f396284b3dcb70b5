import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../src/host/commands/registrar.ts';
import { HostLog, type LogSink } from '../../src/host/log/hostLog.ts';
import { Redactor } from '../../src/host/log/redactor.ts';
import { Settings } from '../../src/host/settings.ts';

/** A log whose lines are kept. */
function keptLog() {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const sink: LogSink = { trace: write, debug: write, info: write, warn: write, error: write };
  return { lines, log: new HostLog(sink, new Redactor()) };
}

/** Accounts that are read, and none. */
const signedOut = { active: undefined, whenLoaded: Promise.resolve() };

describe('the registrar of commands', () => {
  it('catches what a handler throws, logs it, and lets the caller go on', async () => {
    const { lines, log } = keptLog();
    const registrar = new CommandRegistrar(log, signedOut);
    registrar.register('interns.signIn', () => {
      throw new Error('api_key=test-key-owner is broken');
    });
    await registrar.run('interns.signIn', []);
    assert.equal(lines.filter((line) => line.includes('failed')).length, 1);
    assert.doesNotMatch(lines.join('\n'), /test-key-owner/);
  });

  it('tells of a command that was left out, and runs none that was taken back', async () => {
    const { lines, log } = keptLog();
    const registrar = new CommandRegistrar(log, signedOut);
    registrar.register('interns.signIn', () => undefined).dispose();
    assert.throws(() => registrar.checkComplete(), /interns\.signIn.*interns\.showLog/);
    await registrar.run('interns.signIn', []);
    assert.equal(lines.filter((line) => line.includes('no handler')).length, 1);
  });
});

describe('settings', () => {
  const section = vscode.workspace.getConfiguration('interns');

  afterEach(async () => {
    await section.update('approvalMode', undefined, vscode.ConfigurationTarget.Global);
    await section.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
  });

  it('err on the safe side where settings.json holds nonsense', async () => {
    await section.update('approvalMode', 'SELF-DRIVE', vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().approvalMode, 'manual');
    await section.update('baseUrl', 7, vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().baseUrl, '');
  });

  it('are told of when they change', async () => {
    const settings = new Settings();
    const changed = new Promise<void>((resolve) => {
      const listener = settings.onDidChange('baseUrl', () => {
        listener.dispose();
        resolve();
      });
    });
    const root = ' https://interns.example.com/api/v1 ';
    await section.update('baseUrl', root, vscode.ConfigurationTarget.Global);
    await changed;
    assert.equal(settings.baseUrl, root.trim());
  });

  it('cannot be set by a workspace, which could send a key elsewhere or turn self-drive on', async () => {
    for (const name of ['baseUrl', 'approvalMode'])
      await assert.rejects(
        async () => await section.update(name, 'x', vscode.ConfigurationTarget.Workspace),
      );
  });
});

describe('Copy Diagnostics', () => {
  it('puts versions and settings on the clipboard, and no address', async () => {
    await vscode.commands.executeCommand('interns.copyDiagnostics');
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /## Interns diagnostics/);
    assert.ok(text.includes(vscode.version));
    assert.match(text, /baseUrl: not set/);
  });
});
