import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DETACHED,
  NEVER_SENT,
  readNetworkFailure,
  type FetchInit,
  type StoredResponse,
} from '../../../../src/api/index.ts';
import { readRefusal } from '../../../../src/api/responses.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { beginStream, startHeldServer, type HeldServer } from '../../support/heldServer.ts';
import { chatInit, keeperScript } from '../../support/keeperRequests.ts';
import { framesIn, useKeeperWindows, type KeeperWindow } from '../../support/keepers.ts';

const storage = useTemporaryFolder();
const windows = useKeeperWindows(storage);
let server: HeldServer;

beforeEach(async () => {
  server = await startHeldServer();
});

afterEach(() => server[Symbol.asyncDispose]());

const responsePath = (): string => join(storage.path, 'responses', 'one.response');
const chatUrl = (): string => `${server.url}/interns/intern_ada/chat/completions`;

/** Sends a chat request through the window's keeper. */
function send(
  { keeper }: KeeperWindow,
  init: Partial<FetchInit> = {},
  onWindow?: () => void,
): Promise<StoredResponse> {
  return keeper.fetchTo(responsePath(), onWindow)(chatUrl(), chatInit(init));
}

/** Sends a request whose response has begun, and returns both ends. */
async function openStream(window: KeeperWindow, init: Partial<FetchInit> = {}) {
  const sent = send(window, init);
  const held = await server.nextStream();
  return { held, response: await sent };
}

/** Lets the service reply to a request, and expects the reply. */
async function expectReply(sent: Promise<StoredResponse>): Promise<void> {
  const held = await server.nextStream();
  held.response.end('reply');
  assert.equal(await (await sent).text(), 'reply');
}

function codeOf(failing: Promise<unknown>): Promise<string | null> {
  return failing.then(
    () => assert.fail('It did not fail'),
    (failure: unknown) => readNetworkFailure(failure).code,
  );
}

