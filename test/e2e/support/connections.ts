import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request } from 'playwright-core';
import { projectFolder } from '../../harness/paths.ts';
import type { VSCodeWindow } from '../../harness/window.ts';

/** Bundles that run in the extension host and in the stream keeper. */
const bundles = ['dist/extension.cjs', 'dist/streamKeeper.cjs'];

/** Returns the bundles with a recorder before their code, which appends each connection to a file. */
export async function recordingBundles(file: string): Promise<Readonly<Record<string, string>>> {
  const source = await readFile(new URL('connectionRecorder.cjs', import.meta.url), 'utf8');
  const recorder = source.replace("'CONNECTIONS_FILE'", JSON.stringify(file));
  const entries = bundles.map(async (bundle): Promise<[string, string]> => {
    const code = await readFile(path.join(projectFolder, bundle), 'utf8');
    return [bundle, `${recorder}\n${code}`];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Collects the addresses of all requests from pages of the extension in a window. */
export function watchPages(window: VSCodeWindow): ReadonlySet<string> {
  const addresses = new Set<string>();
  window.page.on('request', (request) => {
    if (isFromPage(request)) addresses.add(new URL(request.url()).origin);
  });
  return addresses;
}

function isFromPage(request: Request): boolean {
  if (request.isNavigationRequest()) return false;
  const outer = request.frame().parentFrame();
  return outer?.url().includes('extensionId=intern-service.interns') === true;
}
