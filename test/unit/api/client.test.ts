import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createServiceClient, type ServiceClient } from '../../../src/api/client.ts';
import type { Route } from '../../../src/api/errors.ts';
import {
  chatResponse,
  fakeService,
  type FakeService,
  json,
  KEY,
  LiveStream,
  readChat,
  refusal,
  rootOf,
} from './support/fakeFetch.ts';
import { DONE, end, ROLE, STOP, stream } from './support/streams.ts';

const KEY_INFO = {
  data: { creator_user_id: 'user_1', workspace_id: 'workspace_1', label: 'mine' },
};
const INTERN = { id: 'intern_1', workspace_id: 'workspace_1', name: 'ada', status: 'queued' };
const SECRET_DRAFT = { hosts: ['a.example'], value: 'test-value' };
const DRAFT = { body: '{"name":"ada"}', idempotency: { name: 'X-Once', value: 'uuid-1' } };

/** Advances the clock over all retries. */
async function passRetries({ clock }: FakeService, timeoutMs = 0): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await setImmediate();
    clock.advance(8_000);
    await setImmediate();
    clock.advance(timeoutMs);
  }
}

function lostConnection(): Error {
  const cause = Object.assign(new Error('private'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

describe('client: requests', () => {
  // Rule 16.1
  it('the client sends the key to the service URL, without cookies, caches or redirects', async () => {
    const { client, sent } = fakeService([json(KEY_INFO)]);
    await client.getKey();
    assert.equal(sent.length, 1);
    const { url, init } = sent[0]!;
    const { signal, ...rest } = init;
    assert.equal(url, 'https://interns.example/api/v1/key');
    assert.equal(signal.aborted, false);
    assert.deepEqual(rest, {
      method: 'GET',
      headers: { accept: 'application/json', authorization: `Bearer ${KEY}` },
      body: null,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
  });

  // Rule 14.10
  it('the client sends the stored bytes and the header of a creation on every attempt', async () => {
    const { client, sent, clock } = fakeService([lostConnection(), json(INTERN)]);
    const created = client.createIntern(DRAFT);
    await setImmediate();
    clock.advance(250);
    assert.equal((await created).id, 'intern_1');
    assert.equal(sent.length, 2);
    for (const { url, init } of sent) {
      assert.equal(url, 'https://interns.example/api/v1/interns');
      assert.equal(init.method, 'POST');
      assert.equal(init.body, '{"name":"ada"}');
      assert.deepEqual(init.headers, {
        'X-Once': 'uuid-1',
        accept: 'application/json',
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
      });
    }
  });

  it('the client asks for an event stream in a chat request', async () => {
    const { client, sent } = fakeService([chatResponse(stream(ROLE, STOP, end(), DONE))]);
    assert.equal((await readChat(client)).error, null);
    assert.equal(sent[0]?.url, 'https://interns.example/api/v1/interns/intern_1/chat/completions');
    assert.equal(sent[0].init.headers['accept'], 'text/event-stream');
    assert.equal(sent[0].init.headers['content-type'], 'application/json');
  });

  it('the client reads the key again for each request', async () => {
    const keys = ['test-key-1', 'test-key-2'];
    const { client, sent } = fakeService([json(KEY_INFO), json(KEY_INFO)], {
      key: () => Promise.resolve(keys.shift() ?? ''),
    });
    await client.getKey();
    await client.getKey();
    assert.deepEqual(
      sent.map(({ init }) => init.headers['authorization']),
      ['Bearer test-key-1', 'Bearer test-key-2'],
    );
  });

  it('the client sends nothing if the key does not fit into a header', async () => {
    const unusable = [() => '', () => 'a b', () => 'é', () => 'a\r\nX: y'];
    const broken = () => Promise.reject(new Error('the keyring is locked'));
    for (const key of [...unusable, broken]) {
      const { client, sent, log } = fakeService([json(KEY_INFO)], { key });
      await assert.rejects(client.getKey(), {
        kind: 'signed-out',
        route: 'key',
        status: null,
        message: 'There is no usable key',
      });
      assert.deepEqual([sent.length, log.length], [0, 0]);
    }
  });

  it('the client rejects a request that exceeds a limit, without sending it', async () => {
    const { client, sent } = fakeService([]);
    const secret = { hosts: [], value: 'x' };
    await assert.rejects(client.putSecret('token', secret), { kind: 'invalid-request' });
    const draft = { body: 'x'.repeat(1_048_577), idempotency: null };
    await assert.rejects(client.createIntern(draft), { kind: 'payload-too-large' });
    assert.equal(sent.length, 0);
  });

  it("the client uses the platform's current fetch, clock and random numbers by default", async () => {
    const platformFetch = globalThis.fetch;
    const client = createServiceClient({
      root: rootOf('https://interns.example/api/v1'),
      key: () => KEY,
    });
    try {
      let calls = 0;
      globalThis.fetch = () =>
        Promise.resolve(++calls === 1 ? json({}, 500, { 'retry-after': '0' }) : json(KEY_INFO));
      assert.equal((await client.getKey()).label, 'mine');
      assert.equal(calls, 2);
    } finally {
      globalThis.fetch = platformFetch;
    }
  });
});

describe('client: retries and failures', () => {
  it('the client repeats no prompt after a refusal', async () => {
    const { client, sent } = fakeService([refusal(429, 'rate_limited')]);
    const { error } = await readChat(client);
    assert.deepEqual([error?.kind, error?.inStream], ['rate-limited', false]);
    assert.equal(sent.length, 1);
  });

  it('a refusal whose body breaks counts by its status', async () => {
    const broken = (status: number) => {
      const pull = (body: ReadableStreamDefaultController) => body.error(lostConnection());
      const headers = { 'retry-after': '7' };
      return new Response(new ReadableStream({ pull }), { status, headers });
    };
    for (const [status, kind] of [
      [409, 'not-the-service'],
      [429, 'rate-limited'],
      [503, 'server-error'],
    ] as const) {
      const { error } = await readChat(fakeService([broken(status)]).client);
      const found = [error?.kind, error?.status, error?.retryAfterMs];
      assert.deepEqual(found, [kind, status, 7_000]);
    }
  });

  it('a call that is aborted while a refusal is read counts as aborted', async () => {
    const stop = new AbortController();
    const live = new LiveStream('application/json');
    Object.defineProperties(live.response, { ok: { value: false }, status: { value: 429 } });
    const chat = readChat(fakeService([live]).client, { signal: stop.signal });
    await setImmediate();
    stop.abort();
    assert.equal((await chat).error?.kind, 'aborted');
  });

  it('the client reports a lost connection with its code and without private text', async () => {
    for (const [failure, code, message] of [
      [lostConnection(), 'ECONNRESET', 'The connection failed (ECONNRESET)'],
      [new Error('private text'), null, 'The connection failed'],
    ] as const) {
      const { error } = await readChat(fakeService([failure]).client);
      const found = [error?.kind, error?.code, error?.message, error?.cause];
      assert.deepEqual(found, ['network', code, message, undefined]);
    }
  });

  it('the client follows no opaque redirect, and frees its socket', async () => {
    const response = json(KEY_INFO);
    Object.defineProperties(response, {
      status: { value: 0 },
      type: { value: 'opaqueredirect' },
      ok: { value: false },
    });
    const { client, sent, log } = fakeService([response]);
    await assert.rejects(client.getKey(), {
      kind: 'redirect',
      status: 0,
      message: 'The service responded with a redirect, which is not followed',
    });
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.init.signal.aborted, true);
    assert.equal(log[0]?.kind, 'redirect');
  });

  const calls: readonly (readonly [Route, number, (client: ServiceClient) => Promise<unknown>])[] =
    [
      ['key', 60_000, (client) => client.getKey()],
      ['create', 180_000, (client) => client.createIntern(DRAFT)],
      ['secret', 60_000, (client) => client.putSecret('token', SECRET_DRAFT)],
    ];
  for (const [route, timeoutMs, call] of calls)
    it(`the client gives up a request of the ${route} route after ${timeoutMs} ms`, async () => {
      const service = fakeService(['silence']);
      const { client, clock, sent } = service;
      const expected = { kind: 'timeout', route, status: null, message: 'No response in time' };
      const ended = assert.rejects(call(client), expected);
      await setImmediate();
      clock.advance(timeoutMs - 1);
      await setImmediate();
      assert.equal(sent[0]?.init.signal.aborted, false);
      clock.advance(1);
      await passRetries(service, timeoutMs);
      await ended;
      assert.equal(sent.length, 4);
      assert.equal(clock.waiting, 0);
    });

  it('the client counts the body toward the time limit of a request', async () => {
    const slow = new LiveStream('application/json');
    const { client, clock, log } = fakeService([slow, json(KEY_INFO)]);
    const info = client.getKey();
    await setImmediate();
    slow.send('{"data":');
    clock.advance(60_000);
    await setImmediate();
    clock.advance(250);
    assert.equal((await info).label, 'mine');
    assert.deepEqual([log[0]?.kind, log[0]?.status], ['timeout', 200]);
  });

  it('the client ends a request that the caller aborts before or after it is sent', async () => {
    const early = fakeService([json(KEY_INFO)]);
    await assert.rejects(early.client.getKey({ signal: AbortSignal.abort() }), {
      kind: 'aborted',
      message: 'Canceled',
    });
    const late = fakeService(['silence']);
    const controller = new AbortController();
    const info = late.client.getKey({ signal: controller.signal });
    await setImmediate();
    controller.abort();
    await assert.rejects(info, { kind: 'aborted' });
    assert.equal(late.sent[0]?.init.signal.aborted, true);
    assert.equal(late.clock.waiting, 0);
  });

  it("the client leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const { client } = fakeService([json(KEY_INFO)]);
    await client.getKey({ signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  // Rule 15.7
  it('the client withholds messages that repeat the key or the value', async () => {
    for (const message of [`Bad key ${KEY}`, 'Bad value test-value']) {
      const { client } = fakeService([refusal(400, 'bad_request', message)]);
      await assert.rejects(client.putSecret('token', SECRET_DRAFT), {
        kind: 'invalid-request',
        message: '(withheld: it repeats what was sent)',
      });
    }
  });
});

describe('client: log', () => {
  it('the client withholds a logged reason that repeats a submitted value', async () => {
    const call = { index: 0, id: 'call_1', name: 'service.provide_input', arguments: '{}' };
    const content = { dsn: 'bad_request_url' };
    const answer = { kind: 'elicitation', action: 'accept', content } as const;
    const request = { kind: 'answer', sessionId: 'session_1', call, answer } as const;
    const reasons = ['not_bad_request_url', 'bad_request'];
    const { client, log } = fakeService(reasons.map((reason) => refusal(400, reason)));
    for (const reason of reasons)
      assert.equal((await readChat(client, {}, request)).error?.reason, reason);
    assert.deepEqual(
      log.map(({ reason }) => reason),
      ['(withheld: it repeats what was sent)', 'bad_request'],
    );
  });

  it('the client logs each request with its path, status, reason and time', async () => {
    const answers = [refusal(409, 'bad_request'), json(KEY_INFO)] as const;
    const [refusalBody, keyBody] = [answers[0].clone(), answers[1].clone()];
    const { client, log } = fakeService([...answers]);
    await assert.rejects(client.createIntern(DRAFT));
    await client.getKey({ tag: 'reading' });
    assert.deepEqual(log, [
      {
        ...{ route: 'create', method: 'POST', path: '/interns' },
        ...{ status: 409, reason: 'bad_request', kind: 'invalid-request', durationMs: 0 },
        sentBytes: new TextEncoder().encode(DRAFT.body).length,
        receivedBytes: new TextEncoder().encode(await refusalBody.text()).length,
        tag: null,
      },
      {
        ...{ route: 'key', method: 'GET', path: '/key' },
        ...{ status: 200, reason: null, kind: null, durationMs: 0 },
        sentBytes: 0,
        receivedBytes: new TextEncoder().encode(await keyBody.text()).length,
        tag: 'reading',
      },
    ]);
  });

  it('the client logs the time from a request to its end', async () => {
    const { client, clock, log } = fakeService(['silence']);
    const controller = new AbortController();
    const info = client.getKey({ signal: controller.signal });
    await setImmediate();
    clock.advance(1_234);
    controller.abort();
    await assert.rejects(info);
    assert.partialDeepStrictEqual(log[0], { durationMs: 1_234, status: null, kind: 'aborted' });
  });
});
