import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { installExtension } from '../harness/codeServer.ts';
import { installRelease } from '../harness/install.ts';
import { distFolder, projectFolder, temporaryFolder, vsixFile } from '../harness/paths.ts';

describe('the VSIX', () => {
  it('the VSIX names every bundled package in ThirdPartyNotices.txt', async () => {
    await using extensions = await temporaryFolder();
    await installExtension(await installRelease('newest'), vsixFile, extensions.path);
    const entries = await readdir(extensions.path);
    const folder = entries.find((entry) => entry.startsWith('intern-service.interns-')) ?? '';
    const notices = await readFile(
      path.join(extensions.path, folder, 'ThirdPartyNotices.txt'),
      'utf8',
    );
    const { outputs } = JSON.parse(
      await readFile(path.join(distFolder, 'meta.json'), 'utf8'),
    ) as Metafile;
    const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
    const present = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const bundled = new Set(present.flatMap(([input]) => packageOf(input)));
    assert.ok(bundled.has('dompurify') && bundled.has('@vscode/codicons'));
    for (const name of bundled) {
      const manifest = path.join(projectFolder, 'node_modules', name, 'package.json');
      const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
      assert.ok(notices.includes(`\n${name} ${version}\nLicense: `), name);
    }
  });
});

/** The package of a bundled file, unless the file is ours. */
function packageOf(input: string): string[] {
  const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
  return name === undefined ? [] : [name];
}
