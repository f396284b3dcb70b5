import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InstalledRelease } from './install.ts';
import { temporaryFolder } from './paths.ts';
import { runQuietly, startProcess, type BackgroundProcess } from './processes.ts';
import { openTokenGate, type TokenGate } from './tokenGate.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** A running VS Code server. Disposing it removes its profile. */
export interface VSCodeServer extends TokenGate {
  /** The folder of the profile: settings, extension storage, logs. */
  readonly profile: string;
  readonly process: BackgroundProcess;
}

export interface CodeServerOptions {
  readonly extensions: string;
  readonly settings?: Settings;
  /** Environment of the extension host; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** 0, the default, selects a free port. */
  readonly port?: number;
  /** True if new workspaces open in Restricted Mode; off by default. */
  readonly workspaceTrust?: boolean;
  /** A BCP 47 tag. VS Code's own strings stay English. */
  readonly locale?: string;
}

/** Settings that keep anything but the extension out of the window. */
const quietWindow: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  // Its notifications cover the window when a service of a test listens to a port.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/** Variables that the extension host must not inherit from the shell that runs the tests. */
const cleanEnvironment = {
  INTERNS_BASE_URL: undefined,
  INTERNS_API_KEY: undefined,
  NODE_OPTIONS: undefined,
  VSCODE_IPC_HOOK_CLI: undefined,
};

/** Installs a VSIX into a folder for extensions, as a user would. */
export async function installExtension(
  { node, codeServer }: InstalledRelease,
  vsix: string,
  extensions: string,
): Promise<void> {
  await using profile = await temporaryFolder();
  const folders = ['--user-data-dir', profile.path, '--extensions-dir', extensions];
  const config = ['--config', path.join(profile.path, 'config.yaml')];
  await runQuietly(node, [codeServer, ...config, ...folders, '--install-extension', vsix], {
    env: cleanEnvironment,
  });
}

/** Starts code-server, the VS Code that users have. */
export async function startCodeServer(
  { node, codeServer }: InstalledRelease,
  options: CodeServerOptions,
): Promise<VSCodeServer> {
  const { extensions, settings = {}, env = {}, port = 0, workspaceTrust = false, locale } = options;
  const profile = await temporaryFolder();
  await writeSettings(path.join(profile.path, 'User'), settings);
  if (locale !== undefined) await writeLanguagePack(profile.path, locale);
  const args = [
    ...['--config', path.join(profile.path, 'config.yaml')],
    ...['--user-data-dir', profile.path],
    ...['--extensions-dir', extensions],
    ...['--socket', socketOf(profile.path), '--socket-mode', '600'],
    // The token gate in front of it decides who may connect.
    ...['--auth', 'none'],
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(locale === undefined ? [] : ['--locale', locale]),
  ];
  return await serve(profile, port, () =>
    startProcess(node, [codeServer, ...args], {
      env: { ...cleanEnvironment, ...env },
      ready: /HTTP server listening on /,
    }),
  );
}

/**
 * Starts the VS Code server inside code-server, which can run an extension from its source folder with a test runner
 * in its extension host.
 */
export async function startDevelopmentServer(
  { node, vscodeServer }: InstalledRelease,
  { settings = {}, env = {} }: Pick<CodeServerOptions, 'settings' | 'env'>,
): Promise<VSCodeServer> {
  const profile = await temporaryFolder();
  await writeSettings(path.join(profile.path, 'data', 'User'), settings);
  const args = [
    ...['--socket-path', socketOf(profile.path)],
    ...['--server-data-dir', profile.path],
    '--without-connection-token',
    '--accept-server-license-terms',
    '--disable-telemetry',
    '--disable-workspace-trust',
    '--disable-experiments',
    '--enable-smoke-test-driver',
  ];
  return await serve(profile, 0, () =>
    startProcess(node, [path.join(vscodeServer, 'out', 'server-main.js'), ...args], {
      env: { ...cleanEnvironment, ...env },
      ready: /Extension host agent listening on /,
    }),
  );
}

/** Writes the settings of a profile, after those of a quiet window. */
export async function writeSettings(folder: string, settings: Settings = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  const all = { ...quietWindow, ...settings };
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(all, undefined, 2));
}

/** Registers an empty language pack: VS Code uses a locale only if a pack for it is installed. */
async function writeLanguagePack(profile: string, locale: string): Promise<void> {
  const words = path.join(profile, 'main.i18n.json');
  await writeFile(words, JSON.stringify({ version: '1.0.0', contents: {} }));
  const identifier = { id: `interns-test.language-pack-${locale}`, uuid: randomUUID() };
  const pack = {
    hash: identifier.uuid,
    label: locale,
    extensions: [{ extensionIdentifier: identifier, version: '1.0.0' }],
    translations: { vscode: words },
  };
  await writeFile(path.join(profile, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
}

/** The server's socket, in its profile, which no other user of this machine can open. */
function socketOf(profile: string): string {
  return path.join(profile, 'server.sock');
}

async function serve(
  profile: Awaited<ReturnType<typeof temporaryFolder>>,
  port: number,
  start: () => Promise<BackgroundProcess>,
): Promise<VSCodeServer> {
  await using started = new AsyncDisposableStack();
  started.use(profile);
  const process = started.use(await start());
  const gate = started.use(await openTokenGate(socketOf(profile.path), port));
  const all = started.move();
  return {
    address: (query) => gate.address(query),
    addressForOnce: (query) => gate.addressForOnce(query),
    profile: profile.path,
    process,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