describe('a chat request through a stream keeper', () => {
  it('a stream keeper sends a chat request once, as the client made it', async () => {
    const window = windows.open();
    const { held, response } = await openStream(window);
    assert.equal(held.request.method, 'POST');
    assert.equal(held.request.headers.authorization, 'Bearer test-key');
    assert.equal(held.body, '{"stream":true}');
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    held.response.end('data: [DONE]\n\n');
    assert.equal(await response.text(), 'data: [DONE]\n\n');
    assert.deepEqual(server.requests, [
      'GET /api/v1/key',
      'POST /api/v1/interns/intern_ada/chat/completions',
    ]);
    assert.deepEqual(window.ownRequests, []);
  });

  it('a window gets each part of a response that a keeper stored with its time of arrival', async () => {
    const { held, response } = await openStream(windows.open());
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (const part of ['first', 'second']) {
      const before = Date.now();
      held.response.write(part);
      const { value } = await reader.read();
      assert.equal(Buffer.from(value!).toString(), part);
      const receivedAt = response.receivedAt!();
      assert.ok(receivedAt >= before && receivedAt <= Date.now());
    }
  });

  it('a private file names the stream keeper before the service gets the request', async () => {
    const window = windows.open();
    const sent = send(window);
    const held = await server.next();
    assert.equal((await stat(responsePath())).mode & 0o777, 0o600);
    const [opening] = await framesIn(responsePath());
    assert.ok(opening?.type === 'opened');
    assert.equal(opening.keeper.pid, window.pid());
    beginStream(held);
    held.response.end();
    await (await sent).text();
    assert.equal((await framesIn(responsePath())).at(-1)?.type, 'end');
  });

  it('a stream keeper ends its request when the run is stopped', async () => {
    const stop = new AbortController();
    const { held } = await openStream(windows.open(), { signal: stop.signal });
    stop.abort();
    await held.closed;
    await eventually(async () => (await framesIn(responsePath())).at(-1)?.type === 'end');
  });

  it('a stream keeper ends its request if the run is stopped before a response has come', async () => {
    const stop = new AbortController();
    const sent = send(windows.open(), { signal: stop.signal });
    const held = await server.next();
    stop.abort();
    await assert.rejects(sent);
    await held.closed;
  });

  it('a stream keeper does not send a request that was stopped before it began', async () => {
    const window = windows.open();
    const sent = send(window, { signal: AbortSignal.abort() });
    await assert.rejects(sent, { name: 'AbortError' });
    assert.deepEqual(window.ownRequests, []);
  });

  it('a stream keeper ends its request when another window stops the run', async () => {
    const { held, response } = await openStream(windows.open());
    const stop = new AbortController();
    const other = windows.open();
    await other.keeper.fetchFrom(responsePath())('', chatInit({ signal: stop.signal }));
    stop.abort();
    await held.closed;
    assert.equal(existsSync(responsePath()), false);
    assert.equal(await codeOf(response.text()), 'ERR_RESPONSE_STOPPED');
  });

  it('a stream keeper ends its request when the folder of the response is deleted', async () => {
    const { held } = await openStream(windows.open());
    await rm(join(storage.path, 'responses'), { recursive: true });
    await held.closed;
  });

  it('a window gets a refusal from a stream keeper as the service gave it', async () => {
    const window = windows.open();
    const sent = send(window);
    const { response } = await server.next();
    const body = '{"error":{"code":409,"message":"CANARY","metadata":{"reason":"busy"}}}';
    response.writeHead(409, { 'retry-after': '7' }).end(body);
    const refusal = await sent;
    assert.equal(refusal.status, 409);
    assert.equal(refusal.headers.get('retry-after'), '7');
    assert.equal(await refusal.text(), body);
    assert.doesNotMatch(await readFile(responsePath(), 'latin1'), /CANARY/);
  });

  it('a window takes no refusal whose body broke off for an empty one of the service', async () => {
    const sent = send(windows.open());
    const { response } = await server.next();
    response.writeHead(401, { 'content-length': '100' });
    response.write('<!doctype html>', () => response.destroy());
    const refusal = await sent;
    assert.equal(refusal.status, 401);
    assert.notEqual(await refusal.text(), '');
  });

  for (const [code, metadata, expected] of [
    [409, { reason: 'busy' }, 'busy'],
    [403, { reason: 'CANARY' }, 'refused'],
    [403, null, 'left-organization'],
  ] as const)
    it(`the next window reads a refusal ${code} as ${expected} from the response file`, async () => {
      const closing = new AbortController();
      const window = windows.open();
      const sent = send(window, { signal: closing.signal });
      const { response } = await server.next();
      closing.abort(DETACHED);
      await assert.rejects(sent);
      window.keeper.dispose();
      response
        .writeHead(code)
        .end(JSON.stringify({ error: { code, message: 'CANARY', metadata } }));
      const refusal = await windows.open().keeper.fetchFrom(responsePath())('', chatInit());
      const context = { route: 'chat', redact: String, nowMs: 0 } as const;
      const { kind, status } = readRefusal(refusal, await refusal.text(), context);
      assert.deepEqual([kind, status], [expected, code]);
      assert.doesNotMatch(await readFile(responsePath(), 'latin1'), /CANARY/);
    });

  it('a response of a stream keeper fails with the code of its broken connection', async () => {
    const { held, response } = await openStream(windows.open());
    held.response.destroy();
    assert.match((await codeOf(response.text()))!, /UND_ERR_SOCKET|ECONNRESET/);
  });

  it('a stream keeper does not follow a redirect', async () => {
    const sent = send(windows.open());
    (await server.next()).response.writeHead(302, { location: `${server.url}/key` }).end();
    assert.equal((await sent).status, 302);
    assert.deepEqual(server.requests.slice(1), [
      'POST /api/v1/interns/intern_ada/chat/completions',
    ]);
  });

  it('a request without a response file counts as never sent, and no keeper sends it later', async () => {
    const window = windows.open();
    await mkdir(dirname(responsePath()));
    const reading = window.keeper.fetchFrom(responsePath())('', chatInit());
    assert.equal(await codeOf(reading), NEVER_SENT);
    assert.equal(await codeOf(send(window)), NEVER_SENT);
    assert.deepEqual(window.ownRequests, []);
    assert.deepEqual(server.requests, ['GET /api/v1/key']);
  });
});

describe('the death of a stream keeper', () => {
  it('the next prompt starts another stream keeper after one has died', async () => {
    const window = windows.open();
    const { response } = await openStream(window);
    const died = window.pid();
    process.kill(died, 'SIGKILL');
    assert.equal(await codeOf(response.text()), 'ERR_KEEPER_LOST');
    await rm(responsePath());
    await expectReply(send(window));
    assert.notEqual(window.pid(), died);
  });

  it('a request without a response may have been received if its keeper dies', async () => {
    const window = windows.open();
    const sent = send(window);
    await server.next();
    process.kill(window.pid(), 'SIGKILL');
    assert.equal(await codeOf(sent), 'ERR_KEEPER_LOST');
  });

  it('a window that took over shows the response as interrupted if the keeper dies', async () => {
    const window = windows.open();
    await openStream(window);
    const response = await windows.open().keeper.fetchFrom(responsePath())('', chatInit());
    process.kill(window.pid(), 'SIGKILL');
    assert.equal(await codeOf(response.text()), 'ERR_KEEPER_LOST');
  });
});

