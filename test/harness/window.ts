import { installExtension, startCodeServer, type CodeServerOptions } from './codeServer.ts';
import { installRelease, type InstalledRelease } from './install.ts';
import { temporaryFolder, vsixFile } from './paths.ts';
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
}

/**
 * Opens a real VS Code with the packaged extension installed, in a profile of its own.
 *
 * ```ts
 * await using window = await openVSCode({ env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: key } });
 * await window.runCommand('Interns: Add Intern by ID…');
 * await window.quickInput.waitFor('Add Intern by ID');
 * await window.quickInput.type('intern_1');
 * await window.quickInput.accept();
 * ```
 */
export async function openVSCode(options: OpenOptions = {}): Promise<VSCodeWindow> {
  const { release = 'newest', theme = 'dark', trust = true, settings, env = {} } = options;
  const { installed, extensions } = await installedExtension(release);
  const folder = await temporaryFolder();
  const server = await startCodeServer(installed, {
    extensions,
    env,
    settings: { 'workbench.colorTheme': releases[release].themes[theme], ...settings },
    workspaceTrust: !trust,
  });
  const end = async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  try {
    return await VSCodeWindow.open(server, options.folder ?? folder.path, end);
  } catch (error) {
    await end();
    throw error;
  }
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
