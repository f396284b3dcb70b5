import assert from 'node:assert/strict';
import { appendFile, cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../../harness/paths.ts';
import { startProcess } from '../../harness/processes.ts';
import { until } from '../../harness/until.ts';
import { useTemporaryFolder } from '../support/folders.ts';

/** Returns what the task in .vscode keeps of the output: it forgets all errors when a build starts. */
const ofLastBuild = (output: string) => output.split('[watch] build started').at(-1)!;

describe('The build that watches', () => {
  const folder = useTemporaryFolder();

  beforeEach(async () => {
    for (const part of ['esbuild.mjs', 'tsconfig.json', 'src']) {
      await cp(path.join(projectFolder, part), path.join(folder.path, part), { recursive: true });
    }
    const packages = path.join(projectFolder, 'node_modules');
    await symlink(packages, path.join(folder.path, 'node_modules'), 'junction');
  });

  it('still prints the errors of a bundle after a change to another one', async () => {
    const append = (file: string, text: string) =>
      appendFile(path.join(folder.path, 'src', file), text);
    await append('main.ts', 'const broken = ;\n');
    await using watch = await startProcess(process.execPath, ['esbuild.mjs', '--watch'], {
      cwd: folder.path,
      ready: /build finished/,
    });
    const before = watch.output().length;
    await append('webview/main.ts', '// A change.\n');
    await until('the next build', () => {
      const added = watch.output().slice(before);
      return added.includes('build started') && ofLastBuild(added).includes('build finished');
    });
    assert.match(ofLastBuild(watch.output()), /Unexpected ";"\n\n +src\/main\.ts:\d+:15:\n/);
  });
});
