/**
 * Starts everything needed to try the extension: a local intern service, and a real VS Code in its own profile with
 * the packaged extension, signed in to that service, with one running intern in its list.
 *
 *     npm start -- [--no-open] [--no-package] [--port N]
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startService } from '../service/service.ts';
import { installExtension, startCodeServer } from './codeServer.ts';
import { installRelease } from './install.ts';
import { packageExtension } from './npm.ts';
import { temporaryFolder, vsixFile } from './paths.ts';
import { exitOnSignals } from './processes.ts';
import { seedIntern } from './seedIntern.ts';

const apiKey = 'test-key-owner';

const { values } = parseArgs({
  options: {
    open: { type: 'boolean', default: true },
    /** Off installs the VSIX in dist/ as it is. */
    package: { type: 'boolean', default: true },
    port: { type: 'string', default: '0' },
  },
  allowNegative: true,
});

exitOnSignals(0);

const release = await installRelease('newest');
if (values.package) {
  console.log('Packaging the extension…');
  await packageExtension();
}
const { path: extensions } = await temporaryFolder();
await installExtension(release, vsixFile, extensions);
const service = await startService({ chunkMs: 15, provisioningMs: 4_000 });
const server = await startCodeServer(release, {
  extensions,
  port: Number(values.port),
  env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: apiKey },
});
const intern = service.state.interns().find(({ id }) => id === 'intern_ada');
await seedIntern(server.profile, { baseUrl: service.url, apiKey }, intern);
const { path: folder } = await temporaryFolder();
const url = server.address({ folder });
await assertServes(url);

console.log(`The intern service listens on ${service.url}. Ctrl+C ends it and VS Code.`);
console.log(`Open ${url}`);
// Other users can read the arguments of a process, so this address works once.
if (values.open && hasDesktop()) openInBrowser(server.addressForOnce({ folder }));
await server.process.ended;
console.error(server.process.output());
process.exit(1);

/** @throws Error if VS Code does not serve its window */
async function assertServes(address: string): Promise<void> {
  const { status } = await fetch(address);
  if (status !== 200) throw new Error(`VS Code responds with ${status} at ${address}.`);
}

function hasDesktop(): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI !== undefined) return false;
  return process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
}

/** Opens the user's browser, which outlives this process. */
function openInBrowser(address: string): void {
  const [program, ...args] = opener();
  const browser = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  browser.on('error', (error) => console.error(`No browser could be opened: ${error.message}`));
  browser.unref();
}

function opener(): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
