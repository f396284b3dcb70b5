import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EditorActions } from '../../src/host/editor/editorActions.ts';
import type { Log } from '../../src/host/log/log.ts';
import { eventually, folderOfTests, writeFile } from './support/workspace.ts';

const text = ['one', '  two', 'three', ''].join('\n');

describe('what a reply does in the editor', () => {
  let folder: vscode.Uri;
  /** Another one for each test: VS Code remembers the selection of one that was open before. */
  let file: vscode.Uri;
  let files = 0;
  let actions: EditorActions;
  /** What the user was told, and asked with the answer that is given. */
  let told: string[];
  let answer: string | undefined;
  let logged: string[];
  let opened: string[];
  const restores: (() => void)[] = [];

  /** Puts a stand-in in the place of a function of VS Code's until the test ends. */
  function replace<T extends object>(owner: T, name: keyof T, standIn: unknown): void {
    const original = owner[name];
    owner[name] = standIn as T[keyof T];
    restores.push(() => (owner[name] = original));
  }

  const log: Log = {
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (message) => logged.push(message),
    error: (message, failure) => logged.push(`${message}: ${String(failure)}`),
    request: () => undefined,
  };

  const show = async (...ranges: readonly number[][]) => {
    const editor = await vscode.window.showTextDocument(file);
    editor.selections = ranges.map(
      ([line = 0, from = 0, to = from]) => new vscode.Selection(line, from, line, to),
    );
    return editor;
  };
  const relative = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri);
  const activeInput = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const activeFile = () => vscode.window.activeTextEditor?.document.uri.toString();

  before(() => {
    folder = folderOfTests('editor');
  });

  beforeEach(async () => {
    told = [];
    logged = [];
    opened = [];
    answer = undefined;
    file = await writeFile(folder, `src/my file ${++files}.ts`, text);
    actions = new EditorActions(log);
    replace(vscode.window, 'showWarningMessage', (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    });
    const ask = (_: string, { detail }: vscode.MessageOptions) => {
      told.push(detail ?? '');
      return Promise.resolve(answer);
    };
    replace(vscode.window, 'showInformationMessage', ask);
    replace(vscode.env, 'openExternal', (uri: vscode.Uri) => {
      opened.push(uri.toString());
      return Promise.resolve(true);
    });
  });

  afterEach(async () => {
    for (const restore of restores.splice(0)) restore();
    actions.dispose();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  describe('insert at cursor', () => {
    it('goes to the editor that was last active while the chat has the focus', async () => {
      const editor = await show([0, 3]);
      const panel = vscode.window.createWebviewPanel('test', 'Chat', vscode.ViewColumn.One);
      await eventually(() => vscode.window.activeTextEditor === undefined);
      await actions.insertAtCursor('!');
      assert.equal(editor.document.getText(), text.replace('one', 'one!'));
      assert.equal(activeFile(), file.toString());
      panel.dispose();
    });

    it('replaces what is selected, at every cursor', async () => {
      const editor = await show([0, 0, 3], [2, 0, 5]);
      await actions.insertAtCursor('x');
      assert.equal(editor.document.getText(), 'x\n  two\nx\n');
    });

    it('takes on the indentation of the line, and every character as it is', async () => {
      const editor = await show([1, 2, 5]);
      await actions.insertAtCursor('if (`${a}`) {\n  b\\n;\n}');
      assert.equal(editor.document.lineAt(1).text, '  if (`${a}`) {');
      assert.equal(editor.document.lineAt(2).text, '    b\\n;');
      assert.equal(editor.document.lineAt(3).text, '  }');
    });

    it('says what to do where there is no editor', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await actions.insertAtCursor('x');
      assert.equal(told.length, 1);
    });

    it('never goes to an editor that was closed', async () => {
      await show([0, 0]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await actions.insertAtCursor('x');
      const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
      assert.deepEqual([told.length, isOpen], [1, false]);
    });
  });

  describe('new file', () => {
    const open = async (language: string) => {
      await actions.newFile('x = 1', language);
      return vscode.window.activeTextEditor?.document;
    };

    it('is untitled, with the code and the language of its block', async () => {
      const document = await open('py');
      assert.deepEqual(
        [document?.isUntitled, document?.getText(), document?.languageId],
        [true, 'x = 1', 'python'],
      );
      assert.equal((await open('TypeScript'))?.languageId, 'typescript');
      assert.equal((await open('sh'))?.languageId, 'shellscript');
    });

    it('opens though the language is one that the editor does not know', async () => {
      assert.equal((await open('no-such-language'))?.getText(), 'x = 1');
      assert.equal((await open(''))?.getText(), 'x = 1');
    });
  });

  describe('open diff', () => {
    const sides = async () => {
      const input = activeInput();
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const [before, after] = await Promise.all(
        [input.original, input.modified].map(async (uri) => {
          const document = await vscode.workspace.openTextDocument(uri);
          return document.getText();
        }),
      );
      return { input, before, after };
    };
    const diffOf = (path: string, ...lines: readonly string[]) =>
      [`--- a/${path}`, `+++ b/${path}`, '@@ -1,2 +1,2 @@', ...lines, ''].join('\n');

    it('compares with the file of the workspace, unsaved changes included', async () => {
      const editor = await show([2, 0]);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'unsaved '));
      await actions.openDiff(diffOf(relative(file), '-one', '+ONE', '   two'));
      const { input, before, after } = await sides();
      assert.equal(input.original.toString(), file.toString());
      assert.equal(before, text.replace('three', 'unsaved three'));
      assert.equal(after, before.replace('one', 'ONE'));
      await show([0, 0]);
    });

    it('shows the changed lines alone where they are not in the file', async () => {
      await actions.openDiff(diffOf(relative(file), ' zero', '-gone', '+come'));
      const { input, before, after } = await sides();
      assert.equal(input.original.scheme, 'interns-diff');
      assert.deepEqual([before, after], ['zero\ngone\n', 'zero\ncome\n']);
    });

    it('reads no file outside of the workspace', async () => {
      await actions.openDiff(diffOf('../../../../../../etc/passwd', ' root', '-a', '+b'));
      assert.equal((await sides()).before, 'root\na\n');
    });

    it('shows all files of a diff in one tab', async () => {
      const diff = diffOf('x.ts', '-a', '+b') + diffOf('y.ts', '-c', '+d');
      await actions.openDiff(diff);
      const { tabs } = vscode.window.tabGroups.activeTabGroup;
      assert.deepEqual(
        tabs.map(({ label }) => label.includes('2')),
        [true],
      );
    });

    it('shows the same diff in the same tab again', async () => {
      const diff = diffOf('x.ts', '-a', '+b');
      await actions.openDiff(diff);
      await actions.openDiff(diff);
      assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 1);
    });

    it('says so where there is no change in it', async () => {
      await actions.openDiff('just words');
      assert.equal(told.length, 1);
    });
  });

  it('copies text', async () => {
    await actions.copy('copied');
    assert.equal(await vscode.env.clipboard.readText(), 'copied');
  });

  describe('a link', () => {
    it('opens a file of the workspace at its line, and selects a range', async () => {
      const path = encodeURI(relative(file));
      await actions.openLink(`${path}:2:3`);
      assert.equal(activeFile(), file.toString());
      const { active } = vscode.window.activeTextEditor?.selection ?? {};
      assert.deepEqual([active?.line, active?.character], [1, 2]);
      await actions.openLink(`./${path}#L1-L2`);
      const selection = vscode.window.activeTextEditor?.selection;
      assert.deepEqual([selection?.start.line, selection?.end.line], [0, 2]);
      assert.deepEqual(told, []);
    });

    it('opens an absolute path and a file: address inside the workspace', async () => {
      for (const href of [file.path, file.toString(), `file://${encodeURI(file.path)}#L3`]) {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await actions.openLink(href);
        assert.equal(activeFile(), file.toString(), href);
      }
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
    });

    it('is told from plain text where the workspace has the file, and for no folder or file elsewhere', async () => {
      const path = relative(file);
      const paths = [
        `${path}:2:3`,
        path,
        'no/such/file.ts',
        '../../../../etc/passwd',
        'src',
        '/etc/passwd',
      ];
      assert.deepEqual(await actions.locate(paths), [`${path}:2:3`, path]);
      assert.deepEqual(told, []);
    });

    it('opens no file outside of the workspace, however it is written', async () => {
      const outside = [
        '/etc/passwd',
        'file:///etc/passwd',
        'file://host.example/etc/passwd',
        '//host.example/share/a.ts',
        '../../../../../../../etc/passwd',
        '%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
        '..\\..\\..\\..\\..\\..\\etc\\passwd',
        `${folder.path}/../../../../../../etc/passwd`,
        'no/such/file.ts',
      ];
      for (const href of outside) await actions.openLink(href);
      assert.equal(told.length, outside.length);
      assert.equal(activeInput(), undefined);
    });

    it('runs no command and opens no other program', async () => {
      let ran = false;
      const command = 'interns.test.hostile';
      const registration = vscode.commands.registerCommand(command, () => (ran = true));
      for (const href of [`command:${command}`, 'vscode://x/y', 'javascript:1', 'data:,x', '#a'])
        await actions.openLink(href);
      registration.dispose();
      assert.equal(ran, false);
      assert.deepEqual(opened, []);
      assert.equal(told.length, 5);
      assert.match(logged[0] ?? '', /"command"/u);
    });

    it('leaves no part of what it says in the log but its scheme', async () => {
      await actions.openLink('command:secret?%5B%22words%22%5D');
      assert.ok(logged.every((line) => !/secret|words/u.test(line)));
    });

    it('to the web goes to VS Code letter by letter, so that its question shows all of it', async () => {
      const given: unknown[][] = [];
      replace(vscode.commands, 'executeCommand', (...all: unknown[]) => {
        given.push(all);
        return Promise.resolve();
      });
      const href = 'https://example.com/a%2Fb?q=1%262&r=%E4#%20x';
      await actions.openLink(href);
      assert.deepEqual(given, [['vscode.open', href]]);
    });

    it('to a mail address or this machine is asked about, with all of it in sight', async () => {
      const links = ['mailto:a@example.com', 'http://localhost:1/x?y=1'];
      for (const href of links) await actions.openLink(href);
      assert.deepEqual([told, opened], [links, []]);
      answer = 'Open';
      for (const href of links) await actions.openLink(href);
      assert.equal(opened.length, 2);
    });
  });
});
