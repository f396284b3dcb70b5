import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { run } from './processes.ts';

/**
 * Programs that are Chromium enough for VS Code's workbench, as they are called on a PATH. The shell has no browser around
 * its pages: it takes half of the time.
 */
const names = [
  ...['chromium-headless-shell', 'chrome-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
];

/** Where installers put them that do not touch the PATH. */
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** What Playwright turns off: of two flags that turn features off, only the last counts. */
const offInPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Pages that list proposals below the address: each context loads them, though nobody sees them, for 0.7 s of CPU. */
const addressPopups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

const flags = [
  `--disable-features=${[...offInPlaywright, ...addressPopups].join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium of this machine: `CHROME_PATH`, else one on the PATH, else one in the usual places. */
function findChromium(): string | undefined {
  if (process.env['CHROME_PATH'] !== undefined) return process.env['CHROME_PATH'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...usualPlaces].find((file) => existsSync(file));
}

/**
 * Starts the Chromium of this machine, without a window. As root on Debian, one is installed first where there is none.
 * @throws an Error that says what to do where there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium());
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chrome or Chromium. Install one, or name its program in the environment variable CHROME_PATH.',
    );
  }
  // Our own handlers end this process on a signal, and Playwright ends its browsers when this process ends.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return await chromium.launch({ executablePath, args: flags, ...signals });
}

let shared: Promise<Browser> | undefined;

/** The one browser that all windows of this process share, each in a context of its own. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes the shared browser, if it was ever started. */
export async function closeSharedBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

async function installChromium(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  console.log('Installing Chromium…');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if ((await run('apt-get', ['install', '-qq', '--yes', name], { env })) === 0) break;
  }
  return findChromium();
}