describe('a window where no stream keeper works', () => {
  async function expectOwnRequest(window: KeeperWindow): Promise<void> {
    let isOwn = false;
    const sent = send(window, {}, () => (isOwn = true));
    await expectReply(sent);
    assert.deepEqual(window.ownRequests, [chatUrl()]);
    assert.equal(isOwn, true);
    assert.equal(existsSync(responsePath()), false);
  }

  for (const [why, options, keyStatus] of [
    ['the stream keeper does not say hello', { script: '/missing.cjs' }, 200],
    ['runs should end with the window', { policy: () => 'never' as const }, 200],
    ['a proxy stops the stream keeper', {}, 407],
  ] as const)
    it(`a window sends the request itself if ${why}`, async () => {
      server.keyStatus = keyStatus;
      await expectOwnRequest(windows.open(options));
    });

  it('a window sends the request itself if the stream keeper could not connect', async () => {
    const window = windows.open();
    await expectReply(send(window));
    await rm(responsePath());
    await server[Symbol.asyncDispose]();
    await assert.rejects(send(window));
    assert.deepEqual(window.ownRequests, [chatUrl()]);
    assert.equal(existsSync(responsePath()), false);
    server = await startHeldServer();
  });

  /** Sends a request that reaches the service from the keeper. */
  async function expectKeptRequest(window: KeeperWindow): Promise<void> {
    await expectReply(send(window));
    assert.equal(window.ownRequests.length, 1);
  }

  /** Opens a window whose keeper's disk is full from a file's creation or from its first chunk on. */
  async function openOnFullDisk(call: 'openSync' | 'writeSync') {
    const script = join(storage.path, 'keeper.mjs');
    const lines = [
      `import fs from 'node:fs';`,
      `import { syncBuiltinESMExports } from 'node:module';`,
      `const { ${call}: real } = fs;`,
      `const isFull = (_, bytes) => bytes === 'wx' || String(bytes).includes('CHUNK');`,
      `fs.${call} = (...given) => {`,
      `  if (isFull(...given)) throw Object.assign(new Error('Full'), { code: 'ENOSPC' });`,
      `  return real(...given);`,
      `};`,
      `syncBuiltinESMExports();`,
      `await import(${JSON.stringify(pathToFileURL(keeperScript))});`,
    ];
    await writeFile(script, lines.join('\n'));
    let onFullDisk: (() => void) | undefined;
    const told = new Promise<void>((resolve) => (onFullDisk = resolve));
    return { window: windows.open({ script, onFullDisk: () => onFullDisk?.() }), told };
  }

  it('a window sends the request itself if the disk is full, and tells the user', async () => {
    const { window, told } = await openOnFullDisk('openSync');
    await expectOwnRequest(window);
    await told;
  });

  it('a window reads a reply to its end although the disk is full, and tells the user', async () => {
    const { window, told } = await openOnFullDisk('writeSync');
    const { held, response } = await openStream(window);
    held.response.write('CHUNK 1 ');
    await told;
    held.response.end('CHUNK 2');
    assert.equal(await response.text(), 'CHUNK 1 CHUNK 2');
    assert.deepEqual(window.ownRequests, []);
  });

  it('a window starts a keeper again a minute after one did not start', async () => {
    const clock = new FakeClock();
    const script = join(storage.path, 'keeper.mjs');
    const window = windows.open({ script, clock });
    await expectOwnRequest(window);
    await writeFile(script, `import ${JSON.stringify(pathToFileURL(keeperScript))};`);
    clock.advance(60_000);
    await expectKeptRequest(window);
  });

  it('a window stops starting keepers after three did not start', async () => {
    const clock = new FakeClock();
    const window = windows.open({ script: join(storage.path, 'missing.cjs'), clock });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const sent = send(window);
      (await server.next()).response.writeHead(204).end();
      await sent;
      clock.advance(60_000);
    }
    const failed = window.log.lines.filter((line) => line.startsWith('No stream keeper can run'));
    assert.equal(failed.length, 3);
  });

  it('a window asks again after a minute whether the keeper reaches the service', async () => {
    const clock = new FakeClock();
    const window = windows.open({ clock });
    server.keyStatus = 407;
    await expectOwnRequest(window);
    server.keyStatus = 200;
    clock.advance(60_000);
    await expectKeptRequest(window);
  });

  it('a check says why the keeper does not reach a service', async () => {
    const { keeper } = windows.open();
    const found = await keeper.probe('http://service.test/key', {});
    assert.ok(typeof found === 'object');
    assert.deepEqual([found.status, found.code], [null, 'ERR_TLS_REQUIRED']);
    const off = windows.open({ policy: () => 'never' });
    assert.equal(await off.keeper.probe('http://service.test/key', {}), 'off');
  });

  it('a window sends the request itself if no folder for the response can be made', async () => {
    const folder = join(storage.path, 'accounts', 'gone', 'responses', 'one');
    const window = windows.open();
    const sent = window.keeper.fetchTo(folder)(chatUrl(), chatInit());
    await expectReply(sent);
    assert.deepEqual(window.ownRequests, [chatUrl()]);
  });
});
