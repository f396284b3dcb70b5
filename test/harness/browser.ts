import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { firstProgram, run } from './processes.ts';

/** Browsers that can run VS Code's workbench, by their names on the PATH. The headless shell takes half the time. */
const names = [
  ...['chromium-headless-shell', 'chrome-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
];

/** Browsers of installers that do not touch the PATH. */
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Features that Playwright turns off. Only the last `--disable-features` counts, so they are repeated here. */
const offInPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Address bar popups. Each context would load them, which takes 0.7 s of CPU. */
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

/** Our own handlers end this process on a signal, and Playwright then ends its browsers. */
const noSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Returns the browser in `CHROME_PATH`, else one on the PATH, else one in the usual places. */
function findChromium(): string | undefined {
  if (process.env['CHROME_PATH'] !== undefined) return process.env['CHROME_PATH'];
  return firstProgram(names) ?? usualPlaces.find((file) => existsSync(file));
}

/**
 * Starts the Chromium of this machine, headless. As root on Debian, installs one if there is none.
 * @throws Error with what to do, if there is none
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium());
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chrome or Chromium. Install one, or name its program in the environment variable CHROME_PATH.',
    );
  }
  return await chromium.launch({ executablePath, args: flags, ...noSignals });
}

let shared: Promise<Browser> | undefined;

/** Lets all windows of this process share a browser on a display, which assistive technology can read. */
export async function shareReadableBrowser(env: Readonly<Record<string, string>>): Promise<void> {
  shared = chromium.launch({
    executablePath: firstProgram(['chromium']) ?? '',
    headless: false,
    args: [...flags, '--force-renderer-accessibility', '--kiosk'],
    env: { ...process.env, ...env },
    ...noSignals,
  });
  await shared;
}

/** The browser that all windows of this process share, each in its own context. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

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
