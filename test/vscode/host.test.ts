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

describe('the registrar of commands', () => {
  /** A command that this extension has not registered: the real ones are taken. */
  const free = 'interns.testOnly' as 'interns.signIn';

  it('catches what a handler throws, logs it, and lets the caller go on', async () => {
    const { commands } = await import('../../src/host/commands/ids.ts');
    const { lines, log } = keptLog();
    Object.assign(commands, { [free]: commands['interns.signIn'] });
    const command = new CommandRegistrar(log).register(free, () => {
      throw new Error('api_key=test-key-owner is broken');
    });
    try {
      await vscode.commands.executeCommand(free);
    } finally {
      command.dispose();
      Reflect.deleteProperty(commands, free);
    }
    assert.equal(lines.filter((line) => line.includes('failed')).length, 1);
    assert.doesNotMatch(lines.join('\n'), /test-key-owner/);
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
