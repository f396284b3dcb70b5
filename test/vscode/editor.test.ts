import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile as nodeWriteFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ReplyActions } from '../../src/features/editor/editorActions.ts';
import { LastTextEditor } from '../../src/features/editor/lastTextEditor.ts';
import type { Log } from '../../src/platform/log/log.ts';
import { eventually } from '../harness/until.ts';
import { folderOfTests, writeFile } from './support/workspace.ts';

const text = ['one', '  two', 'three', ''].join('\n');

interface Manifest {
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly extensions?: readonly string[] }[];
  };
}

describe('actions of a reply', () => {
  let folder: vscode.Uri;
  /** A new one for each test, because VS Code remembers the selections of files. */
  let file: vscode.Uri;
  let files = 0;
  let lastEditor: LastTextEditor;
  /** The monotonic clock of the last text editor, in ms. */
  let now: number;
  let actions: ReplyActions;
  /** The messages that were shown, and the button that is pressed. */
  let messages: string[];
  let answer: string | undefined;
  let logged: string[];
  let opened: string[];
  const restores: (() => void)[] = [];

  /** Replaces a member of VS Code's API until the test ends. */
  function replace<T extends object>(owner: T, name: keyof T, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    restores.push(() => Object.defineProperty(owner, name, original));
  }

  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message, _failure, about) => logged.push(`${message}: ${about ?? ''}`),
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
    now = 0;
    messages = [];
    logged = [];
    opened = [];
    answer = undefined;
    file = await writeFile(folder, `src/my file ${++files}.ts`, text);
    lastEditor = new LastTextEditor({ monotonic: () => now });
    actions = new ReplyActions(lastEditor, log);
    replace(vscode.window, 'showWarningMessage', (message: string) => {
      messages.push(message);
      return Promise.resolve(undefined);
    });
    const ask = (_: string, { detail }: vscode.MessageOptions) => {
      messages.push(detail ?? '');
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
    lastEditor.dispose();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  describe('insert at cursor', () => {
    it('inserts code into the last active editor while the chat has the focus', async () => {
      const editor = await show([0, 3]);
      const panel = vscode.window.createWebviewPanel('test', 'Chat', vscode.ViewColumn.One);
      await eventually(() => vscode.window.activeTextEditor === undefined);
      await actions.insertAtCursor('!');
      assert.equal(editor.document.getText(), text.replace('one', 'one!'));
      assert.equal(activeFile(), file.toString());
      panel.dispose();
    });

    it('inserted code replaces every selection', async () => {
      const editor = await show([0, 0, 3], [2, 0, 5]);
      await actions.insertAtCursor('x');
      assert.equal(editor.document.getText(), 'x\n  two\nx\n');
    });

    it('inserted code adopts the indentation of its line', async () => {
      const editor = await show([1, 2, 5]);
      await actions.insertAtCursor('if (`${a}`) {\n  b\\n;\n}');
      assert.equal(editor.document.lineAt(1).text, '  if (`${a}`) {');
      assert.equal(editor.document.lineAt(2).text, '    b\\n;');
      assert.equal(editor.document.lineAt(3).text, '  }');
    });

    describe('insertion after a link', () => {
      const follow = async () => {
        await actions.openLink(encodeURI(relative(file)));
        await eventually(() => activeFile() === file.toString());
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
        await actions.insertAtCursor('evil');
        const document = await vscode.workspace.openTextDocument(file);
        assert.equal(document.getText(), text);
      };

      it('inserts code into a file that a link opened only after the user moves its cursor', async () => {
        await follow();
        await insertNothing();
        const [message] = messages;
        assert.match(message ?? '', /^Place the cursor in .+, then insert it again\.$/);
        now += 1_000;
        await pressArrow();
        await actions.insertAtCursor('good');
        const { document } = await vscode.window.showTextDocument(file);
        assert.equal(document.getText(), text.replace('one', 'ogoodne'));
      });

      it('inserts no code at a place that a link leads to', async () => {
        await show([0, 0]);
        await actions.openLink(`${encodeURI(relative(file))}:3:1`);
        await insertNothing();
      });

      it('ignores keys that the user types while a link takes the focus', async () => {
        await follow();
        for (let key = 0; key < 3; key += 1) {
          now += 999;
          await pressArrow();
        }
        await insertNothing();
      });

      it('inserts no code into a file that became active without the user', async () => {
        await follow();
        const over = await writeFile(folder, 'src/over.ts', '');
        await vscode.window.showTextDocument(over, { preview: false });
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        await eventually(() => activeFile() === file.toString());
        await insertNothing();
      });

      it('inserts no code into editors that were open before the extension started', async () => {
        await show([0, 0]);
        lastEditor.dispose();
        lastEditor = new LastTextEditor({ monotonic: () => now });
        actions.dispose();
        actions = new ReplyActions(lastEditor, log);
        await insertNothing();
      });

      it('inserts no code in an untrusted workspace', async () => {
        await show([0, 0]);
        replace(vscode.workspace, 'isTrusted', false);
        await insertNothing();
        assert.deepEqual(messages, ['Code can be inserted only in a trusted workspace.']);
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
          if (message.startsWith('The code has')) return Promise.resolve('Keep Them');
          asked.push([message, options?.modal, options?.detail].join('|'));
          return Promise.resolve(button);
        };
        replace(vscode.window, 'showWarningMessage', ask);
      });

      const insertInto = async (name: string, held = '') => {
        file = await writeFile(folder, name, held);
        const editor = await show([0, 0]);
        await actions.insertAtCursor('a\u202eb');
        const shown = editor.document.getText();
        await vscode.commands.executeCommand('workbench.action.files.revert');
        return shown;
      };

      it('asks before inserting code into a risky file, with hidden characters spelled out', async () => {
        assert.equal(await insertInto('.git/config'), '');
        assert.match(asked.join(), /^Insert code into .+\?\|true\|.+\n\na<U\+202E>b$/);
        button = 'Insert';
        assert.equal(await insertInto('.git/config'), 'a\u202eb');
      });

      it('asks before inserting code into a script or through a link to a risky file', async () => {
        const script = '#!/usr/bin/env python3\n';
        assert.equal(await insertInto('tool.py', script), script);
        await writeFile(folder, '.vscode/settings.json', '');
        await symlink('.vscode/settings.json', path.join(folder.fsPath, 'plain.txt'));
        assert.equal(await insertInto('plain.txt'), '');
        assert.equal(asked.length, 2);
      });

      it('inserts code into ordinary source without asking', async () => {
        assert.equal(await insertInto('src/ordinary.ts'), 'a\u202eb');
        assert.deepEqual(asked, []);
      });
    });

    it('asks the user to open a file after the last editor was closed', async () => {
      await show([0, 0]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await actions.insertAtCursor('x');
      const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
      assert.deepEqual([messages.length, isOpen], [1, false]);
    });
  });

  describe('new file', () => {
    const open = async (language: string, code = 'x = 1') => {
      await actions.newFile(code, language);
      return vscode.window.activeTextEditor?.document;
    };

    it('New File opens an untitled document in the language of the code block', async () => {
      const document = await open('py');
      assert.equal(document?.isUntitled, true);
      assert.deepEqual([document.getText(), document.languageId], ['x = 1', 'python']);
      assert.equal((await open('TypeScript'))?.languageId, 'typescript');
      assert.equal((await open('sh'))?.languageId, 'shellscript');
    });

    it('New File opens a document even if the language is unknown', async () => {
      assert.equal((await open('no-such-language'))?.getText(), 'x = 1');
      assert.equal((await open(''))?.getText(), 'x = 1');
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

    it('a diff disables command links only in Markdown files', async () => {
      const link = '[Read on](command:workbench.action.quit)';
      const markdown = vscode.extensions.getExtension('vscode.markdown')?.packageJSON as Manifest;
      const endings = markdown.contributes.languages.flatMap(({ id, extensions = [] }) =>
        id === 'markdown' ? extensions : [],
      );
      assert.ok(endings.includes('.md'));
      await actions.openDiff(
        endings.map((ending) => diffOf(`none${ending}`, '-one', `+${link}`)).join(''),
      );
      const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.includes('none.'));
      for (const ending of endings) {
        const ofEnding = shown.filter(({ uri }) => uri.path.endsWith(`none${ending}`));
        const texts = ofEnding.map((document) => document.getText()).join('');
        assert.ok(texts.includes('Read on') && !texts.includes('command:'), ending);
      }
      await actions.openDiff(diffOf('none.ts', '-one', `+${link}`));
      await eventually(async () => (await sides()).after === `${link}\n`);
    });

    it('a diff compares with the unsaved text of the file in the workspace', async () => {
      const editor = await show([2, 0]);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'unsaved '));
      await actions.openDiff(diffOf(relative(file), '-one', '+ONE', '   two'));
      const { input, before, after } = await sides();
      assert.equal(input.original.toString(), file.toString());
      assert.equal(before, text.replace('three', 'unsaved three'));
      assert.equal(after, before.replace('one', 'ONE'));
      await show([0, 0]);
    });

    it('a diff shows an excerpt if its old lines are not in the file', async () => {
      await actions.openDiff(diffOf(relative(file), ' zero', '-gone', '+come'));
      const { input, before, after } = await sides();
      assert.equal(input.original.scheme, 'interns-diff');
      assert.deepEqual([before, after], ['zero\ngone\n', 'zero\ncome\n']);
    });

    it('a diff reads no file outside the workspace', async () => {
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

    it('shows a diff that is opened again in the same tab', async () => {
      const diff = diffOf('x.ts', '-a', '+b');
      await actions.openDiff(diff);
      await actions.openDiff(diff);
      assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 1);
    });

    it('warns about a diff without changes', async () => {
      await actions.openDiff('just words');
      assert.equal(messages.length, 1);
    });
  });

  describe('apply', () => {
    let applied: number;
    const labels: string[] = [];
    const read = async (name: string) => {
      const uri = vscode.Uri.joinPath(folder, name);
      return vscode.workspace.fs.readFile(uri).then(String, () => undefined);
    };
    const diffOf = (before: string, after: string, ...lines: readonly string[]) =>
      [`--- ${before}`, `+++ ${after}`, ...lines, ''].join('\n');
    const within = (name: string) => `${relative(folder)}/${name}`;

    beforeEach(() => {
      applied = 0;
      labels.length = 0;
      const warn = (message: string, options?: vscode.MessageOptions, button?: string) => {
        messages.push(...(options?.detail ?? message).split('\n'));
        return Promise.resolve(button);
      };
      replace(vscode.window, 'showWarningMessage', warn);
      // Applies everything without a preview, as if the user ticked all changes.
      for (const name of ['replace', 'createFile', 'deleteFile', 'renameFile'] as const) {
        const { prototype } = vscode.WorkspaceEdit;
        const original = Reflect.get(prototype, name) as (...args: unknown[]) => void;
        const unasked = function (this: vscode.WorkspaceEdit, ...args: unknown[]): void {
          const metadata = args.pop() as vscode.WorkspaceEditEntryMetadata | undefined;
          assert.equal(metadata?.needsConfirmation, true);
          labels.push(metadata.label);
          original.apply(this, args);
        };
        replace(prototype, name, unasked);
      }
      const original = vscode.workspace.applyEdit.bind(vscode.workspace);
      const applyEdit = (edit: vscode.WorkspaceEdit, options: vscode.WorkspaceEditMetadata) => {
        applied += 1;
        return original(edit, options);
      };
      replace(vscode.workspace, 'applyEdit', applyEdit);
    });

    it('applies the changes of a diff that still fit as one undo step', async () => {
      const editor = await show([2, 0]);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'unsaved '));
      const before = editor.document.getText();
      const path = relative(file);
      await actions.applyDiff(
        diffOf(
          `a/${path}`,
          `b/${path}`,
          ...['@@ -1,2 +1,2 @@', '-one', '+ONE', '   two'],
          ...['@@ -7,2 +7,2 @@', '-gone', '+come', '@@ -3 +3,2 @@', ' unsaved three', '+four'],
        ),
      );
      assert.deepEqual(messages, [`${path}: change 2 of 3, at line 7, no longer fits.`]);
      const changed = before.replace('one', 'ONE').replace('three\n', 'three\nfour\n');
      assert.equal(editor.document.getText(), changed);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), before);
    });

    it('an applied diff creates, deletes and renames files', async () => {
      await writeFile(folder, 'old.txt', 'old\n');
      await writeFile(folder, 'was.txt', 'one\r\ntwo\r\n');
      const [old, was, is] = [within('old.txt'), within('was.txt'), within('new/is.txt')];
      await actions.applyDiff(
        [
          diffOf('/dev/null', `b/${within('made/new.txt')}`, '@@ -0,0 +1 @@', '+new'),
          diffOf(`a/${old}`, '/dev/null', '@@ -1 +0,0 @@', '-old'),
          [`diff --git a/${was} b/${is}`, `rename from ${was}`, `rename to ${is}`, ''].join('\n'),
          diffOf(`a/${was}`, `b/${is}`, '@@ -1,2 +1,3 @@', ' one', '+between', ' two'),
        ].join(''),
      );
      assert.deepEqual(messages, []);
      await eventually(async () => (await read('new/is.txt'))?.includes('between') === true);
      assert.deepEqual(
        await Promise.all(['made/new.txt', 'old.txt', 'was.txt', 'new/is.txt'].map(read)),
        ['new\n', undefined, undefined, 'one\r\nbetween\r\ntwo\r\n'],
      );
    });

    it('the preview of a diff labels risky files', async () => {
      const risky = 'Suggested change to a file that tools run or agents follow';
      await writeFile(folder, '.vscode/settings.json', '{}\n');
      await symlink('.vscode', path.join(folder.fsPath, 'tools'));
      for (const [name, label] of [
        ['.vscode/tasks.json', risky],
        ['tools/launch.json', risky],
        ['docs/AGENTS.md', risky],
        ['src/vscode/tasks.json', 'Suggested change'],
      ] as const) {
        await actions.applyDiff(diffOf('/dev/null', within(name), '@@ -0,0 +1 @@', '+new'));
        assert.deepEqual(new Set(labels.splice(0)), new Set([label]), name);
      }
    });

    it('an applied diff changes nothing outside the workspace or in Git’s folder', async () => {
      const elsewhere = await mkdtemp(path.join(tmpdir(), 'interns-apply-'));
      await nodeWriteFile(path.join(elsewhere, 'x.txt'), 'a\n');
      await symlink(elsewhere, path.join(folder.fsPath, 'link'));
      await writeFile(folder, '.git/hooks/config', 'a\n');
      await symlink('.git/hooks', path.join(folder.fsPath, 'hooks'));
      await symlink('.git/hooks/config', path.join(folder.fsPath, 'conf'));
      const outside = [
        `${elsewhere}/x.txt`,
        '../../../../../../../../etc/passwd',
        '..\\..\\x.txt',
        'C:/Windows/x.txt',
        `${folder.path}/../../x.txt`,
        within('link/x.txt'),
        within('.git/hooks/pre-commit'),
        within('.GIT. /config'),
        within('.git::$INDEX_ALLOCATION/config'),
        within('new.txt:stream'),
        within('conf'),
        within('hooks/config'),
        within('hooks/pre-commit'),
      ];
      for (const name of outside) {
        for (const diff of [
          diffOf(name, name, '@@ -1 +1 @@', '-a', '+b'),
          diffOf('/dev/null', name, '@@ -0,0 +1 @@', '+b'),
          diffOf(name, '/dev/null', '@@ -1 +0,0 @@', '-a'),
        ]) {
          await actions.applyDiff(diff);
          assert.match(messages.pop() ?? '', /isn’t in this workspace/, name);
        }
      }
      assert.equal(applied, 0);
      await rm(elsewhere, { recursive: true });
    });

    it('an applied diff changes no file with other lines', async () => {
      const path = relative(file);
      await actions.applyDiff(diffOf(path, '/dev/null', '@@ -1 +0,0 @@', '-one'));
      await actions.applyDiff(diffOf('/dev/null', path, '@@ -0,0 +1 @@', '+new'));
      await actions.applyDiff('-one\n+two');
      await actions.applyDiff('just words');
      const twice = within('twice.txt');
      await writeFile(folder, 'twice.txt', 'same\na\nsame\n');
      await actions.applyDiff(diffOf(twice, twice, '@@', '-same', '+changed'));
      await actions.applyDiff(diffOf('none.txt', 'none.txt', '@@', '-same', '+changed'));
      const reasons = [
        ...[/has changed, so it isn’t deleted/, /already exists/, /doesn’t name the file/],
        ...[/no changes to apply/, /fits in several places/, /isn’t in this workspace/],
      ];
      for (const [index, reason] of reasons.entries()) assert.match(messages[index] ?? '', reason);
      assert.deepEqual([messages.length, applied], [reasons.length, 0]);
    });
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
      replace(vscode.window, 'showWarningMessage', ask);
    });

    for (const [answer, used] of [
      [undefined, 'before'],
      ['Remove Them', 'if (a) { b'],
      ['Keep Them', code],
    ] as const)
      it(`copies and inserts hidden characters as the user answers (${answer ?? 'no answer'})`, async () => {
        button = answer;
        await vscode.env.clipboard.writeText('before');
        await actions.copyCode(code);
        assert.equal(await vscode.env.clipboard.readText(), used);
        file = await writeFile(folder, 'src/hidden.ts', '');
        const editor = await show([0, 0]);
        await actions.insertAtCursor(code);
        assert.equal(editor.document.getText(), used === 'before' ? '' : used);
        await vscode.commands.executeCommand('workbench.action.files.revert');
        assert.deepEqual(asked, Array(2).fill('The code has 2 hidden characters.|true'));
      });

    it('asks nothing about code without hidden characters', async () => {
      await actions.copyCode('👩‍💻 plain');
      assert.equal(await vscode.env.clipboard.readText(), '👩‍💻 plain');
      assert.deepEqual(asked, []);
    });
  });

  it('copies text to the clipboard', async () => {
    await actions.copy('copied');
    assert.equal(await vscode.env.clipboard.readText(), 'copied');
  });

  describe('links of a reply', () => {
    it('a link opens a file at its line or range', async () => {
      const path = encodeURI(relative(file));
      await actions.openLink(`${path}:2:3`);
      assert.equal(activeFile(), file.toString());
      const { active } = vscode.window.activeTextEditor?.selection ?? {};
      assert.deepEqual([active?.line, active?.character], [1, 2]);
      await actions.openLink(`./${path}#L1-L2`);
      const selection = vscode.window.activeTextEditor?.selection;
      assert.deepEqual([selection?.start.line, selection?.end.line], [0, 2]);
      assert.deepEqual(messages, []);
    });

    it('a link opens an absolute path or a file URI inside the workspace', async () => {
      for (const href of [file.path, file.toString(), `file://${encodeURI(file.path)}#L3`]) {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await actions.openLink(href);
        assert.equal(activeFile(), file.toString(), href);
      }
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
    });

    it('finds links in plain text only for files of the workspace', async () => {
      const path = relative(file);
      const others = ['no/such/file.ts', '../../../../etc/passwd', 'src', '/etc/passwd'];
      const paths = [`${path}:2:3`, path];
      assert.deepEqual(await actions.locate([...paths, ...others]), paths);
      assert.deepEqual(messages, []);
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
        `${folder.path}/../../../../../../etc/passwd`,
        'no/such/file.ts',
      ];
      for (const href of outside) await actions.openLink(href);
      assert.equal(messages.length, outside.length);
      assert.equal(activeInput(), undefined);
    });

    it('a link runs no command and opens no other program', async () => {
      let ran = false;
      const command = 'interns.test.hostile';
      const registration = vscode.commands.registerCommand(command, () => (ran = true));
      const hrefs = [`command:${command}?secret`, 'vscode://x/y', 'javascript:1', 'data:,x', '#a'];
      for (const href of hrefs) await actions.openLink(href);
      registration.dispose();
      assert.equal(ran, false);
      assert.deepEqual(opened, []);
      assert.equal(messages.length, 5);
      assert.match(logged[0] ?? '', /: command$/u);
    });

    it('passes the web address of a link to VS Code unchanged', async () => {
      const given: unknown[][] = [];
      replace(vscode.commands, 'executeCommand', (...all: unknown[]) => {
        given.push(all);
        return Promise.resolve();
      });
      const href = 'https://example.com/a%2Fb?q=1%262&r=%E4#%20x';
      await actions.openLink(href);
      assert.deepEqual(given, [['vscode.open', href]]);
    });

    it('asks before a link opens a mail address or an address of this machine', async () => {
      const links = ['mailto:a@example.com', 'http://localhost:1/x?y=1'];
      for (const href of links) await actions.openLink(href);
      assert.deepEqual([messages, opened], [links, []]);
      answer = 'Open';
      for (const href of links) await actions.openLink(href);
      assert.equal(opened.length, 2);
    });
  });
});
