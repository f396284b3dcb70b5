import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createAuthority,
  startConnectProxy,
  startTlsFront,
} from '../../../e2e/support/tlsFront.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { startHeldServer } from '../../support/heldServer.ts';
import { chatInit } from '../../support/keeperRequests.ts';
import { useKeeperWindows } from '../../support/keepers.ts';

describe('a stream keeper behind a proxy', () => {
  const storage = useTemporaryFolder();
  const windows = useKeeperWindows(storage);
  const own = process.env;
  afterEach(() => (process.env = own));

  it('a stream keeper sends an encrypted request through the proxy of the settings', async () => {
    await using server = await startHeldServer();
    const authority = await createAuthority('Of a company');
    const certificates = join(storage.path, 'authority.pem');
    await writeFile(certificates, authority.certificate);
    process.env = { HOME: storage.path, NODE_EXTRA_CA_CERTS: certificates };
    await using front = await startTlsFront(
      authority,
      'interns.test',
      Number(new URL(server.url).port),
    );
    await using proxy = await startConnectProxy({ 'interns.test': front.port });
    const url = `http://127.0.0.1:${proxy.port}`;
    const window = windows.open({ proxy: () => ({ url, bypass: '' }) });
    const chat = 'https://interns.test/api/v1/interns/intern_ada/chat/completions';
    const sent = window.keeper.fetchTo(join(storage.path, 'responses', 'one.response'))(
      chat,
      chatInit(),
    );
    (await server.nextStream()).response.end('reply');
    assert.equal(await (await sent).text(), 'reply');
    assert.deepEqual(window.ownRequests, []);
    assert.deepEqual(proxy.connects, ['interns.test:443', 'interns.test:443']);
  });
});
