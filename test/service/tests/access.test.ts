import assert from 'node:assert/strict';
import http from 'node:http';
import {
  assertError,
  chatPath,
  clock,
  OWNER,
  pause,
  promptBody,
  sendJson,
  service,
  restart,
  useService,
} from './support.ts';

const SECRET = { hosts: ['a.test'], value: 'v' };

/** Every route, as a request that a member may make. */
const ROUTES = [
  ['GET /key', '/key', { method: 'GET' }],
  ['POST /interns', '/interns', { body: { name: 'zoe' } }],
  // Rule 16.5
  ['PUT /vault/secrets/{name}', '/vault/secrets/a', { method: 'PUT', body: SECRET }],
  // Rules 16.5, 18.4
  ['the chat route', chatPath(), { body: promptBody('hi') }],
] as const;

describe('service access', () => {
  useService();

  for (const [route, path, request] of ROUTES) {
    for (const [what, authorization] of [
      ['no key', {}],
      ['an unknown key', { authorization: 'Bearer test-key-nobody' }],
      ['another scheme', { authorization: `Basic ${OWNER}` }],
      // Rule 16.1
      ['a key without its scheme', { authorization: OWNER }],
    ] as const) {
      // Rules 9.1, 13.3, 16.1, 16.5, 20.1
      it(`refuses ${route} with ${what}: 401, no reason`, async () => {
        const reply = await sendJson(path, {
          ...request,
          key: undefined,
          headers: authorization,
        });
        assertError(reply, 401);
      });
    }

    // Rules 16.6, 18.5
    it(`refuses ${route} with the key of a member who left: 403, no reason`, async () => {
      assertError(await sendJson(path, { ...request, key: 'test-key-left' }), 403);
    });
  }

  for (const [route, path, request] of ROUTES.slice(1)) {
    // Rules 1.4, 1.5, 16.4, 18.6, 20.4, 20.5
    it(`hides ${route} from callers outside the programme: 404, no reason`, async () => {
      assertError(await sendJson(path, { ...request, key: 'test-key-outsider' }), 404);
    });
  }

  for (const [method, path] of [
    ['GET', '/interns'],
    ['GET', '/interns/intern_ada'],
    ['DELETE', '/interns/intern_ada'],
    ['GET', '/vault/secrets'],
    ['GET', '/vault/secrets/a'],
    ['GET', '/vault'],
  ] as const) {
    // Rules 1.4, 1.5, 16.4
    it(`hides ${method} ${path} from callers outside the programme, reads included`, async () => {
      assertError(await sendJson(path, { method, key: 'test-key-outsider' }), 404);
    });
  }

  for (const [route, path, request] of ROUTES.slice(1, 3)) {
    // Rules 1.6, 16.7
    it(`refuses ${route} on a regional hostname, whatever its case and port`, async () => {
      const status = await statusAt(service.url, path, 'EU.localhost', request);
      assert.equal(status, 403);
    });
  }

  // Rules 1.6, 16.7
  it('serves chat and the key on a regional hostname', async () => {
    assert.equal(await statusAt(service.url, '/key', 'eu.localhost', { method: 'GET' }), 200);
    const chat = { body: promptBody('hi') };
    assert.equal(await statusAt(service.url, chatPath(), 'eu.localhost', chat), 200);
  });

  it('refuses every route with 401 from the moment a key is revoked, with 403 from when its creator left, replies included', async () => {
    for (const [status, end] of [
      [401, () => service.state.keys.revoke(OWNER)],
      [403, () => service.state.keys.change(OWNER, { left: true })],
    ] as const) {
      await restart({});
      const { refusedReply } = await pause('ask permission');
      end();
      for (const [, path, request] of ROUTES)
        assertError(await sendJson(path, { ...request, key: OWNER }), status);
      assertError(await refusedReply('allow_once'), status);
    }
  });

  // Rule 16.5
  it('takes a key away the moment it is revoked, and when it expires', async () => {
    await restart({ keys: ['test-key-mine'] });
    const status = async (key: string): Promise<number> =>
      (await sendJson('/key', { method: 'GET', key })).status;
    assert.equal(await status('test-key-mine'), 200);
    service.state.keys.revoke('test-key-mine');
    assert.equal(await status('test-key-mine'), 401);

    assert.equal(await status('test-key-expiring'), 200);
    clock.advance(3 * 86_400_000);
    assert.equal(await status('test-key-expiring'), 401);
  });

  // Rules 1.7, 13.2
  it('answers unknown paths with 404, and other methods with the one that exists', async () => {
    assertError(await sendJson('/nothing', { method: 'GET' }), 404);
    assertError(await sendJson('/vault/secrets/%zz', { method: 'PUT' }), 404);
    const wrong = await sendJson('/key', { method: 'DELETE' });
    assertError(wrong, 405);
    assert.equal(wrong.headers.get('allow'), 'GET');
  });

  // Rule 22.1
  it('answers outside the API root with a page, as a wrong API root would', async () => {
    const root = await fetch(new URL('/', service.url));
    assert.equal(root.status, 200);
    assert.match(root.headers.get('content-type')!, /html/);
    assert.equal((await fetch(new URL('/key', service.url))).status, 404);
  });
});

interface Request {
  method?: string;
  body?: unknown;
}

/** The status of a request whose Host header names another host: `fetch` would not send that. */
function statusAt(root: string, path: string, host: string, { method = 'POST', body }: Request) {
  return new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: `Bearer ${OWNER}`, host: `${host}:1234` };
    const request = http.request(
      `${root}${path}`,
      { method, headers, agent: false },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      },
    );
    request.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
