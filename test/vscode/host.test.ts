import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Settings } from '../../src/platform/settings.ts';

describe('settings', () => {
  const section = vscode.workspace.getConfiguration('interns');

  afterEach(async () => {
    await section.update('approvalMode', undefined, vscode.ConfigurationTarget.Global);
    await section.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await section.update('digestAfterMinutes', undefined, vscode.ConfigurationTarget.Global);
    await section.update('chat.narration', undefined, vscode.ConfigurationTarget.Global);
    await section.update('chat.fontSize', undefined, vscode.ConfigurationTarget.Global);
  });

  it('err on the safe side where settings.json holds nonsense', async () => {
    await section.update('approvalMode', 'SELF-DRIVE', vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().approvalMode, 'manual');
    await section.update('baseUrl', 7, vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().baseUrl, '');
    await section.update('baseUrl', ' https://a.test/v1 ', vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().baseUrl, 'https://a.test/v1');
    await section.update('digestAfterMinutes', -1, vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().digestAfterMinutes, 10);
    await section.update('chat.narration', 'loud', vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().page.narration, 'sentences');
    await section.update('chat.fontSize', 2, vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().page.fontSize, 6);
    await section.update('chat.narration', 'off', vscode.ConfigurationTarget.Global);
    assert.equal(new Settings().page.narration, 'off');
  });

  it('tell when a setting of chat pages changes', async () => {
    const settings = new Settings();
    const changed = new Promise<void>((resolve) => {
      const listener = settings.onDidChangePage(() => {
        listener.dispose();
        resolve();
      });
    });
    await section.update('chat.fontSize', 20, vscode.ConfigurationTarget.Global);
    await changed;
    assert.equal(settings.page.fontSize, 20);
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
