import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../harness/paths.ts';
import { until } from '../harness/until.ts';
import { openVSCode, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { startService, type Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import {
  createAuthority,
  startConnectProxy,
  startTlsFront,
  type ConnectProxy,
} from './support/tlsFront.ts';

/** A name without DNS: requests for it must use the proxy. */
const hostname = 'interns.test';

/** A name whose certificate the machine does not trust. */
const untrusted = 'untrusted.test';

describe('a proxy with its own certificate authority, in the installed VSIX', () => {
  const closing = useClosing();
  let service: Service;
  let proxy: ConnectProxy;
  let window: VSCodeWindow;

  before(async () => {
    service = closing.use(await startService({ keepaliveMs: 500 }));
    const trusted = await createAuthority('The authority of this office');
    const front = closing.use(await startTlsFront(trusted, hostname, service.port));
    const stranger = await createAuthority('A stranger');
    const strange = closing.use(await startTlsFront(stranger, untrusted, service.port));
    proxy = closing.use(
      await startConnectProxy({ [hostname]: front.port, [untrusted]: strange.port }),
    );
    const folder = closing.use(await temporaryFolder());
    const certificates = path.join(folder.path, 'authorities.pem');
    await writeFile(certificates, trusted.certificate);
    window = closing.use(
      await openVSCode({
        settings: { 'http.proxy': `http://127.0.0.1:${proxy.port}` },
        env: {
          SSL_CERT_FILE: certificates,
          INTERNS_BASE_URL: `https://${hostname}/api/v1`,
          INTERNS_API_KEY: 'test-key-owner',
        },
      }),
    );
  });

  it('the user signs in through VS Code’s proxy with a certificate that the machine trusts', async () => {
    await window.statusShows('Orchard');
    assert.ok(proxy.connects.length > 0);
    assert.ok(proxy.connects.every((target) => target === `${hostname}:443`));
  });

  it('each reply streams through the proxy over a connection of its own', async () => {
    await window.showViews('Interns');
    await window.runCommand('Interns: Add Intern by ID…');
    await window.quickInput.fill('Add Intern by ID', 'intern_ada');
    await window.treeShows('Interns', 'intern_ada');
    const chat = await Chat.start(window);
    await chat.ask('markdown');
    await chat.frame.getByRole('table').first().waitFor();
    const before = proxy.connects.length;
    await chat.ask('echo again');
    assert.equal(proxy.connects.length, before + 1);
  });

  it('stopping a run closes its connection to the proxy', async () => {
    const chat = await Chat.shown(window);
    await chat.send('slow 60');
    await chat.streaming();
    const open = service.state.openSockets;
    await chat.stop.click();
    await until('the socket to go', () => service.state.openSockets < open);
    await chat.idle();
  });

  it('the client sends nothing to a server whose certificate is not trusted', async () => {
    const { quickInput } = window;
    await window.runCommand('Interns: Sign In…');
    await quickInput.waitForMessage(/service URL/i);
    await quickInput.enter(`https://${untrusted}/api/v1`);
    await quickInput.fillMasked('test-key-owner');
    await quickInput.waitForMessage(/isn’t secure/);
    assert.ok(proxy.connects.includes(`${untrusted}:443`));
    await window.screenshot('transport-untrusted');
    await quickInput.escape();
  });
});
