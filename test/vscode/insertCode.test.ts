import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../harness/until.ts';
import { activeFile, relative, text, useReplyStage } from './support/replyStage.ts';
import { writeFile } from './support/workspace.ts';

describe('code of a reply', () => {
  const stage = useReplyStage('insert-code');
  const { folder } = stage;

  it('Insert puts code into the last active editor while the chat has the focus', async () => {
    const editor = await stage.show([0, 3]);
    const panel = vscode.window.createWebviewPanel('test', 'Chat', vscode.ViewColumn.One);
    await eventually(() => vscode.window.activeTextEditor === undefined);
    await stage.actions.insertAtCursor('!');
    assert.equal(editor.document.getText(), text.replace('one', 'one!'));
    assert.equal(activeFile(), stage.file.toString());
    panel.dispose();
  });

  it('inserted code replaces every selection', async () => {
    const editor = await stage.show([0, 0, 3], [2, 0, 5]);
    await stage.actions.insertAtCursor('x');
    assert.equal(editor.document.getText(), 'x\n  two\nx\n');
  });

  it('inserted code adopts the indentation of its line', async () => {
    const editor = await stage.show([1, 2, 5]);
    await stage.actions.insertAtCursor('if (`${a}`) {\n  b\\n;\n}');
    assert.equal(editor.document.lineAt(1).text, '  if (`${a}`) {');
    assert.equal(editor.document.lineAt(2).text, '    b\\n;');
    assert.equal(editor.document.lineAt(3).text, '  }');
  });

  it('inserted code goes into the cell of a notebook beside the chat', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'one', 'python');
    const data = new vscode.NotebookData([cell]);
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
    await vscode.window.showNotebookDocument(notebook, { viewColumn: vscode.ViewColumn.One });
    await vscode.commands.executeCommand('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    await eventually(() => vscode.window.activeTextEditor?.document === document);
    const panel = vscode.window.createWebviewPanel('test', 'Chat', vscode.ViewColumn.Two);
    await eventually(() => vscode.window.activeTextEditor === undefined);
    await stage.actions.insertAtCursor('zero\n');
    assert.deepEqual([document.getText(), stage.messages], ['zero\none', []]);
    const tabs = vscode.window.tabGroups.all.map((group) => group.tabs.length);
    assert.deepEqual(tabs, [1, 1]);
    panel.dispose();
  });

  it('a message says that a read-only editor takes no code', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const setReadOnly = (value: object | undefined) =>
      files.update('readonlyInclude', value, vscode.ConfigurationTarget.Global);
    await setReadOnly({ '**/*.ts': true });
    try {
      const { document } = await stage.show([0, 0]);
      await stage.actions.insertAtCursor('x');
      const said = ['The code wasn’t inserted. This editor is read-only.'];
      assert.deepEqual([document.getText(), stage.messages], [text, said]);
    } finally {
      await setReadOnly(undefined);
    }
  });

  describe('insertion after a link', () => {
    const follow = async () => {
      await stage.actions.openLink(encodeURI(relative(stage.file)));
      await eventually(() => activeFile() === stage.file.toString());
    };
    const pressArrow = async () => {
      const [before] = vscode.window.activeTextEditor?.selections ?? [];
      await vscode.commands.executeCommand('cursorRight');
      await eventually(() => {
        const [after] = vscode.window.activeTextEditor?.selections ?? [];
        return before !== undefined && after?.isEqual(before) === false;
      });
    };
    /** Inserts code, which must not change the file. */
    const insertNothing = async () => {
      await stage.actions.insertAtCursor('evil');
      const document = await vscode.workspace.openTextDocument(stage.file);
      assert.equal(document.getText(), text);
    };

    it('Insert uses a file that a link opened only after the user moves its cursor', async () => {
      await follow();
      await insertNothing();
      const [message] = stage.messages;
      assert.match(message ?? '', /^Place the cursor in .+, then insert it again\.$/);
      stage.now += 1_000;
      await pressArrow();
      await stage.actions.insertAtCursor('good');
      const { document } = await vscode.window.showTextDocument(stage.file);
      assert.equal(document.getText(), text.replace('one', 'ogoodne'));
    });

    it('Insert puts no code at a place that a link leads to', async () => {
      await stage.show([0, 0]);
      await stage.actions.openLink(`${encodeURI(relative(stage.file))}:3:1`);
      await insertNothing();
    });

    it('a link ignores keys that the user types while it takes the focus', async () => {
      await follow();
      for (let key = 0; key < 3; key += 1) {
        stage.now += 999;
        await pressArrow();
      }
      await insertNothing();
    });

    it('Insert puts no code into a file that became active without the user', async () => {
      await follow();
      const over = await writeFile(folder, 'src/over.ts', '');
      await vscode.window.showTextDocument(over, { preview: false });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await eventually(() => activeFile() === stage.file.toString());
      await insertNothing();
    });

    it('Insert puts no code into editors that were open before the extension started', async () => {
      await stage.show([0, 0]);
      stage.stop();
      stage.start();
      await insertNothing();
    });

    it('Insert puts no code into files of an untrusted workspace', async () => {
      await stage.show([0, 0]);
      stage.replace(vscode.workspace, 'isTrusted', false);
      await insertNothing();
      assert.deepEqual(stage.messages, ['Code can be inserted only in a trusted workspace.']);
    });
  });

  describe('insertion into risky files', () => {
    /** The questions, with their details. */
    let asked: string[];
    let button: string | undefined;

    beforeEach(() => {
      asked = [];
      button = undefined;
      const ask = (message: string, options?: vscode.MessageOptions) => {
        if (message.startsWith('The code has')) return Promise.resolve('Keep Hidden Characters');
        asked.push([message, options?.modal, options?.detail].join('|'));
        return Promise.resolve(button);
      };
      stage.replace(vscode.window, 'showWarningMessage', ask);
    });

    const insertInto = async (name: string, held = '') => {
      stage.file = await writeFile(folder, name, held);
      const editor = await stage.show([0, 0]);
      await stage.actions.insertAtCursor('a\u202eb');
      const shown = editor.document.getText();
      await vscode.commands.executeCommand('workbench.action.files.revert');
      return shown;
    };

    it('Insert asks before using a risky file, with hidden characters spelled out', async () => {
      assert.equal(await insertInto('.git/config'), '');
      assert.match(asked.join(), /^Insert code into .+\?\|true\|.+\n\na<U\+202E>b$/);
      button = 'Insert';
      assert.equal(await insertInto('.git/config'), 'a\u202eb');
    });

    it('Insert asks before using a script or a link to a risky file', async () => {
      const script = '#!/usr/bin/env python3\n';
      assert.equal(await insertInto('tool.py', script), script);
      await writeFile(folder, '.vscode/settings.json', '');
      await symlink('.vscode/settings.json', path.join(folder.fsPath, 'plain.txt'));
      assert.equal(await insertInto('plain.txt'), '');
      assert.equal(asked.length, 2);
    });

    it('Insert asks before it writes hostile code into the settings of the user', async () => {
      await vscode.commands.executeCommand('workbench.action.openSettingsJson');
      const { document } = vscode.window.activeTextEditor!;
      const before = document.getText();
      await stage.actions.insertAtCursor('x');
      assert.deepEqual([document.getText(), asked.length], [before, 1]);
    });

    it('Insert puts code into ordinary source without asking', async () => {
      assert.equal(await insertInto('src/ordinary.ts'), 'a\u202eb');
      assert.deepEqual(asked, []);
    });
  });

  it('Insert asks the user to open a file after the last editor was closed', async () => {
    await stage.show([0, 0]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await stage.actions.insertAtCursor('x');
    const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
    assert.deepEqual([stage.messages.length, isOpen], [1, false]);
  });

  describe('hidden characters of code', () => {
    const code = 'if (a) {\u202e\u2066 b';
    let asked: string[];
    let button: string | undefined;
    beforeEach(() => {
      asked = [];
      const ask = (message: string, options?: vscode.MessageOptions) => {
        asked.push(`${message}|${String(options?.modal)}`);
        return Promise.resolve(button);
      };
      stage.replace(vscode.window, 'showWarningMessage', ask);
    });

    for (const [answer, used] of [
      [undefined, 'before'],
      ['Remove Hidden Characters', 'if (a) { b'],
      ['Keep Hidden Characters', code],
    ] as const)
      it(`code with hidden characters is copied and inserted as the user answers (${answer ?? 'no answer'})`, async () => {
        button = answer;
        await vscode.env.clipboard.writeText('before');
        await stage.actions.copyCode(code);
        assert.equal(await vscode.env.clipboard.readText(), used);
        stage.file = await writeFile(folder, 'src/hidden.ts', '');
        const editor = await stage.show([0, 0]);
        await stage.actions.insertAtCursor(code);
        assert.equal(editor.document.getText(), used === 'before' ? '' : used);
        await vscode.commands.executeCommand('workbench.action.files.revert');
        assert.deepEqual(asked, Array(2).fill('The code has 2 hidden characters.|true'));
      });

    it('code without hidden characters needs no question', async () => {
      await stage.actions.copyCode('👩‍💻 plain');
      assert.equal(await vscode.env.clipboard.readText(), '👩‍💻 plain');
      assert.deepEqual(asked, []);
    });
  });

  describe('new file', () => {
    const open = async (language: string, code = 'x = 1') => {
      await stage.actions.newFile(code, language);
      return vscode.window.activeTextEditor?.document;
    };

    it('New File opens an untitled document in the language of the code block', async () => {
      const document = await open('py');
      assert.equal(document?.isUntitled, true);
      assert.deepEqual([document.getText(), document.languageId], ['x = 1', 'python']);
      assert.equal((await open('TypeScript'))?.languageId, 'typescript');
      assert.equal((await open('sh'))?.languageId, 'shellscript');
    });

    it('New File opens code with a command link as plain text in languages that have links', async () => {
      const known = await vscode.languages.getLanguages();
      const drawn = ['markdown', 'prompt', 'instructions', 'skill'].filter((id) =>
        known.includes(id),
      );
      const code = '# Notes\n\n[Read on](command:workbench.action.quit)\n';
      for (const language of [...drawn, '', 'no-such-language'])
        assert.equal((await open(language, code))?.languageId, 'plaintext', language);
      const script = await open('py', code);
      assert.deepEqual([script?.languageId, script?.getText()], ['python', code]);
    });
  });
});
