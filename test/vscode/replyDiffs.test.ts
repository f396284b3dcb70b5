import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile as nodeWriteFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../harness/until.ts';
import { activeInput, relative, text, useReplyStage } from './support/replyStage.ts';
import { writeFile } from './support/workspace.ts';

interface Manifest {
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly extensions?: readonly string[] }[];
  };
}

describe('diffs of a reply', () => {
  const stage = useReplyStage('reply-diffs');
  const { folder } = stage;

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
      await stage.actions.openDiff(
        endings.map((ending) => diffOf(`none${ending}`, '-one', `+${link}`)).join(''),
      );
      const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.includes('none.'));
      for (const ending of endings) {
        const ofEnding = shown.filter(({ uri }) => uri.path.endsWith(`none${ending}`));
        const texts = ofEnding.map((document) => document.getText()).join('');
        assert.ok(texts.includes('Read on') && !texts.includes('command:'), ending);
      }
      await stage.actions.openDiff(diffOf('none.ts', '-one', `+${link}`));
      await eventually(async () => (await sides()).after === `${link}\n`);
    });

    it('a diff compares with the unsaved text of the file in the workspace', async () => {
      const editor = await stage.show([2, 0]);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'unsaved '));
      await stage.actions.openDiff(diffOf(relative(stage.file), '-one', '+ONE', '   two'));
      const { input, before, after } = await sides();
      assert.equal(input.original.toString(), stage.file.toString());
      assert.equal(before, text.replace('three', 'unsaved three'));
      assert.equal(after, before.replace('one', 'ONE'));
      await stage.show([0, 0]);
    });

    it('a diff shows an excerpt if its old lines are not in the file', async () => {
      await stage.actions.openDiff(diffOf(relative(stage.file), ' zero', '-gone', '+come'));
      const { input, before, after } = await sides();
      assert.equal(input.original.scheme, 'interns-diff');
      assert.deepEqual([before, after], ['zero\ngone\n', 'zero\ncome\n']);
    });

    it('a diff reads no file outside the workspace', async () => {
      await stage.actions.openDiff(diffOf('../../../../../../etc/passwd', ' root', '-a', '+b'));
      assert.equal((await sides()).before, 'root\na\n');
    });

    it('one tab shows all files of a diff', async () => {
      const diff = diffOf('x.ts', '-a', '+b') + diffOf('y.ts', '-c', '+d');
      await stage.actions.openDiff(diff);
      const { tabs } = vscode.window.tabGroups.activeTabGroup;
      assert.deepEqual(
        tabs.map(({ label }) => label.includes('2')),
        [true],
      );
    });

    it('a diff that is opened again appears in the same tab', async () => {
      const diff = diffOf('x.ts', '-a', '+b');
      await stage.actions.openDiff(diff);
      await stage.actions.openDiff(diff);
      assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 1);
    });

    it('a message warns about a diff without changes', async () => {
      await stage.actions.openDiff('just words');
      assert.equal(stage.messages.length, 1);
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
        stage.messages.push(...(options?.detail ?? message).split('\n'));
        return Promise.resolve(button);
      };
      stage.replace(vscode.window, 'showWarningMessage', warn);
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
        stage.replace(prototype, name, unasked);
      }
      const original = vscode.workspace.applyEdit.bind(vscode.workspace);
      const applyEdit = (edit: vscode.WorkspaceEdit, options: vscode.WorkspaceEditMetadata) => {
        applied += 1;
        return original(edit, options);
      };
      stage.replace(vscode.workspace, 'applyEdit', applyEdit);
    });

    it('an applied diff makes the changes that still fit as one undo step', async () => {
      const editor = await stage.show([2, 0]);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'unsaved '));
      const before = editor.document.getText();
      const path = relative(stage.file);
      await stage.actions.applyDiff(
        diffOf(
          `a/${path}`,
          `b/${path}`,
          ...['@@ -1,2 +1,2 @@', '-one', '+ONE', '   two'],
          ...['@@ -7,2 +7,2 @@', '-gone', '+come', '@@ -3 +3,2 @@', ' unsaved three', '+four'],
        ),
      );
      assert.deepEqual(stage.messages, [`${path}: change 2 of 3, at line 7, no longer fits.`]);
      const changed = before.replace('one', 'ONE').replace('three\n', 'three\nfour\n');
      assert.equal(editor.document.getText(), changed);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), before);
    });

    it('an applied diff creates, deletes and renames files', async () => {
      await writeFile(folder, 'old.txt', 'old\n');
      await writeFile(folder, 'was.txt', 'one\r\ntwo\r\n');
      const [old, was, is] = [within('old.txt'), within('was.txt'), within('new/is.txt')];
      await stage.actions.applyDiff(
        [
          diffOf('/dev/null', `b/${within('made/new.txt')}`, '@@ -0,0 +1 @@', '+new'),
          diffOf(`a/${old}`, '/dev/null', '@@ -1 +0,0 @@', '-old'),
          [`diff --git a/${was} b/${is}`, `rename from ${was}`, `rename to ${is}`, ''].join('\n'),
          diffOf(`a/${was}`, `b/${is}`, '@@ -1,2 +1,3 @@', ' one', '+between', ' two'),
        ].join(''),
      );
      assert.deepEqual(stage.messages, []);
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
        await stage.actions.applyDiff(diffOf('/dev/null', within(name), '@@ -0,0 +1 @@', '+new'));
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
          await stage.actions.applyDiff(diff);
          assert.match(stage.messages.pop() ?? '', /isn’t in this workspace/, name);
        }
      }
      assert.equal(applied, 0);
      await rm(elsewhere, { recursive: true });
    });

    it('an applied diff changes no file with other lines', async () => {
      const path = relative(stage.file);
      await stage.actions.applyDiff(diffOf(path, '/dev/null', '@@ -1 +0,0 @@', '-one'));
      await stage.actions.applyDiff(diffOf('/dev/null', path, '@@ -0,0 +1 @@', '+new'));
      await stage.actions.applyDiff('-one\n+two');
      await stage.actions.applyDiff('just words');
      const twice = within('twice.txt');
      await writeFile(folder, 'twice.txt', 'same\na\nsame\n');
      await stage.actions.applyDiff(diffOf(twice, twice, '@@', '-same', '+changed'));
      await stage.actions.applyDiff(diffOf('none.txt', 'none.txt', '@@', '-same', '+changed'));
      const reasons = [
        ...[/has changed, so it isn’t deleted/, /already exists/, /doesn’t name the file/],
        ...[/no changes to apply/, /fits in several places/, /isn’t in this workspace/],
      ];
      for (const [index, reason] of reasons.entries())
        assert.match(stage.messages[index] ?? '', reason);
      assert.deepEqual([stage.messages.length, applied], [reasons.length, 0]);
    });
  });
});
