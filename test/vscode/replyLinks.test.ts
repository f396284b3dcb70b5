import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activeFile, activeInput, relative, useReplyStage } from './support/replyStage.ts';

describe('links of a reply', () => {
  const stage = useReplyStage('reply-links');

  it('a link opens a file at its line or range', async () => {
    const path = encodeURI(relative(stage.file));
    await stage.actions.openLink(`${path}:2:3`);
    assert.equal(activeFile(), stage.file.toString());
    const { active } = vscode.window.activeTextEditor?.selection ?? {};
    assert.deepEqual([active?.line, active?.character], [1, 2]);
    await stage.actions.openLink(`./${path}#L1-L2`);
    const selection = vscode.window.activeTextEditor?.selection;
    assert.deepEqual([selection?.start.line, selection?.end.line], [0, 2]);
    assert.deepEqual(stage.messages, []);
  });

  it('a link opens an absolute path or a file URI inside the workspace', async () => {
    for (const href of [
      stage.file.path,
      stage.file.toString(),
      `file://${encodeURI(stage.file.path)}#L3`,
    ]) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await stage.actions.openLink(href);
      assert.equal(activeFile(), stage.file.toString(), href);
    }
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
  });

  it('the link finder finds links in plain text only for files of the workspace', async () => {
    const path = relative(stage.file);
    const others = ['no/such/file.ts', '../../../../etc/passwd', 'src', '/etc/passwd'];
    const paths = [`${path}:2:3`, path];
    assert.deepEqual(await stage.actions.locate([...paths, ...others]), paths);
    assert.deepEqual(stage.messages, []);
  });

  it('a link opens no file outside the workspace', async () => {
    const outside = [
      '/etc/passwd',
      'file:///etc/passwd',
      'file://host.example/etc/passwd',
      '//host.example/share/a.ts',
      '../../../../../../../etc/passwd',
      '%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '..\\..\\..\\..\\..\\..\\etc\\passwd',
      `${stage.folder.path}/../../../../../../etc/passwd`,
      'no/such/file.ts',
    ];
    for (const href of outside) await stage.actions.openLink(href);
    assert.equal(stage.messages.length, outside.length);
    assert.equal(activeInput(), undefined);
  });

  it('a link runs no command and opens no other program', async () => {
    let ran = false;
    const command = 'interns.test.hostile';
    const registration = vscode.commands.registerCommand(command, () => (ran = true));
    const hrefs = [`command:${command}?secret`, 'vscode://x/y', 'javascript:1', 'data:,x', '#a'];
    for (const href of hrefs) await stage.actions.openLink(href);
    registration.dispose();
    assert.equal(ran, false);
    assert.deepEqual(stage.opened, []);
    assert.equal(stage.messages.length, 5);
    assert.match(stage.log.lines[0] ?? '', /\[command\]$/u);
  });

  it('a link passes its web address to VS Code unchanged', async () => {
    const given: unknown[][] = [];
    stage.replace(vscode.commands, 'executeCommand', (...all: unknown[]) => {
      given.push(all);
      return Promise.resolve();
    });
    const href = 'https://example.com/a%2Fb?q=1%262&r=%E4#%20x';
    await stage.actions.openLink(href);
    assert.deepEqual(given, [['vscode.open', href]]);
  });

  it('a question comes before a link opens a mail address or an address of this machine', async () => {
    const links = ['mailto:a@example.com', 'http://localhost:1/x?y=1'];
    for (const href of links) await stage.actions.openLink(href);
    assert.deepEqual([stage.messages, stage.opened], [links, []]);
    stage.answer = 'Open';
    for (const href of links) await stage.actions.openLink(href);
    assert.equal(stage.opened.length, 2);
  });
});
