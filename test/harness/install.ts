import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cached } from './cache.ts';
import { npmInstall } from './npm.ts';
import { releases, type Release, type ReleaseName } from './versions.ts';

/** Increase when the steps below change, so that older results are not used. */
const recipe = 2;

/** An installed VS Code for the browser. */
export interface InstalledRelease {
  readonly release: Release;
  readonly node: string;
  /** The program of code-server. */
  readonly codeServer: string;
  /** The folder of the VS Code server inside it, for extension development. */
  readonly vscodeServer: string;
}

/** Installs one end of `engines.vscode` into the cache, unless it is there. Prints its progress. */
export async function installRelease(name: ReleaseName): Promise<InstalledRelease> {
  const release: Release = releases[name];
  const folder = await cached(cacheKey(`code-server-${release.codeServer}`), (folder) =>
    step(`Fetching VS Code ${release.vscode}, once for this machine`, () =>
      installCodeServer(folder, release),
    ),
  );
  const root = path.join(folder, 'node_modules', 'code-server');
  return {
    release,
    node: release.node === undefined ? process.execPath : await installNode(release.node),
    codeServer: path.join(root, 'out', 'node', 'entry.js'),
    vscodeServer: path.join(root, 'lib', 'vscode'),
  };
}

/**
 * Installs without scripts: they would compile native modules (password hashes, Kerberos, a watchdog) that are not
 * used here.
 */
async function installCodeServer(folder: string, release: Release): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  const packages = path.join(folder, 'node_modules');
  const vscode = path.join(packages, 'code-server', 'lib', 'vscode');
  await npmInstall(folder, '--ignore-scripts', `code-server@${release.codeServer}`);
  await npmInstall(vscode, '--ignore-scripts', '--omit=dev');
  if (release.ripgrep !== undefined) {
    const binary = `@vscode/ripgrep-${process.platform}-${process.arch}`;
    await npmInstall(folder, '--ignore-scripts', `${binary}@${release.ripgrep}`);
    const wanted = path.join(vscode, 'node_modules', '@vscode', 'ripgrep', 'bin');
    await cp(path.join(packages, binary, 'bin'), wanted, { recursive: true });
  }
  for (const name of release.standIns) await putStandIn(path.join(packages, name));
}

async function putStandIn(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(path.join(folder, 'index.js'), 'module.exports = {};\n');
}

async function installNode(version: string): Promise<string> {
  const folder = await cached(cacheKey(`node-${version}`), (folder) =>
    step(`Fetching Node ${version}, once for this machine`, async () => {
      const manifest = { private: true, allowScripts: { node: true } };
      await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
      await npmInstall(folder, `node@${version}`);
    }),
  );
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folder, 'node_modules', 'node', 'bin', program);
}

function cacheKey(name: string): string {
  return `${name}-${process.platform}-${process.arch}-${recipe}`;
}

/** Prints a slow step and its time. */
async function step(what: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  console.log(`${what}…`);
  await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
