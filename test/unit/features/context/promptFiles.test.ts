import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PromptFiles } from '../../../../src/features/context/promptFiles.ts';
import type { Dialogs } from '../../../../src/platform/dialogs/dialogs.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('prompt files', () => {
  const stub = useStubs();
  let ran: unknown[];
  let files: PromptFiles;

  beforeEach(() => {
    ran = [];
    stub(vscode.commands, { executeCommand: (...command: unknown[]) => ran.push(...command) });
    files = new PromptFiles({
      clock: new FakeClock(),
      dialogs: {} as Dialogs,
      settings: {
        promptFolders: (folder) => (folder?.path === '/work/web' ? ['more'] : []),
      },
    });
  });

  /** Opens folders on another machine, with the text of each file by its path. */
  function open(paths: readonly string[], texts: Readonly<Record<string, string>>): void {
    const workspaceFolders = paths.map((path) => ({
      uri: vscode.Uri.from({ scheme: 'remote', path }),
      name: path.slice(path.lastIndexOf('/') + 1),
    }));
    const folderOf = ({ path }: vscode.Uri) =>
      workspaceFolders.find(({ uri }) => path.startsWith(`${uri.path}/`));
    const below = (path: string) =>
      Object.keys(texts).filter((file) => file.startsWith(`${path}/`));
    stub(vscode.workspace, {
      isTrusted: true,
      workspaceFolders,
      textDocuments: [],
      getWorkspaceFolder: folderOf,
      asRelativePath: (uri: vscode.Uri) => {
        const folder = folderOf(uri);
        return `${folder?.name}${uri.path.slice(folder?.uri.path.length)}`;
      },
      decode: (bytes: Uint8Array) => Promise.resolve(new TextDecoder().decode(bytes)),
      fs: {
        isWritableFileSystem: () => true,
        stat: ({ path }: vscode.Uri) => {
          const text = texts[path];
          if (text !== undefined)
            return Promise.resolve({ type: vscode.FileType.File, size: text.length });
          if (below(path).length > 0) return Promise.resolve({ type: vscode.FileType.Directory });
          return Promise.reject(new Error('not there'));
        },
        readFile: ({ path }: vscode.Uri) => Promise.resolve(new TextEncoder().encode(texts[path])),
        readDirectory: ({ path }: vscode.Uri) =>
          Promise.resolve(
            below(path)
              .map((file) => file.slice(path.length + 1))
              .filter((name) => !name.includes('/'))
              .map((name) => [name, vscode.FileType.File]),
          ),
      },
    });
  }

  const list = async (): Promise<readonly string[]> =>
    (await files.find('')).map(({ label, detail }) => `${label}: ${detail}`);

  it('the list of prompt files covers each workspace folder and the set folders', async () => {
    open(['/work/api', '/work/web'], {
      '/work/api/.github/prompts/review.prompt.md': 'Review the API.',
      '/work/api/more/never.prompt.md': 'In a folder that another one names.',
      '/work/web/.github/prompts/review.prompt.md': 'Review the page.',
      '/work/web/more/draw.prompt.md': 'Draw.',
    });
    assert.deepEqual(await list(), [
      'review: api/.github/prompts · Review the API.',
      'review: web/.github/prompts · Review the page.',
      'draw: Draw.',
    ]);
  });

  it('the list of prompt files shows absolute folders if the relative ones are equal', async () => {
    open(['/old/api', '/new/api'], {
      '/old/api/.github/prompts/review.prompt.md': 'Review.',
      '/new/api/.github/prompts/review.prompt.md': 'Review.',
    });
    assert.deepEqual(await list(), [
      'review: /old/api/.github/prompts · Review.',
      'review: /new/api/.github/prompts · Review.',
    ]);
  });

  it('the list of prompt files is empty until the workspace is trusted', async () => {
    open(['/work/api'], { '/work/api/.github/prompts/review.prompt.md': 'Review.' });
    stub(vscode.workspace, { isTrusted: false });
    const [notice, ...others] = await files.find('rev');
    assert.deepEqual(others, []);
    assert.ok(notice?.isNotice);
    assert.match(notice.detail, /Restricted Mode/);
    assert.equal(await files.compose(notice.id), undefined);
    assert.deepEqual(ran, ['workbench.trust.manage']);
    stub(vscode.workspace, { isTrusted: true });
    assert.deepEqual(await list(), ['review: Review.']);
    stub(vscode.workspace, { isTrusted: false, workspaceFolders: undefined });
    assert.deepEqual(await list(), []);
  });
});
