import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  findFilesInWorkspace,
  findInWorkspace,
  findFittingFile,
  uriForMovedFile,
  uriForNewFile,
  realPathInside,
  resolveLinks,
} from '../../../../src/features/editor/workspaceFiles.ts';
import { openFolders, remote } from '../../support/stubFolders.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the files of a workspace on another machine', () => {
  const stub = useStubs();

  beforeEach(() => {
    const { Directory, File, SymbolicLink } = vscode.FileType;
    openFolders(stub, ['/home/linked'], {
      '/home/linked': Directory | SymbolicLink,
      '/home/linked/src/a.ts': '',
      '/home/linked/conf': File | SymbolicLink,
      '/home/linked/out': Directory | SymbolicLink,
      '/home/linked/out/x.prompt.md': '',
      '/home/linked/gone': SymbolicLink,
    });
  });

  it('a file behind a link counts as outside the workspace', async () => {
    for (const [path, outside] of [
      ['conf', 'conf'],
      ['out/x.prompt.md', 'out'],
      ['gone', 'gone'],
      ['../etc/passwd', '../etc/passwd'],
    ] as const) {
      const uri = remote(`/home/linked/${path}`);
      const real = await resolveLinks(uri);
      assert.deepEqual([real?.isInside, real?.path], [false, `/home/linked/${outside}`], path);
      assert.equal(await realPathInside(uri), undefined, path);
    }
    assert.equal(await realPathInside(remote('/home/linked/out/new/file.ts')), undefined);
  });

  it('a search in the workspace finds no file behind a link', async () => {
    assert.equal(await findInWorkspace('conf'), undefined);
    assert.equal(await findInWorkspace('out/x.prompt.md'), undefined);
    assert.equal((await findInWorkspace('src/a.ts'))?.isFolder, false);
  });

  it('a file counts as inside the workspace even if the workspace folder is a link', async () => {
    assert.equal((await resolveLinks(remote('/home/linked/src/a.ts')))?.isInside, true);
    assert.equal(await realPathInside(remote('/home/linked/src/a.ts')), 'src/a.ts');
    assert.equal(await realPathInside(remote('/home/linked/src/new/file.ts')), 'src/new/file.ts');
    assert.equal(await realPathInside(remote('/home/other')), undefined);
  });
});

