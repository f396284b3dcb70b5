import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import { FileCompletions } from '../../src/features/context/fileCompletions.ts';
import { type PromptContext, PromptContexts } from '../../src/features/context/promptContext.ts';
import type { ContextItem } from '../../src/conversation/attachments.ts';
import type { EditedText, EditText } from '../../src/platform/dialogs/editText.ts';
import { useReplacements } from './support/replacements.ts';
import { useFolder, writeFile } from './support/workspace.ts';

/** The limit of a prompt in characters (interface: Chat message). */
const limit = 32_000;

interface GitExtension {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

describe('attachments', () => {
  const folder = useFolder('context');
  const replace = useReplacements();
  let messages: string[];
  let draft: string;
  /** The questions with the files that they name, and the answer. */
  let asked: (readonly string[])[];
  let isConfirmed: boolean;
  /** Runs while the question is open. */
  let beforeAnswer: () => Promise<void>;
  let context: PromptContext;

  let stored: readonly ContextItem[];
  /** The texts that are being edited, and those that were shown again. */
  let edits: (Parameters<EditText>[0] & { readonly end: (edited: EditedText) => void })[];
  let shown: string[];

  const open = () =>
    new PromptContexts({
      drafts: {
        get: () => ({ text: draft, attached: stored }),
        set: (_conversation, { attached }) => (stored = attached),
      },
      texts: {
        editText: (given) => new Promise((end) => void edits.push({ ...given, end })),
        show: (name) => Promise.resolve(Boolean(shown.push(name))),
        unusedName: (name) => (edits.some((edit) => edit.name === name) ? `2 ${name}` : name),
      },
    }).for('here');
  const ask = async (message: string, options?: vscode.MessageOptions, button?: string) => {
    if (options === undefined) {
      messages.push(message);
      return undefined;
    }
    asked.push([message, ...(options.detail ?? '').split('\n')]);
    await beforeAnswer();
    return isConfirmed ? button : undefined;
  };
  const labels = () => context.attachments.map(({ label }) => label);
  /** Returns the displayed path of a file in the tests' folder. */
  const within = (name: string) => label(vscode.Uri.joinPath(folder, name));
  const label = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri);

  beforeEach(() => {
    messages = [];
    draft = '';
    stored = [];
    edits = [];
    shown = [];
    asked = [];
    isConfirmed = true;
    beforeAnswer = () => Promise.resolve();
    context = open();
    replace(vscode.window, 'showWarningMessage', ask);
  });

  afterEach(async () => {
    context.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('an attachment of an open file has its unsaved text', async () => {
    const uri = await writeFile(folder, 'dirty.ts', 'saved');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'not '));
    await context.addFiles([uri]);
    assert.match(context.compose('').sent, /\nnot saved\n/u);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('an edited attachment keeps its place, and its tab closes when it is removed', async () => {
    for (const text of ['one', 'two']) context.add({ source: 'a.md', text, label: 'a.md' });
    const ids = context.attachments.map(({ id }) => id);
    const editing = ids.map((id) => context.edit(id));
    const [first, second] = edits;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([first.name, second.name], ['a.md', '2 a.md']);
    assert.equal(await context.edit(ids[1]!), false);
    assert.deepEqual(shown, ['2 a.md']);
    assert.match(first.problem?.('x'.repeat(32_000)) ?? '', /32,\d+ characters/u);
    first.end({ kind: 'used', text: 'three' });
    assert.equal(await editing[0], true);
    assert.deepEqual(
      stored.map(({ text }) => text),
      ['three', 'two'],
    );
    context.remove(ids[1]!);
    assert.equal(second.signal?.aborted, true);
  });

  it('attaching a file again replaces its earlier copy', async () => {
    const uri = await writeFile(folder, 'src/a.ts', 'one');
    await context.addFiles([uri]);
    await writeFile(folder, 'src/a.ts', 'two');
    await context.addFiles([uri]);
    assert.deepEqual(labels(), [label(uri)]);
    assert.match(context.compose('').sent, /two/u);
  });

  it('a prompt waits until an attached file is read', async () => {
    const uri = await writeFile(folder, 'read.ts', 'read');
    void context.addFiles([uri]);
    assert.deepEqual(labels(), []);
    await context.whenSettled();
    assert.deepEqual(labels(), [label(uri)]);
  });

  it('a prompt waits until a file that the page names is checked and read', async () => {
    const uri = await writeFile(folder, 'named.ts', 'named');
    void context.addForPage([uri]);
    await context.whenSettled();
    assert.deepEqual(labels(), [label(uri)]);
  });

  it('the chat rejects an attachment that is binary, too large, a folder or missing', async () => {
    const uris = [
      await writeFile(folder, 'binary.bin', Uint8Array.of(1, 0, 2, 0, 0, 3)),
      await writeFile(folder, 'large.txt', 'x'.repeat(4 * limit + 1)),
      folder,
      vscode.Uri.joinPath(folder, 'gone.ts'),
      vscode.Uri.parse('https://example.com/a.ts'),
    ];
    for (const uri of uris) {
      await context.addFiles([uri]);
      assert.match(messages.at(-1) ?? '', new RegExp(path.posix.basename(uri.path), 'u'));
    }
    assert.equal(messages.length, uris.length);
    assert.deepEqual(labels(), []);
  });

  it('the chat rejects an attachment that would make the prompt too long', () => {
    const item = { source: 'a.ts', text: 'x'.repeat(1_000) };
    context.add(item);
    const [attachment] = context.attachments;
    assert.ok(attachment);
    context.remove(attachment.id);
    draft = 'd'.repeat(limit - attachment.characters + 1);
    context.add(item);
    assert.match(messages[0] ?? '', /32,001/u);
    assert.deepEqual(labels(), []);
    draft = draft.slice(1);
    context.add(item);
    assert.equal(context.compose(draft).sent.length, limit);
  });

  it('the same selection is attached only once', () => {
    const lines = { first: 1, last: 1 };
    for (const text of ['left', 'right', 'left']) context.add({ source: 'a.ts', lines, text });
    assert.deepEqual(labels(), ['a.ts:1', 'a.ts:1']);
  });

  it('attachments stay across a reload until they are sent', () => {
    context.add({ source: 'a.ts', lines: { first: 1, last: 2 }, language: 'ts', text: 'x' });
    const { sent } = context.compose('');
    context = open();
    assert.equal(context.compose('').sent, sent);
    context.clear();
    assert.deepEqual(open().attachments, []);
  });

  it('the chat fires an event when an attachment is added or removed', () => {
    let changes = 0;
    context.onDidChange(() => changes++);
    context.add({ source: 'a.ts', text: 'x' });
    context.clear();
    assert.equal(changes, 2);
  });

  describe('files dropped onto the page', () => {
    /** Returns the URI that the page uses. In a remote window it differs from the extension host's. */
    const inPage = (uri: vscode.Uri) =>
      vscode.env.remoteName === undefined
        ? uri.toString()
        : uri.with({ scheme: 'vscode-remote', authority: vscode.env.remoteName }).toString();

    it('a drop finds its file by the URI of a remote page', async () => {
      const uri = await writeFile(folder, 'dropped.ts', 'dropped');
      await context.addDroppedFiles([inPage(uri), uri.toString()]);
      assert.deepEqual(labels(), [label(uri)]);
      assert.deepEqual(messages, []);
    });

    it('a drop attaches a file from outside the workspace only after the user confirms', async () => {
      const inside = await writeFile(folder, 'inside.ts', 'inside');
      const elsewhere = vscode.Uri.file(path.join(tmpdir(), `interns-dropped-${process.pid}`));
      const outside = await writeFile(elsewhere, 'outside.ts', 'outside');
      const link = vscode.Uri.joinPath(folder, 'link.ts');
      await symlink(outside.fsPath, link.fsPath);
      try {
        isConfirmed = false;
        await context.addDroppedFiles([inPage(outside), inPage(inside), inPage(link)]);
        const question = 'Attach 2 files from outside the workspace?';
        assert.deepEqual(asked, [[question, outside.path, outside.path]]);
        assert.deepEqual(labels(), [label(inside)]);
        isConfirmed = true;
        await context.addDroppedFiles([inPage(outside)]);
        assert.deepEqual(labels(), [label(inside), outside.path]);
        await context.addDroppedFiles([inPage(inside)]);
        assert.equal(asked.length, 2);
      } finally {
        await vscode.workspace.fs.delete(elsewhere, { recursive: true });
      }
    });

    describe('dropped files of a repository', () => {
      before(async () => {
        await writeFile(folder, 'repo/.gitignore', 'build/\n*.log\n!kept.log\n');
        await promisify(execFile)('git', ['init', vscode.Uri.joinPath(folder, 'repo').fsPath]);
        const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
        await git?.getAPI(1).openRepository(vscode.Uri.joinPath(folder, 'repo'));
      });

      it('a drop asks before attaching a file that Git ignores', async () => {
        const names = ['build/out.js', 'a.log', 'kept.log', 'src/a.ts'];
        const uris = await Promise.all(names.map((name) => writeFile(folder, `repo/${name}`, '')));
        isConfirmed = false;
        await context.addDroppedFiles(uris.map(inPage));
        const ignored = names
          .slice(0, 2)
          .map((name) => `${within(`repo/${name}`)} (ignored by Git)`);
        assert.deepEqual(asked, [['Attach 2 files that may be private?', ...ignored]]);
        assert.deepEqual(labels(), uris.slice(2).map(label));
      });

      it('a drop asks before attaching a file of a repository that Git has not opened', async () => {
        await writeFile(folder, 'other/.git/HEAD', '');
        await context.addDroppedFiles([inPage(await writeFile(folder, 'other/src/b.ts', ''))]);
        const ignored = `${within('other/src/b.ts')} (may be ignored by Git)`;
        assert.deepEqual(asked, [['Attach a file that may be private?', ignored]]);
      });
    });

    it('a drop asks before attaching a file whose name or real name is private', async () => {
      await writeFile(folder, '.env', 'KEY=1');
      await symlink('.env', path.join(folder.fsPath, 'notes.txt'));
      await writeFile(folder, 'deploy/id_rsa', 'key');
      isConfirmed = false;
      for (const [name, realName] of [
        ['.env', '.env'],
        ['notes.txt', '.env'],
        ['deploy/id_rsa', 'deploy/id_rsa'],
        ['src/../.env', '.env'],
      ] as const) {
        await context.addDroppedFiles([`${inPage(folder)}/${name}`]);
        const question = 'Attach a file that may be private?';
        assert.deepEqual(asked.splice(0), [[question, within(realName)]], name);
      }
      assert.deepEqual(labels(), []);
    });

    it('the file dialog attaches a private file that the user selected without asking', async () => {
      const uri = await writeFile(folder, 'selected.env', 'KEY=1');
      await context.addFiles([uri]);
      assert.deepEqual([asked, labels()], [[], [label(uri)]]);
    });

    it('a drop asks about all its files in one question', async () => {
      const uris = Array.from({ length: 10_000 }, (_, index) => `${inPage(folder)}/${index}.env`);
      isConfirmed = false;
      beforeAnswer = () => context.addDroppedFiles(uris.slice(0, 1));
      await context.addDroppedFiles(uris);
      const [[question, ...named] = [], ...others] = asked;
      assert.equal(question, 'Attach 10,000 files that may be private?');
      assert.deepEqual([named.length, named.at(-1), others], [11, 'and 9,990 more', []]);
    });

    it('a drop rejects URIs that name no file on this machine', async () => {
      const refused = [
        'no uri',
        'https://example.test/a.ts',
        'git:/a.ts?%7B%7D',
        'interns-draft:/a/instructions.md',
        'file://elsewhere/share/a.ts',
      ];
      for (const uri of refused) await context.addDroppedFiles([uri]);
      assert.equal(messages.length, refused.length);
      assert.deepEqual(labels(), []);
      await context.addDroppedFiles([]);
      assert.equal(messages.length, refused.length);
    });
  });

  describe('completions after @', () => {
    let completions: FileCompletions;

    beforeEach(() => (completions = new FileCompletions(systemClock)));

    const paths = async (query: string) =>
      (await completions.find(query)).map(({ label: name, detail }) => `${detail}/${name}`);

    it('the completions list files of open editors first', async () => {
      const open = await writeFile(folder, 'zz/complete-open.ts', 'open');
      const closed = await writeFile(folder, 'aa/complete.ts', 'closed');
      await vscode.window.showTextDocument(open);
      assert.deepEqual(await paths('complete'), [label(open), label(closed)]);
    });

    it('a completion names its file by an ID', async () => {
      const uri = await writeFile(folder, 'offered.ts', 'offered');
      const [item] = await completions.find('offered.ts');
      assert.ok(item);
      assert.equal(completions.get(item.id)?.uri.toString(), uri.toString());
      assert.equal(completions.get('no such id'), undefined);
    });

    it('a completion asks before attaching a file from outside the workspace', async () => {
      const elsewhere = vscode.Uri.file(path.join(tmpdir(), `interns-completed-${process.pid}`));
      const uri = await writeFile(elsewhere, 'open-outside.ts', 'outside');
      try {
        await vscode.window.showTextDocument(uri);
        const [item] = await completions.find('open-outside');
        assert.ok(item);
        isConfirmed = false;
        await context.addForPage([completions.get(item.id)!.uri]);
        const question = 'Attach a file from outside the workspace?';
        assert.deepEqual([asked, labels()], [[[question, uri.path]], []]);
      } finally {
        await vscode.workspace.fs.delete(elsewhere, { recursive: true });
      }
    });

    it('the completions skip files that settings exclude from files or searches', async () => {
      await writeFile(folder, 'node_modules/hidden/index.ts', '');
      await writeFile(folder, '.git/hidden', '');
      await writeFile(folder, 'hidden.ts', '');
      assert.deepEqual(await paths('hidden'), [label(vscode.Uri.joinPath(folder, 'hidden.ts'))]);
    });

    it('the completions list at most fifty files', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `many-${index}.txt`);
      await Promise.all(names.map((name) => writeFile(folder, name, '')));
      assert.equal((await completions.find('many-')).length, 50);
    });
  });
});
