/**
 * Packages the bundles in dist/ as dist/interns.vsix:
 *
 *     npm run package [-- --pre-release]
 *
 * One commit always gives the same bytes on one operating system, whatever the folder, time zone, language and umask.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { marketplaceReadme } from './marketplaceReadme.ts';
import { thirdPartyNotices } from './thirdPartyNotices.ts';

/** The files that are packaged as they are. */
const content = [
  ...['dist/*.cjs', 'dist/webview/**', 'l10n/*.json', 'media/*.*', 'media/{tab,walkthrough}/**'],
  ...['package.nls*.json', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'LICENSE'],
];

/** The time of all files in the VSIX: the first day that a zip file can express everywhere. */
const epoch = Date.UTC(1980, 0, 2) / 1000;

const staging = 'dist/vsix';

interface Manifest extends Record<string, unknown> {
  readonly scripts: Readonly<Record<string, string>>;
}

process.chdir(path.join(import.meta.dirname, '..'));
await rm(staging, { recursive: true, force: true });
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
await stageFiles();
await stageTexts();
await pack(process.argv.slice(2));

async function stageFiles(): Promise<void> {
  for await (const entry of glob(content, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.relative('.', path.join(entry.parentPath, entry.name));
    const target = path.join(staging, file);
    await mkdir(path.dirname(target), { recursive: true });
    if (file.endsWith('.json'))
      await writeFile(target, compact(file, await readFile(file, 'utf8')));
    else await copyFile(file, target);
    await chmod(target, 0o644);
  }
}

/**
 * Returns the same JSON without its line ends and indentation, which take 2 KB of the VSIX. The strings of a language are
 * sorted: strings that begin alike compress better side by side, which saves 4 KB.
 */
function compact(file: string, json: string): string {
  const value = JSON.parse(json) as object;
  const isLanguage = path.basename(file).startsWith('bundle.l10n.');
  return JSON.stringify(value, isLanguage ? Object.keys(value).sort() : undefined);
}

/** Writes the files that differ from those of the repository. */
async function stageTexts(): Promise<void> {
  const readme = await readFile('README.md', 'utf8');
  const metafile = JSON.parse(await readFile('dist/meta.json', 'utf8')) as Metafile;
  const texts = {
    'README.md': marketplaceReadme(readme, 'repository' in manifest),
    'ThirdPartyNotices.txt': await thirdPartyNotices(metafile, '.'),
    'package.json': JSON.stringify(userManifest()),
    // Everything here is packaged. Without this file vsce warns.
    '.vscodeignore': '',
  };
  for (const [name, text] of Object.entries(texts)) {
    const target = path.join(staging, name);
    await writeFile(target, text);
    await chmod(target, 0o644);
  }
}

/** Returns the manifest without what only developers need. */
function userManifest(): Record<string, unknown> {
  const uninstall = 'vscode:uninstall';
  const scripts = { [uninstall]: manifest.scripts[uninstall] };
  return { ...manifest, scripts, devDependencies: undefined, allowScripts: undefined };
}

/** @throws an Error if vsce fails or warns. */
async function pack(options: readonly string[]): Promise<void> {
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const out = path.resolve('dist/interns.vsix');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', out, ...options],
    // yazl writes local times, and vsce sorts names by the rules of a language.
    {
      cwd: staging,
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch), TZ: 'UTC', LC_ALL: 'C' },
    },
  );
  const output = stdout + stderr;
  process.stdout.write(output);
  if (/warning/i.test(output)) throw new Error('vsce warns. Fix its cause.');
}
