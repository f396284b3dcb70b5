import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile as nodeWriteFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { PromptFiles } from '../../src/features/context/promptFiles.ts';
import type { Dialogs } from '../../src/platform/dialogs/dialogs.ts';
import { useFolder, writeFile } from './support/workspace.ts';

describe('prompt files of the workspace', () => {
  const folder = useFolder('prompts');
  let elsewhere: string;
  let folders: readonly string[];

  const open = () =>
    new PromptFiles({
      clock: systemClock,
      settings: { promptFolders: () => folders },
      dialogs: {} as Dialogs,
    });
  const list = async (query = '') =>
    (await open().find(query)).map(({ label, detail }) => `${label}: ${detail}`);

  before(async () => {
    elsewhere = await mkdtemp(path.join(tmpdir(), 'interns-prompts-'));
    await nodeWriteFile(path.join(elsewhere, 'secret.prompt.md'), 'Outside.');
    await writeFile(folder, 'review.prompt.md', '---\ndescription: Reviews\n---\nReview it.');
    await writeFile(folder, 'fix.prompt.md', 'Fix ${input:what} in ${input:where:a file}\u202e.');
    await writeFile(folder, 'notes.md', 'No prompt.');
    await writeFile(folder, 'large.prompt.md', 'x'.repeat(200_000));
    await symlink(path.join(elsewhere, 'secret.prompt.md'), `${folder.fsPath}/linked.prompt.md`);
    await symlink(elsewhere, `${folder.fsPath}/out`);
  });

  beforeEach(() => {
    folders = ['prompts'];
  });

  after(() => rm(elsewhere, { recursive: true }));

  it('the list finds prompt files by letters of their names', async () => {
    assert.deepEqual(await list(), [
      'fix: Fix ${input:what} in ${input:where:a file}.',
      'review: Reviews',
    ]);
    assert.deepEqual(await list('rev'), ['review: Reviews']);
  });

  it('the list has prompt files only inside the workspace, whatever settings and links name', async () => {
    folders = [elsewhere, `../..${elsewhere}`, 'prompts/../../..', 'prompts/out', 'no', 'C:\\'];
    assert.deepEqual(await list(), []);
    folders = ['prompts', './prompts/', 'prompts\\'];
    assert.equal((await list()).length, 2, 'each once');
  });
});
