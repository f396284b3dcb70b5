import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { startDevelopmentServer, writeSettings, type VSCodeServer } from './codeServer.ts';
import { outputPortVariable } from './extensionHostRunner.ts';
import { installRelease } from './install.ts';
import { cacheFolder, distFolder, projectFolder, temporaryFolder } from './paths.ts';
import { releases, type ReleaseName } from './versions.ts';

/** How long to wait for VS Code's update server, in milliseconds. */
const downloadProbeMs = 5_000;

/** How long VS Code may take to load and run all suites, in milliseconds. */
const runMs = 10 * 60_000;

const runner = path.join(distFolder, 'test', 'harness', 'extensionHostRunner.cjs');

export interface ExtensionHostOptions {
  readonly release: ReleaseName;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the bundled suites in an extension host: in a desktop VS Code if one is available, else in a VS Code server
 * with Chromium.
 * @returns whether all tests passed
 */
export async function runInExtensionHost(options: ExtensionHostOptions): Promise<boolean> {
  await using output = await printLines();
  const env = { ...options.env, [outputPortVariable]: String(output.port) };
  const desktop = await findDesktop(options.release);
  if (desktop !== undefined) return await runOnDesktop(desktop, env);
  const { passed, consoleLines } = await runInServer({ ...options, env });
  // Without output from mocha, the workbench's console says what went wrong.
  if (output.bytes() === 0) console.error(consoleLines.join('\n'));
  return passed;
}

/** Prints what the runner sends, and counts its bytes. */
async function printLines() {
  let bytes = 0;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => (bytes += chunk.length)).pipe(process.stdout, { end: false });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => bytes,
    [Symbol.asyncDispose]: async () => {
      await once(server.close(), 'close');
    },
  };
}

/** Returns a desktop VS Code that can run here, if there is one. */
async function findDesktop(name: ReleaseName): Promise<string | undefined> {
  const { VSCODE_EXECUTABLE_PATH: chosen, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (chosen !== undefined && name === 'newest') return chosen;
  const hasDisplay =
    process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
  if (!hasDisplay || !(await canDownload())) return undefined;
  return await downloadAndUnzipVSCode({
    version: releases[name].vscode,
    cachePath: path.join(cacheFolder(), 'desktop'),
  });
}

async function canDownload(): Promise<boolean> {
  const signal = AbortSignal.timeout(downloadProbeMs);
  const releasesUrl = 'https://update.code.visualstudio.com/api/releases/stable';
  return await fetch(releasesUrl, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function runOnDesktop(program: string, env: Readonly<Record<string, string>>) {
  await using folder = await temporaryFolder();
  await using profile = await temporaryFolder();
  await writeSettings(path.join(profile.path, 'User'));
  const exitCode = await runTests({
    vscodeExecutablePath: program,
    extensionDevelopmentPath: projectFolder,
    extensionTestsPath: runner,
    extensionTestsEnv: env,
    launchArgs: [
      folder.path,
      ...['--user-data-dir', profile.path],
      ...['--extensions-dir', path.join(profile.path, 'extensions')],
      '--disable-workspace-trust',
      '--skip-welcome',
    ],
  }).catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  return exitCode === 0;
}

async function runInServer({ release, env }: ExtensionHostOptions) {
  const installed = await installRelease(release);
  await using folder = await temporaryFolder();
  await using server = await startDevelopmentServer(installed, { env });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await routeMintKey(page);
    return await runInPage(page, developmentUrl(server, folder.path));
  } finally {
    await browser.close();
  }
}

/** Responds to the route that gives the key for the secrets of a page. Only code-server has it, not the bare server. */
async function routeMintKey(page: Page): Promise<void> {
  const key = randomBytes(32);
  await page.route('**/mint-key', (route) =>
    route.fulfill({ contentType: 'application/octet-stream', body: key }),
  );
}

function developmentUrl(server: VSCodeServer, folder: string): string {
  const { host } = new URL(server.address({}));
  const remote = (file: string) => `vscode-remote://${host}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(projectFolder)],
    ['extensionTestsPath', remote(runner)],
  ];
  return server.address({ folder, payload: JSON.stringify(payload) });
}

/** Opens a workbench that runs the suites, and waits until they have ended. */
async function runInPage(page: Page, url: string) {
  const consoleLines: string[] = [];
  const exitCode = new Promise<number>((resolve, reject) => {
    page.once('crash', () => reject(new Error('The page of VS Code crashed.')));
    setTimeout(() => reject(new Error(`No end after ${runMs} ms.`)), runMs).unref();
    void page.exposeFunction('codeAutomationExit', resolve).catch(reject);
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    consoleLines.push(`[${type}] ${args.map(String).join(' ')}`);
  });
  await page.goto(url);
  const passed = await exitCode.then(
    (code) => code === 0,
    (error: unknown) => {
      consoleLines.push(String(error));
      return false;
    },
  );
  return { passed, consoleLines };
}
