import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  findInWorkspace,
  realPathOutside,
  realPathInside,
} from '../../../../src/features/editor/workspaceFiles.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the files of a workspace on another machine', () => {
  const stub = useStubs();
  const at = (path: string) => vscode.Uri.from({ scheme: 'vscode-remote', path });

  beforeEach(() => {
    const { Directory, File, SymbolicLink } = vscode.FileType;
    const types: Readonly<Record<string, vscode.FileType>> = {
      '/home/linked': Directory | SymbolicLink,
      '/home/linked/src': Directory,
      '/home/linked/src/a.ts': File,
      '/home/linked/conf': File | SymbolicLink,
      '/home/linked/out': Directory | SymbolicLink,
      '/home/linked/out/x.prompt.md': File,
      '/home/linked/gone': SymbolicLink,
    };
    const folder = { uri: at('/home/linked'), name: 'linked', index: 0 };
    stub(vscode.workspace, {
      workspaceFolders: [folder],
      getWorkspaceFolder: ({ path }: vscode.Uri) =>
        `${path}/`.startsWith('/home/linked/') ? folder : undefined,
      fs: {
        stat: ({ path }: vscode.Uri) => {
          const type = types[path];
          return type === undefined ? Promise.reject(new Error('not there')) : { type };
        },
      },
    });
  });

  it('end at a link, which may lead anywhere there: to a file, a folder, or what is not there yet', async () => {
    for (const [path, outside] of [
      ['conf', 'conf'],
      ['out/x.prompt.md', 'out'],
      ['gone', 'gone'],
      ['../etc/passwd', '../etc/passwd'],
    ] as const) {
      const uri = at(`/home/linked/${path}`);
      assert.equal(await realPathOutside(uri), `/home/linked/${outside}`, path);
      assert.equal(await realPathInside(uri), undefined, path);
    }
    assert.equal(await realPathInside(at('/home/linked/out/new/file.ts')), undefined);
  });

  it('are not found behind a link by the path in a reply', async () => {
    assert.equal(await findInWorkspace('conf'), undefined);
    assert.equal(await findInWorkspace('out/x.prompt.md'), undefined);
    assert.equal((await findInWorkspace('src/a.ts'))?.isFolder, false);
  });

  it('are inside without one, whatever led to their folder', async () => {
    assert.equal(await realPathOutside(at('/home/linked/src/a.ts')), undefined);
    assert.equal(await realPathInside(at('/home/linked/src/a.ts')), 'src/a.ts');
    assert.equal(await realPathInside(at('/home/linked/src/new/file.ts')), 'src/new/file.ts');
    assert.equal(await realPathInside(at('/home/other')), undefined);
  });
});
