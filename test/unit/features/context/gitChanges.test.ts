import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../../src/conversation/attachments.ts';
import type { ChangesTarget } from '../../../../src/platform/commands/ids.ts';
import { pickChanges, splitPatch } from '../../../../src/features/context/gitChanges.ts';
import type { GitRepository } from '../../../../src/platform/gitExtension.ts';
import { ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const patchOfFile = (path: string, lines = 1) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n${'+diff --git \n'.repeat(lines)}`;
const staged = patchOfFile('src/a.ts');
const hash = 'a'.repeat(40);
const commit = {
  hash,
  message: 'Mend it\n\nFor [x](command:y)',
  parents: ['b'.repeat(40), 'c'.repeat(40)],
  authorName: 'Eve',
};

describe('changes of Git for a prompt', () => {
  const stub = useStubs();
  let dialogs: ScriptedDialogs;
  /** The patches that Git was asked for. */
  let asked: string[];

  beforeEach(() => {
    asked = [];
  });

  function repositoryOf(path: string, members: Partial<GitRepository> = {}): GitRepository {
    const diff = (cached: boolean) => {
      asked.push(`${path} ${cached ? 'staged' : 'unstaged'}`);
      return Promise.resolve(cached ? staged : '');
    };
    const changed = uriOf(`${path}/lib`);
    return {
      rootUri: uriOf(path),
      state: {
        indexChanges: [{ status: 0, uri: changed }],
        mergeChanges: [],
        workingTreeChanges: [
          { status: 5, uri: changed },
          { status: 7, uri: changed },
        ],
      },
      status: () => Promise.resolve(),
      log: () => Promise.resolve([commit]),
      checkIgnore: () => Promise.resolve(new Set()),
      diff,
      diffBlobs: (before, after) => {
        asked.push(`${before}..${after}`);
        return Promise.resolve(staged);
      },
      ...members,
    };
  }

  const uriOf = (path: string) => vscode.Uri.from({ scheme: 'file', path });

  function pick(
    script: readonly Move[],
    repositories: readonly GitRepository[] = [repositoryOf('/work/app')],
    target: ChangesTarget = {},
    enabled = true,
  ): Promise<ContextItem | undefined> {
    const onDidChangeState = (listener: () => void) => {
      queueMicrotask(listener);
      return { dispose: () => undefined };
    };
    const api = { state: 'uninitialized', onDidChangeState, repositories };
    const activate = () => Promise.resolve({ enabled, getAPI: () => api });
    stub(vscode.extensions, { getExtension: () => ({ activate }) });
    dialogs = new ScriptedDialogs(script);
    return pickChanges(dialogs, target);
  }

  it('the Git dialog offers staged changes, unstaged changes and commits', async () => {
    const item = await pick(['Staged changes']);
    assert.deepEqual(item, {
      source: 'app',
      language: 'diff',
      text: staged,
      label: 'Staged changes',
      note: 'git diff --cached',
    });
    const [box] = dialogs.shown;
    assert.deepEqual(box?.texts, [
      'Staged changes | 1 file',
      'Unstaged changes | 1 file | Doesn’t include untracked files',
      'Commits',
      'Mend it | aaaaaaaa · Eve',
    ]);
  });

  it('unstaged changes become a patch without those that are staged', async () => {
    const diff = (cached: boolean) => Promise.resolve(cached ? '' : staged);
    const item = await pick(['Unstaged changes'], [repositoryOf('/a', { diff })]);
    assert.deepEqual([item?.text, item?.note], [staged, 'git diff']);
  });

  it('a commit becomes a patch against its first parent or an empty tree', async () => {
    const item = await pick(['Mend it']);
    assert.equal(item?.label, 'Commit aaaaaaaa');
    assert.equal(item.note, `git show ${hash}\n\n${commit.message}`);
    const log = () => Promise.resolve([{ ...commit, parents: [] }]);
    await pick(['Mend it'], [repositoryOf('/a', { log })]);
    assert.deepEqual(asked, [
      `${'b'.repeat(40)}..${hash}`,
      `4b825dc642cb6eb9a060e54bf8d69288fbee4904..${hash}`,
    ]);
  });

  it('the Git dialog stays open after it refused empty changes', async () => {
    const log = () => Promise.reject(new Error('no commits yet'));
    await pick(['Unstaged changes', 'Staged changes'], [repositoryOf('/a', { log })]);
    assert.deepEqual(dialogs.shown[0]?.refusals, ['These changes are empty. Nothing was added.']);
    assert.equal(dialogs.shown[0].rows.length, 2);
  });

  it('the Git dialog asks for the repository unless a path names the innermost one', async () => {
    const all = ['/work/app', '/work/app/lib', '/work/apple'].map((path) => repositoryOf(path));
    await pick(['lib', 'Staged changes'], all);
    await pick(['Staged changes'], all, { within: uriOf('/work/app') });
    const within = uriOf('/work/app/lib/src/a.ts');
    await pick([], all, { within, changes: 'staged' });
    assert.deepEqual(asked, ['/work/app/lib staged', '/work/app staged', '/work/app/lib staged']);
    await assert.rejects(pick([], all, { within, changes: 'unstaged' }), /These changes are empty/);
  });

  it('a repository with a change at the path takes precedence over a submodule', async () => {
    const all = ['/work/app/lib', '/work/app'].map((path) => repositoryOf(path));
    const within = uriOf('/work/app/lib');
    await pick([], all, { within, changes: 'staged' });
    await pick(['Staged changes'], all, { within });
    assert.deepEqual(asked, ['/work/app staged', '/work/app/lib staged']);
  });

  it('the Git dialog asks for the files if not all fit into a prompt', async () => {
    const patch = [patchOfFile('big', 1_500), patchOfFile('other', 1_500), patchOfFile('small')];
    const diff = () => Promise.resolve(patch.join(''));
    const script = ['Staged changes', [], ['big', 'other'], ['big', 'small']];
    const item = await pick(script, [repositoryOf('/a', { diff })]);
    assert.equal(item?.text, `${patch[0]}${patch[2]}`);
    const [none, tooMuch] = dialogs.shown[1]?.refusals ?? [];
    assert.equal(none, 'Select at least one file.');
    assert.match(tooMuch ?? '', /^Too long: 39,\d+ of at most 32,000 characters\.$/);
  });

  it('adding changes fails if Git is off or no repository is open', async () => {
    await assert.rejects(pick([], [], {}, false), /Git isn’t available/);
    await assert.rejects(pick([], []), /no Git repository/);
    stub(vscode.extensions, { getExtension: () => undefined });
    await assert.rejects(pickChanges(dialogs, {}), /Git isn’t available/);
  });

  it('splitPatch splits renamed, binary, deleted, unusual and conflicting files', () => {
    const patch = [
      'diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n',
      'diff --git a/p b/p.png b/p b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n',
      'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-+++ b/not this\n',
      'diff --git "a/\\303\\244" "b/\\303\\244"\n--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1 +1 @@\n-x\n+y\n',
      'diff --cc both\nindex 1,2..3\n--- a/both\n+++ b/both\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n',
    ];
    const files = splitPatch(patch.join(''));
    const [paths, texts] = [files.map(({ path }) => path), files.map(({ text }) => text)];
    assert.deepEqual(texts, patch);
    assert.deepEqual(paths, ['new.ts', 'p b/p.png', 'gone', 'ä', 'both']);
  });
});
