import assert from 'node:assert/strict';
import {
  assertError,
  chatPath,
  OWNER,
  pause,
  promptBody,
  sendJson,
  service,
  restart,
  useService,
} from './support.ts';

const SECRET = { hosts: ['a.test'], value: 'v' };

/** A valid request to every route. */
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
    // Rules 9.1, 13.3, 16.1, 16.5, 20.1
    for (const [what, authorization] of [
      ['no key', {}],
      ['an unknown key', { authorization: 'Bearer test-key-nobody' }],
      ['another scheme', { authorization: `Basic ${OWNER}` }],
      ['a key without its scheme', { authorization: OWNER }],
    ] as const)
      it(`the service refuses ${route} with ${what}: 401`, async () => {
        const response = await sendJson(path, {
          ...request,
          key: undefined,
          headers: authorization,
        });
        assertError(response, 401);
      });

    // Rules 16.6, 18.5
    it(`the service refuses ${route} with the key of a member who left: 403`, async () => {
      assertError(await sendJson(path, { ...request, key: 'test-key-left' }), 403);
    });
  }

  for (const [name, path, request] of [
    ...ROUTES.slice(1),
    ['GET /interns', '/interns', { method: 'GET' }],
    ['GET /interns/{id}', '/interns/intern_ada', { method: 'GET' }],
    ['DELETE /interns/{id}', '/interns/intern_ada', { method: 'DELETE' }],
    ['GET /vault/secrets', '/vault/secrets', { method: 'GET' }],
    ['GET /vault/secrets/{name}', '/vault/secrets/a', { method: 'GET' }],
    ['GET /vault', '/vault', { method: 'GET' }],
  ] as const)
    // Rules 1.4, 1.5, 16.4, 18.6, 20.4, 20.5
    it(`the service hides ${name} from callers outside the program`, async () => {
      assertError(await sendJson(path, { ...request, key: 'test-key-outsider' }), 404);
    });

  it('the service refuses every route once a key is revoked or its creator has left', async () => {
    for (const [status, end] of [
      [401, () => service.state.keys.revoke(OWNER)],
      [403, () => service.state.keys.change(OWNER, { left: true })],
    ] as const) {
      await restart({});
      const { refusedAnswer } = await pause('ask permission');
      end();
      for (const [, path, request] of ROUTES)
        assertError(await sendJson(path, { ...request, key: OWNER }), status);
      assertError(await refusedAnswer('allow_once'), status);
    }
  });

  // Rules 1.7, 13.2
  it('the service responds with 404 to an unknown path and with 405 to an unknown method', async () => {
    assertError(await sendJson('/nothing', { method: 'GET' }), 404);
    assertError(await sendJson('/vault/secrets/%zz', { method: 'PUT' }), 404);
    const wrong = await sendJson('/key', { method: 'DELETE' });
    assertError(wrong, 405);
    assert.equal(wrong.headers.get('allow'), 'GET');
  });

  // Rule 22.1
  it('the service responds with a page outside its API root', async () => {
    const root = await fetch(new URL('/', service.url));
    assert.equal(root.status, 200);
    assert.match(root.headers.get('content-type')!, /html/);
    assert.equal((await fetch(new URL('/key', service.url))).status, 404);
  });
});
