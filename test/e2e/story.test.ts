import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request } from 'playwright-core';
import { temporaryFolder } from '../harness/paths.ts';
import { openServed, useClosing, type ServedWindow, type VSCodeWindow } from '../harness/window.ts';
import { recordingBundles } from './support/bundles.ts';
import { tellMainStory } from './support/mainStory.ts';

describe('the main story, in the installed VSIX', () => {
  const closing = useClosing();
  let opened: ServedWindow;
  let connections: string;
  let pageOrigins: ReadonlySet<string>;

  before(async () => {
    const { path: folder } = closing.use(await temporaryFolder());
    connections = path.join(folder, 'connections');
    const files = await recordingBundles(connections);
    opened = closing.use(await openServed({ files, service: { provisioningMs: 300 } }));
    pageOrigins = watchPages(opened.window);
  });

  tellMainStory(() => opened, 'story');

  it('the host, the page and the stream keeper connect to the service and nothing else', async () => {
    const lines = new Set((await readFile(connections, 'utf8')).trim().split('\n'));
    const service = `127.0.0.1:${opened.service.port}`;
    const processes = ['extension.cjs', 'streamKeeper.cjs'];
    assert.deepEqual(
      // code-server's own command line waits for windows at a socket of this name.
      [...lines].filter((line) => !line.endsWith('/code-server-ipc.sock')).sort(),
      processes.flatMap((name) => [`${name} ${service}`, `${name} started`]),
    );
    // VS Code answers requests to this host itself, with files of the extension.
    const resources = /^https:\/\/[\w+.-]+\.vscode-resource\.vscode-cdn\.net$/;
    assert.equal(pageOrigins.size, 1);
    for (const origin of pageOrigins) assert.match(origin, resources);
  });
});

/** Collects the addresses of all requests from pages of the extension in a window. */
function watchPages(window: VSCodeWindow): ReadonlySet<string> {
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