describe('the paths of a diff', () => {
  const stub = useStubs();
  const open = openFolders.bind(undefined, stub);
  let git: object;

  function openInGit(...paths: readonly string[]): void {
    const repositories = paths.map((path) => ({ rootUri: remote(path) }));
    git = { isActive: true, exports: { enabled: true, getAPI: () => ({ repositories }) } };
    stub(vscode.extensions, { getExtension: () => git });
  }

  const pathsOf = async (path: string) => (await findFilesInWorkspace(path)).map((uri) => uri.path);

  it('the path of a diff may start at a repository around the workspace', async () => {
    open(['/repo/packages/foo'], { '/repo/packages/foo/src/x.ts': '' });
    const found = '/repo/packages/foo/src/x.ts';
    for (const path of ['packages/foo/src/x.ts', 'repo/packages/foo/src/x.ts', 'foo/src/x.ts'])
      assert.equal((await findInWorkspace(path))?.uri.path, found, path);
    assert.equal(await findInWorkspace('packages/bar/src/x.ts'), undefined);
    assert.equal(await findInWorkspace('packages/foo/../../bar/x.ts'), undefined);
  });

  it('the path of a diff may start at a repository inside the workspace', async () => {
    open(['/ws'], {
      '/ws/inner/app/src/x.ts': 'inner',
      '/ws/README.md': 'outer',
      '/ws/inner/app/README.md': '',
    });
    openInGit('/ws', '/ws/inner/app', '/elsewhere');
    for (const path of ['src/x.ts', 'app/src/x.ts', 'inner/app/src/x.ts'])
      assert.equal((await findInWorkspace(path))?.uri.path, '/ws/inner/app/src/x.ts', path);
    assert.deepEqual(await pathsOf('README.md'), ['/ws/README.md', '/ws/inner/app/README.md']);
    assert.equal((await uriForNewFile('src/new.ts'))?.path, '/ws/inner/app/src/new.ts');
    assert.equal(await findInWorkspace('../../../etc/passwd'), undefined);
  });

  it('the path of a diff starts only at workspace folders if Git is off or has not started', async () => {
    open(['/ws'], { '/ws/inner/src/x.ts': '' });
    for (const members of [{ isActive: false }, { exports: { enabled: false } }]) {
      openInGit('/ws/inner');
      Object.assign(git, members);
      assert.equal(await findInWorkspace('src/x.ts'), undefined);
    }
  });

  it('the path of a diff names a new file in a repository around the workspace', async () => {
    open(['/repo/packages/foo'], { '/repo/packages/foo/src/x.ts': '' });
    for (const [path, place] of [
      ['packages/foo/src/new.ts', 'src/new.ts'],
      ['packages/foo/made/here/new.ts', 'made/here/new.ts'],
      ['packages/foo/new.ts', 'new.ts'],
      ['foo/made/new.ts', 'made/new.ts'],
      ['made/new.ts', 'made/new.ts'],
      ['new.ts', 'new.ts'],
    ] as const)
      assert.equal((await uriForNewFile(path))?.path, `/repo/packages/foo/${place}`, path);
    assert.equal(await uriForNewFile('packages/foo/src/x.ts'), undefined);
    assert.equal(await uriForNewFile('packages/foo/../../new.ts'), undefined);
  });

  it('the path of a diff names a new file in the workspace folder that it starts with', async () => {
    open(['/ws/a', '/ws/b'], { '/ws/a/x.ts': '', '/ws/b/x.ts': '' });
    assert.equal((await uriForNewFile('b/made/new.ts'))?.path, '/ws/b/made/new.ts');
    assert.equal((await uriForNewFile('made/new.ts'))?.path, '/ws/a/made/new.ts');
  });

  it('the path of a diff keeps its first folder if the workspace has one of that name', async () => {
    open(['/repo/foo'], { '/repo/foo/foo/x.py': '', '/repo/foo/x.py': '' });
    assert.equal((await uriForNewFile('foo/made/new.py'))?.path, '/repo/foo/foo/made/new.py');
    assert.equal((await uriForNewFile('foo/new.py'))?.path, '/repo/foo/foo/new.py');
    assert.equal((await findInWorkspace('foo/x.py'))?.uri.path, '/repo/foo/foo/x.py');
    open(['/repo/packages/foo'], { '/repo/packages/foo/packages/bar/x.ts': '' });
    const place = '/repo/packages/foo/packages/foo/new.ts';
    assert.equal((await uriForNewFile('packages/foo/new.ts'))?.path, place);
  });

  it('the path of a diff means the first file that the changes fit, else the first file', async () => {
    const [first, second] = ['/ws/a/package.json', '/ws/b/package.json'] as const;
    open(['/ws/a', '/ws/b'], { [first]: 'one', [second]: 'two' });
    assert.deepEqual(await pathsOf('package.json'), [first, second]);
    const files = await findFilesInWorkspace('package.json');
    for (const [wanted, path] of [
      [/one/, first],
      [/two/, second],
      [/one|two/, first],
      [/three/, first],
    ] as const)
      assert.equal((await findFittingFile(files, (text) => wanted.test(text)))?.path, path);
    assert.deepEqual(await pathsOf('b/package.json'), [second]);
    assert.equal(await findFittingFile([], () => true), undefined);
  });

  it('both names of a renamed file start at the same folder', async () => {
    open(['/ws/a', '/ws/b'], { '/ws/a/src/y.ts': '', '/ws/b/src/x.ts': '' });
    const moved = async (oldPath: string, newPath: string) =>
      (await uriForMovedFile(remote('/ws/b/src/x.ts'), oldPath, newPath))?.path;
    assert.equal(await moved('src/x.ts', 'src/y.ts'), '/ws/b/src/y.ts');
    assert.equal(await moved('b/src/x.ts', 'a/src/z.ts'), '/ws/a/src/z.ts');
    assert.equal(await moved('b/src/x.ts', 'a/src/y.ts'), undefined);
    assert.equal(await moved('b/src/x.ts', 'c/src/x.ts'), undefined);
    assert.equal(await moved('src/x.ts', '../../etc/x.ts'), undefined);
    assert.equal(await moved('named/src/x.ts', 'b/src/z.ts'), '/ws/b/src/z.ts');
  });
});
