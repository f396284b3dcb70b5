import assert from 'node:assert/strict';
import http from 'node:http';
import type { Exchange } from '../service.ts';
import {
  assertError,
  ask,
  bench,
  promptBody,
  send,
  sendJson,
  startChat,
  StreamReader,
} from './support.ts';

const KEY = { method: 'GET' };

describe('service faults', () => {
  it('replace the very next response of their route, in order, and of no other', async () => {
    const { service } = await bench();
    service.faults.next('key', { kind: 'respond', status: 429, headers: { 'retry-after': '7' } });
    service.faults.next('key', { kind: 'respond', status: 502, body: '<html>' });
    assert.equal((await ask(service, 'hello')).finishReason, 'stop');
    const first = await send(service, '/key', KEY);
    assert.equal(first.status, 429);
    assert.equal(first.headers.get('retry-after'), '7');
    assert.equal(await first.text(), '');
    const second = await send(service, '/key', KEY);
    assert.equal(second.status, 502);
    assert.equal(await second.text(), '<html>');
    assert.equal(service.faults.size, 0);
    assert.equal((await sendJson(service, '/key', KEY)).status, 200);
  });

  it('are forgotten when they are cleared', async () => {
    const { service } = await bench();
    service.faults.next('key', { kind: 'hang' });
    service.faults.clear();
    assert.equal((await sendJson(service, '/key', KEY)).status, 200);
  });

  it('hang until the client gives up', async () => {
    const { service, watch } = await bench();
    service.faults.next('key', { kind: 'hang' });
    const abort = new AbortController();
    const response = send(service, '/key', { ...KEY, signal: abort.signal });
    await watch.until(() => watch.exchanges.length === 1);
    assert.equal(watch.exchanges[0]?.outcome, 'open');
    abort.abort();
    await assert.rejects(response, { name: 'AbortError' });
    assert.equal((await watch.over()).status, undefined);
  });

  it('cut after so many bytes, when the service has acted already', async () => {
    const { service, watch } = await bench();
    service.faults.next('create', { kind: 'cut', afterBytes: 10 }, { kind: 'cut', afterBytes: 0 });
    const body = { name: 'zoe' };
    const cut = await send(service, '/interns', { body });
    assert.equal(cut.status, 201);
    await assert.rejects(cut.text(), TypeError);
    assert.equal((await watch.over()).responseBytes, 10);
    await assert.rejects(send(service, '/interns', { body }), TypeError);
    const whole = await sendJson(service, '/interns', { body });
    assert.equal(whole.status, 200);
  });

  it('cut a chat stream in the middle, which the run takes for a disconnect', async () => {
    const { service, watch, clock } = await bench();
    service.faults.next('chat', { kind: 'cut', afterBytes: 300 });
    const body = promptBody('stall', { session: 'session_mine' });
    const response = await startChat(service, body);
    await assert.rejects(response.text(), TypeError);
    assert.equal((await watch.over()).responseBytes, 300);
    assert.equal(service.state.session('session_mine')?.run, 'streaming');
    clock.advance(30_000);
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
  });

  it('stream raw bytes, each chunk on its own', async () => {
    const { service } = await bench();
    const bytes = Buffer.from('data: ü\r\n\r\n');
    const chunks = [bytes.subarray(0, 7), bytes.subarray(7), ': x\n\n'];
    service.faults.next('chat', { kind: 'stream', chunks });
    const response = await startChat(service, promptBody('hi'));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.equal(await response.text(), 'data: ü\r\n\r\n: x\n\n');
  });

  it('stream under another status and type, and leave the response open or cut it', async () => {
    const { service } = await bench();
    service.faults.next(
      'chat',
      { kind: 'stream', chunks: ['a'], status: 203, headers: { 'content-type': 'text/html' } },
      { kind: 'stream', chunks: ['data: [DONE]\n\n'], pauseMs: 1, after: 'leave open' },
      { kind: 'stream', chunks: ['data: '], after: 'cut' },
    );
    const typed = await startChat(service, promptBody('hi'));
    assert.equal(typed.status, 203);
    assert.equal(typed.headers.get('content-type'), 'text/html');
    await typed.text();
    const open = new StreamReader(await startChat(service, promptBody('hi')));
    await open.upTo('[DONE]');
    await open.close();
    const cut = await startChat(service, promptBody('hi'));
    await assert.rejects(cut.text(), TypeError);
  });
});

describe('service observer', () => {
  it('sees each request as it was sent, and what became of it', async () => {
    const seen: Exchange[] = [];
    const { service } = await bench({
      observer: { onResponse: (exchange) => seen.push(exchange) },
    });
    const headers = { 'idempotency-key': 'k' };
    await sendJson(service, '/interns?x=1', { headers, body: '{"name":"zoe"}' });
    assert.equal(seen.length, 1);
    const [exchange] = seen;
    assert.equal(exchange?.method, 'POST');
    assert.equal(exchange.path, '/api/v1/interns?x=1');
    assert.equal(exchange.headers['idempotency-key'], 'k');
    assert.equal(exchange.body.toString(), '{"name":"zoe"}');
    assert.equal(exchange.status, 201);
    assert.equal(exchange.outcome, 'complete');
    assert.ok(exchange.responseBytes > 0);
  });

  it('tells requests of one kept-alive connection by its socket', async () => {
    const { service, watch } = await bench();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 2; count++) {
      await new Promise((resolve) => {
        http.get(`${service.url}/key`, { agent }, (response) =>
          response.resume().on('end', resolve),
        );
      });
    }
    agent.destroy();
    const [first, second] = watch.exchanges;
    assert.equal(first?.socket, second?.socket);
    assert.ok(first!.socket > 0);
  });

  it('sees sockets open and close', async () => {
    const events: string[] = [];
    const { service } = await bench({
      observer: {
        onSocketOpened: (socket) => events.push(`opened ${socket}`),
        onSocketClosed: (socket) => events.push(`closed ${socket}`),
      },
    });
    await sendJson(service, '/key', { ...KEY, headers: { connection: 'close' } });
    await service.state.socketsFreed();
    assert.deepEqual(events, ['opened 1', 'closed 1']);
  });

  it('reads a body that is too large to its end, and keeps no more than it must', async () => {
    const { service, watch } = await bench();
    const body = 'x'.repeat(3_000_000);
    assertError(await sendJson(service, '/interns', { body }), 413, 'payload_too_large');
    assert.equal(watch.exchanges[0]?.body.length, 1_048_577);
  });
});

describe('service start and end', () => {
  it('refuses a port that is taken', async () => {
    const { service } = await bench();
    await assert.rejects(bench({ port: service.port }), { code: 'EADDRINUSE' });
  });

  it('closes with every connection, streaming ones too', async () => {
    const { service } = await bench();
    const response = await startChat(service, promptBody('stall'));
    await Promise.all([service.close(), assert.rejects(response.text(), TypeError)]);
    assert.equal(service.state.openSockets, 0);
    await assert.rejects(send(service, '/key', KEY), TypeError);
  });

  it('makes the same ids from the same seed', async () => {
    const { seededRandom } = await import('../service.ts');
    const ids = async (seed: string): Promise<unknown> => {
      const { service } = await bench({ random: seededRandom(seed) });
      return (await sendJson(service, '/interns', { body: { name: 'zoe' } })).json['id'];
    };
    assert.equal(await ids('one'), await ids('one'));
    assert.notEqual(await ids('one'), await ids('two'));
  });

  it('cannot change an intern that does not exist', async () => {
    const { service } = await bench();
    assert.throws(() => service.state.setIntern('intern_nobody', {}), /no intern/);
  });
});
