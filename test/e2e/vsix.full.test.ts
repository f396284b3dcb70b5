import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { npmProgram } from '../harness/npm.ts';
import { projectFolder, temporaryFolder, vsixFile } from '../harness/paths.ts';
import { runQuietly } from '../harness/processes.ts';

describe('The VSIX, packaged twice', () => {
  it('the VSIX has the same bytes from another folder, time zone, language and umask', async () => {
    await using parent = await temporaryFolder();
    const copy = path.join(parent.path, 'ein anderer Ordner');
    await copyProject(copy);
    const umask = process.umask(0o077);
    try {
      await runQuietly(npmProgram, ['run', 'package'], {
        cwd: copy,
        env: { TZ: 'Pacific/Kiritimati', LANG: 'da_DK.UTF-8', LC_ALL: undefined },
        shell: process.platform === 'win32',
      });
    } finally {
      process.umask(umask);
    }
    const [one, other] = await Promise.all(
      [vsixFile, path.join(copy, 'dist', 'interns.vsix')].map((file) => readFile(file)),
    );
    assert.ok(one?.equals(other!));
  }).timeout(120_000);
});

/** Copies the files that git tracks or would track, with other modes, and shares the dependencies. */
async function copyProject(folder: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = (await runQuietly('git', args, { cwd: projectFolder })).split('\0');
  for (const file of listed.filter(
    (each) => each !== '' && existsSync(path.join(projectFolder, each)),
  )) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(path.join(projectFolder, file), target);
    await chmod(target, 0o600);
  }
  await symlink(
    path.join(projectFolder, 'node_modules'),
    path.join(folder, 'node_modules'),
    'junction',
  );
}
