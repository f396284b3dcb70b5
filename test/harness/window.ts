import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startService, type Service, type ServiceOptions } from '../service/service.ts';
import { installExtension, startCodeServer, type CodeServerOptions } from './codeServer.ts';
import { installRelease, type InstalledRelease } from './install.ts';
import { temporaryFolder, vsixFile } from './paths.ts';
import { seedIntern } from './seedIntern.ts';
import { VSCodeWindow } from './vscodeWindow.ts';
import { releases, type ReleaseName, type Theme } from './versions.ts';

export type { VSCodeWindow } from './vscodeWindow.ts';

export interface OpenOptions extends Pick<CodeServerOptions, 'settings' | 'env'> {
  /** Which end of `engines.vscode`; the newest one by default. */
  readonly release?: ReleaseName;
  /** One of VS Code's stock themes; dark by default. */
  readonly theme?: Theme;
  /** The folder to open; an empty one of its own by default. */
  readonly folder?: string;
  /** Whether the folder counts as trusted, as it does by default; false opens it in Restricted Mode. */
  readonly trust?: boolean;
  /** The language to show; English by default. */
  readonly translation?: Translation;
  /** Files that are put into the folder of the installed extension: the text of each by its path there. */
  readonly files?: Readonly<Record<string, string>>;
  /** What to do before the window opens, with the folder of the profile. */
  readonly prepare?: (profile: string) => Promise<void>;
}

/** The extension in another language. */
export interface Translation {
  /** A BCP 47 tag. */
  readonly locale: string;
  /** What translators add to the extension: the text of each file by its path in the extension's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Opens a real VS Code with the packaged extension installed, in a profile of its own.
 *
 * ```ts
 * await using window = await openVSCode({ theme: 'light' });
 * await window.runCommand('Interns: Sign In…');
 * await window.quickInput.waitFor('Sign In');
 * await window.quickInput.type('https://interns.test/api/v1');
 * await window.quickInput.accept();
 * ```
 */
export async function openVSCode(options: OpenOptions = {}): Promise<VSCodeWindow> {
  const { release = 'newest', theme = 'dark', trust = true, translation } = options;
  const { settings, env = {} } = options;
  const files = { ...translation?.files, ...options.files };
  const { installed, extensions } =
    Object.keys(files).length === 0
      ? await installedExtension(release)
      : await installWith(release, files);
  const folder = await temporaryFolder();
  const server = await startCodeServer(installed, {
    extensions,
    env,
    settings: { 'workbench.colorTheme': releases[release].themes[theme], ...settings },
    workspaceTrust: !trust,
    ...(translation && { locale: translation.locale }),
  });
  const end = async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  try {
    await options.prepare?.(server.profile);
    return await VSCodeWindow.open(server, options.folder ?? folder.path, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** A window and an intern service of its own; disposing closes both. */
export interface ServedWindow extends AsyncDisposable {
  readonly window: VSCodeWindow;
  readonly service: Service;
}

interface ServedOptions extends OpenOptions {
  readonly service?: ServiceOptions;
}

/**
 * Starts a local intern service and opens a real VS Code, not signed in.
 * @param more returns further options, for which the service must have started.
 */
export async function openServed(
  options: ServedOptions = {},
  more?: (service: Service) => OpenOptions,
): Promise<ServedWindow> {
  await using closing = new AsyncDisposableStack();
  const service = closing.use(await startService(options.service));
  const window = closing.use(await openVSCode({ ...options, ...more?.(service) }));
  const opened = closing.move();
  return { window, service, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export interface SignedInOptions extends ServedOptions {
  /** The key that the environment signs in with. */
  readonly apiKey?: string;
  /** The ids of the service's interns that are in the list already; `intern_ada` by default. */
  readonly interns?: readonly string[];
}

/** Opens a real VS Code that its environment signs in to a local intern service, with interns in its list. */
export async function openSignedIn(options: SignedInOptions = {}): Promise<ServedWindow> {
  const { apiKey = 'test-key-owner', interns = ['intern_ada'] } = options;
  return await openServed(options, (service) => ({
    prepare: async (profile) => {
      const chosen = service.state.interns().filter(({ id }) => interns.includes(id));
      for (const intern of chosen)
        await seedIntern(profile, { baseUrl: service.url, apiKey }, intern);
      await options.prepare?.(profile);
    },
    env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: apiKey, ...options.env },
  }));
}

/** What a suite opens in a `before` and hands to this is closed after its last test, the latest first. */
export function useClosing(): AsyncDisposableStack {
  const closing = new AsyncDisposableStack();
  after(() => closing.disposeAsync());
  return closing;
}

interface InstalledExtension {
  readonly installed: InstalledRelease;
  /** The folder with the installed extension, shared by all servers of this process. */
  readonly extensions: string;
}

const installations = new Map<ReleaseName, Promise<InstalledExtension>>();

/** Installs the VSIX once for this process and release. */
function installedExtension(name: ReleaseName): Promise<InstalledExtension> {
  const known = installations.get(name);
  if (known) return known;
  const installation = install(name);
  installations.set(name, installation);
  return installation;
}

async function install(name: ReleaseName): Promise<InstalledExtension> {
  const installed = await installRelease(name);
  // It goes when this process does.
  const { path: extensions } = await temporaryFolder();
  await installExtension(installed, vsixFile, extensions);
  return { installed, extensions };
}

/** Installs the VSIX into a folder of its own, and puts files into it. */
async function installWith(
  name: ReleaseName,
  files: Readonly<Record<string, string>>,
): Promise<InstalledExtension> {
  const installation = await install(name);
  const folders = await readdir(installation.extensions);
  const folder = folders.find((entry) => entry.startsWith('intern-service.interns-'));
  if (folder === undefined) throw new Error('The extension is not where it was installed.');
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(installation.extensions, folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return installation;
}
