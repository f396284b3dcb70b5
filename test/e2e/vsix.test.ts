import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { installExtension } from '../harness/codeServer.ts';
import { installRelease } from '../harness/install.ts';
import {
  distFolder,
  projectFolder,
  temporaryFolder,
  vsixFile,
  type TemporaryFolder,
} from '../harness/paths.ts';

const languages = ['de', 'es', 'fr', 'ja', 'pt-br', 'zh-cn'];
const pictures = ['sign-in', 'interns', 'chat', 'question', 'secret'];
const bundles = ['extension.cjs', 'main.cjs', 'streamKeeper.cjs', 'uninstall.cjs'];
const page = ['main.js', 'main.css', 'codicon.ttf', 'sanitize.js', 'languages.js', 'formula.js'];
const tabIcons = ['failed', 'idle', 'waiting', 'working'];
const inBothThemes = (name: string) => [`${name}-dark`, `${name}-light`];

/** All files of the VSIX. A new one must be meant for users. */
const contents = [
  ...['package.json', 'package.nls.json', 'ThirdPartyNotices.txt'],
  ...['readme.md', 'changelog.md', 'SECURITY.md', 'SUPPORT.md', 'LICENSE.txt'],
  ...languages.map((language) => `package.nls.${language}.json`),
  ...languages.map((language) => `l10n/bundle.l10n.${language}.json`),
  ...bundles.map((name) => `dist/${name}`),
  ...page.map((name) => `dist/webview/${name}`),
  ...['chat.svg', 'icon.png', 'intern.schema.json', 'interns.svg'].map((name) => `media/${name}`),
  ...tabIcons.flatMap(inBothThemes).map((name) => `media/tab/${name}.svg`),
  ...pictures.flatMap(inBothThemes).map((name) => `media/walkthrough/${name}.png`),
];

describe('The VSIX', () => {
  let extensions: TemporaryFolder;
  let installed: string;

  before(async () => {
    extensions = await temporaryFolder();
    await installExtension(await installRelease('newest'), vsixFile, extensions.path);
    const entries = await readdir(extensions.path);
    const folder = entries.find((entry) => entry.startsWith('intern-service.interns-')) ?? '';
    installed = path.join(extensions.path, folder);
  });

  after(async () => extensions[Symbol.asyncDispose]());

  it('the VSIX contains exactly the listed files', async () => {
    const entries = await readdir(installed, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(installed, path.join(parentPath, name)))
      // The editor writes it when it installs an extension.
      .filter((file) => file !== '.vsixmanifest');
    assert.deepEqual(files.sort(), contents.toSorted());
  });

  it('the VSIX has less than 640 KB, and its page loads less than 250 KB at once', async () => {
    const sizeOf = async (file: string) => (await stat(file)).size / 1024;
    assert.ok((await sizeOf(vsixFile)) < 640);
    const loaded = ['main.js', 'main.css', 'codicon.ttf'];
    const sizes = loaded.map((name) => sizeOf(path.join(installed, 'dist', 'webview', name)));
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size);
    assert.ok(total < 250, `${total} KB`);
  });

  it('the VSIX names every bundled package in ThirdPartyNotices.txt', async () => {
    const notices = await readFile(path.join(installed, 'ThirdPartyNotices.txt'), 'utf8');
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
