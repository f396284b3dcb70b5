/**
 * Checks a release, publishes nothing, and prints the commands that do:
 *
 *     npm run release -- X.Y.Z [--dry-run]
 *
 * `--dry-run` accepts changes that are not committed. Writes dist/interns.vsix and its SHA-256 to dist/interns.vsix.sha256.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { npmRun } from '../test/harness/npm.ts';
import { exitOnSignals, run, runQuietly } from '../test/harness/processes.ts';

const vsix = 'dist/interns.vsix';

interface Manifest {
  readonly version: string;
  readonly repository?: unknown;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Throws an Error or returns false if it fails. */
type Check = () => unknown;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});
/** The name of a tag is fine, too. */
const version = positionals[0]?.replace(/^v/, '') ?? '';
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;

const checks: Readonly<Record<string, Check>> = {
  'The version has the form X.Y.Z': () => /^\d+\.\d+\.\d+$/.test(version),
  'Everything is committed': async () =>
    values['dry-run'] || (await runQuietly('git', ['status', '--porcelain'])) === '',
  'package.json and package-lock.json have the version': async () => {
    const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as Manifest;
    return manifest.version === version && lock.version === version;
  },
  'CHANGELOG.md begins with the version': async () => {
    const [, newest, , next = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(/^## (.*)$/m);
    return newest === version && next !== '';
  },
  'engines.vscode agrees with @types/vscode': () =>
    manifest.engines.vscode === `^${manifest.devDependencies['@types/vscode'] ?? ''}`,
  'All languages are complete': () => mocha('test/unit/languages.test.ts'),
  // Packages the VSIX, which fails on a warning of vsce or a package without a license. Installs it in the newest VS Code.
  'The usual tests pass': async () => (await npmRun('test', [], {})) === 0,
  // Packages once more and compares. Uses the VSIX in the oldest VS Code.
  'The full tests pass': async () => (await npmRun('test:full', ['--no-package'], {})) === 0,
};

exitOnSignals();
for (const [title, check] of Object.entries(checks)) {
  if ((await check()) === false) fail(title);
  console.log(`✔ ${title}`);
}
await printCommands();

async function mocha(file: string): Promise<boolean> {
  return (await run(process.execPath, ['node_modules/mocha/bin/mocha.js', file])) === 0;
}

function fail(title: string): never {
  console.error(`✘ ${title}: no`);
  process.exit(1);
}

async function printCommands(): Promise<void> {
  const hash = createHash('sha256')
    .update(await readFile(vsix))
    .digest('hex');
  await writeFile(`${vsix}.sha256`, `${hash}  interns.vsix\n`);
  console.log(`
${vsix} is ready. SHA-256: ${hash}
${manifest.repository === undefined ? '\nSet "repository" in package.json first: without it, the page has no pictures and no links.\n' : ''}
To publish it:
  npm run publish:marketplace        vsce publish --packagePath ${vsix}
  npm run publish:open-vsx           ovsx publish ${vsix}

To publish it as a pre-release:
  npm run package -- --pre-release
  npm run publish:marketplace -- --pre-release
  npm run publish:open-vsx -- --pre-release`);
}
