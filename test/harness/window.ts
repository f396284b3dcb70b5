import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startService, type Service, type ServiceOptions } from '../service/service.ts';
import { installExtension, startCodeServer, type CodeServerOptions } from './codeServer.ts';
import { installRelease, type InstalledRelease } from './install.ts';
import { temporaryFolder, vsixFile } from './paths.ts';
import { seedIntern } from './seedIntern.ts';
import { VSCodeWindow } from './vscodeWindow.ts';
import { releases, type ReleaseName } from './versions.ts';

export type { VSCodeWindow } from './vscodeWindow.ts';

export interface OpenOptions extends Pick<CodeServerOptions, 'settings' | 'env' | 'locale'> {
  /** The newest one by default. */
  readonly release?: ReleaseName;
  /** An empty folder by default. */
  readonly folder?: string;
  /** True by default; false opens the folder in Restricted Mode. */
  readonly trust?: boolean;
  /** Texts of files to write into the installed extension, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs before the window opens. */
  readonly prepare?: (profile: string) => Promise<void>;
}

/** Opens a real VS Code with the packaged extension installed, in its own profile. */
export async function openVSCode(options: OpenOptions = {}): Promise<VSCodeWindow> {
  const { release = 'newest', trust = true, settings, env = {}, files = {}, locale } = options;
  const { installed, extensions } =
    Object.keys(files).length === 0
      ? await installedExtension(release)
      : await installWith(release, files);
  const folder = await temporaryFolder();
  const server = await startCodeServer(installed, {
    extensions,
    env,
    settings: { 'workbench.colorTheme': releases[release].darkTheme, ...settings },
    workspaceTrust: !trust,
    ...(locale !== undefined && { locale }),
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
 * @param more returns further options, for which the service must have started
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
  /** The IDs of the interns that are in the list already; `intern_ada` by default. */
  readonly interns?: readonly string[];
}

/** Opens a real VS Code that is signed in to a local intern service, with interns in its list. */
export async function openSignedIn(options: SignedInOptions = {}): Promise<ServedWindow> {
  const { interns = ['intern_ada'] } = options;
  const apiKey = 'test-key-owner';
  return await openServed(options, (service) => ({
    prepare: async (profile) => {
      const chosen = service.state.interns().filter(({ id }) => interns.includes(id));
      for (const intern of chosen)
        await seedIntern(profile, { baseUrl: service.url, apiKey }, intern);
    },
    env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: apiKey, ...options.env },
  }));
}

/** Opens a signed-in window before the tests of a suite, and closes it after the last. */
export function useSignedIn(
  options: SignedInOptions,
  take: (opened: ServedWindow) => unknown,
): void {
  const closing = useClosing();
  before(async () => {
    await take(closing.use(await openSignedIn(options)));
  });
}

/** Returns a stack for what `before` opens. It is disposed after the suite's last test, even if `before` failed. */
export function useClosing(): AsyncDisposableStack {
  const closing = new AsyncDisposableStack();
  after(() => closing.disposeAsync());
  return closing;
}

interface InstalledExtension {
  readonly installed: InstalledRelease;
  /** Shared by all servers of this process. */
  readonly extensions: string;
}

const installations: Partial<Record<ReleaseName, Promise<InstalledExtension>>> = {};

/** Installs the VSIX once for each release. */
function installedExtension(name: ReleaseName): Promise<InstalledExtension> {
  return (installations[name] ??= install(name));
}

/** Installs the VSIX again where the windows of this process have it, as an update does. */
export async function reinstall(): Promise<void> {
  const { installed, extensions } = await installedExtension('newest');
  await installExtension(installed, vsixFile, extensions);
}

async function install(name: ReleaseName): Promise<InstalledExtension> {
  const installed = await installRelease(name);
  // Removed when this process exits.
  const { path: extensions } = await temporaryFolder();
  await installExtension(installed, vsixFile, extensions);
  return { installed, extensions };
}

/** Copies the installed extension, and writes files into the copy. */
async function installWith(
  name: ReleaseName,
  files: Readonly<Record<string, string>>,
): Promise<InstalledExtension> {
  const { installed, extensions: original } = await installedExtension(name);
  const { path: extensions } = await temporaryFolder();
  await cp(original, extensions, { recursive: true });
  // VS Code lists the extensions of a folder again, since this list has the paths of the original.
  await rm(path.join(extensions, 'extensions.json'), { force: true });
  const folders = await readdir(extensions);
  const folder = folders.find((entry) => entry.startsWith('intern-service.interns-'));
  if (folder === undefined) throw new Error('The extension is not where it was installed.');
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(extensions, folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return { installed, extensions };
}
