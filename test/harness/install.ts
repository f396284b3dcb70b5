import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cached } from './cache.ts';
import { npmInstall } from './npm.ts';
import { releases, type Release, type ReleaseName } from './versions.ts';

/** Changes whenever the steps below do, so that what older steps made is not taken for their result. */
const recipe = 2;

/** A VS Code that runs in a browser, on this machine. */
export interface InstalledRelease {
  readonly release: Release;
  /** The Node program that it runs under. */
  readonly node: string;
  /** code-server's own program: VS Code as a user has it. */
  readonly codeServer: string;
  /** The folder of the VS Code server inside it: for development and tests of extensions. */
  readonly vscodeServer: string;
}

/** Installs one end of `engines.vscode` into the cache, unless it is there, saying so on the standard output. */
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
 * Installs the packages without their scripts: the native modules that these would compile (log-in hashes, Kerberos,
 * a watchdog) are not used here, and a machine without a compiler can do without them too.
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

/** Says what takes long while it does, and how long it took. */
async function step(what: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  console.log(`${what}…`);
  await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
