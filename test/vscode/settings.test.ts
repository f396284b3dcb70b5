import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Settings } from '../../src/platform/settings.ts';

describe('settings', () => {
  const section = vscode.workspace.getConfiguration('interns');

  const names = [
    'approvalMode',
    'baseUrl',
    'digestAfterMinutes',
    'chat.narration',
    'chat.fontSize',
    'chat.speechRate',
    'chat.escapeStops',
  ];
  const set = (name: string, value: unknown) =>
    section.update(name, value, vscode.ConfigurationTarget.Global);

  afterEach(async () => {
    for (const name of names) await set(name, undefined);
  });

  it('the extension replaces invalid settings with safe values', async () => {
    for (const [name, value, read, expected] of [
      ['approvalMode', 'SELF-DRIVE', (settings: Settings) => settings.approvalMode, 'manual'],
      ['baseUrl', 7, (settings: Settings) => settings.baseUrl, ''],
      ['baseUrl', ' https://a.test/v1 ', ({ baseUrl }: Settings) => baseUrl, 'https://a.test/v1'],
      ['digestAfterMinutes', -1, (settings: Settings) => settings.digestAfterMinutes, 10],
      ['chat.narration', 'loud', ({ page }: Settings) => page.narration, 'sentences'],
      ['chat.narration', 'off', ({ page }: Settings) => page.narration, 'off'],
      ['chat.speechRate', 0, ({ page }: Settings) => page.speechRate, 5],
      ['chat.escapeStops', 'no', ({ page }: Settings) => page.escapeStops, true],
      ['chat.escapeStops', false, ({ page }: Settings) => page.escapeStops, false],
      ['chat.fontSize', 2, ({ page }: Settings) => page.fontSize, 6],
    ] as const) {
      await set(name, value);
      assert.equal(read(new Settings()), expected, name);
    }
  });

  it('the extension fires an event when a setting of chat pages changes', async () => {
    const settings = new Settings();
    const changed = new Promise<void>((resolve) => {
      const listener = settings.onDidChangePage(() => {
        listener.dispose();
        resolve();
      });
    });
    await set('chat.fontSize', 20);
    await changed;
    assert.equal(settings.page.fontSize, 20);
  });

  it('a workspace cannot set the service URL, the approval mode or a cost limit', async () => {
    for (const name of ['baseUrl', 'approvalMode', 'costLimit', 'dailyCostLimit'])
      await assert.rejects(
        async () => await section.update(name, 'x', vscode.ConfigurationTarget.Workspace),
      );
  });
});
