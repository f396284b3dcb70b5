import assert from 'node:assert/strict';
import {
  assertError,
  ask,
  bench,
  parseStream,
  promptBody,
  refused,
  startChat,
  StreamReader,
  type Bench,
} from './support.ts';

const KEEPALIVE = ': keepalive\n\n';

/** Starts a run in a new session and reads up to a text of its stream. */
async function streaming({ service }: Bench, prompt: string, upTo: string) {
  const abort = new AbortController();
  const response = await startChat(service, promptBody(prompt, { session: 'session_mine' }), abort);
  const reader = new StreamReader(response);
  await reader.upTo(upTo);
  return { reader, abort };
}

describe('service keepalives', () => {
  // Rules 17.8, 21.7
  it('come after every 30 seconds of silence, and not before', async () => {
    const started = await bench();
    const { reader } = await streaming(started, 'stall', 'keepalives.');
    started.clock.advance(29_999);
    assert.ok(!reader.read.includes(KEEPALIVE));
    started.clock.advance(1);
    await reader.upTo(KEEPALIVE);
    started.clock.advance(30_000);
    await reader.upTo(KEEPALIVE + KEEPALIVE);
  });

  // Rule 17.8
  it('count from the last thing that was written', async () => {
    const started = await bench();
    const { reader } = await streaming(started, 'slow 60', 'assistant');
    for (let quarter = 0; quarter < 60 * 4; quarter++) {
      started.clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reader.upTo('[DONE]');
    assert.ok(!reader.read.includes(KEEPALIVE));
    assert.match(parseStream(reader.read).text, /60 s\.\n$/);
  });

  it('do not come from an intern that is dead', async () => {
    const started = await bench();
    const { reader } = await streaming(started, 'dead', 'nothing at all.');
    started.clock.advance(120_000);
    started.service.state.endRun('session_mine');
    await reader.upTo('[DONE]');
    assert.ok(!reader.read.includes(KEEPALIVE));
  });
});

describe('service disconnects', () => {
  // Rules 11.8, 18.10
  it('are noticed at the next keepalive tick: the session is busy until then, and free after it', async () => {
    const started = await bench();
    const { service, clock, watch } = started;
    const { abort } = await streaming(started, 'stall', 'keepalives.');
    abort.abort();
    const cut = await watch.over();
    assert.equal(cut.outcome, 'cut');
    clock.advance(29_999);
    const body = promptBody('hi', { session: 'session_mine' });
    assertError(await refused(service, body), 409, 'busy');
    clock.advance(1);
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
    assert.equal((await ask(service, 'hi', { session: 'session_mine' })).finishReason, 'stop');
  });

  // Rule 11.8
  it('are noticed within one interval even while the intern goes on writing', async () => {
    const started = await bench();
    const { service, clock, watch } = started;
    const { abort } = await streaming(started, 'slow 60', 'assistant');
    abort.abort();
    await watch.over();
    for (let second = 0; second < 30; second++) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
  });

  // Rule 11.11
  it('are noticed at the latest when the run would pause', async () => {
    const started = await bench({ chunkMs: 10 });
    const { service, clock, watch } = started;
    const body = promptBody('ask permission', { session: 'session_mine' });
    const abort = new AbortController();
    const response = startChat(service, body, abort);
    await watch.until(() => watch.exchanges.length === 1);
    clock.advance(10);
    const reader = new StreamReader(await response);
    await reader.upTo('assistant');
    abort.abort();
    await watch.over();
    for (let step = 0; step < 20; step++) {
      clock.advance(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
    assert.deepEqual(service.state.session('session_mine')?.pending, []);
  });

  it('by a network that breaks off count like any other', async () => {
    const { service, clock, watch } = await bench();
    const response = await startChat(service, promptBody('break off', { session: 'session_mine' }));
    await assert.rejects(response.text(), TypeError);
    await watch.over();
    assert.equal(service.state.session('session_mine')?.run, 'streaming');
    clock.advance(30_000);
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
  });

  it('free the socket at once', async () => {
    const started = await bench();
    const { abort } = await streaming(started, 'stall', 'keepalives.');
    assert.equal(started.service.state.openSockets, 1);
    abort.abort();
    await started.service.state.socketsFreed();
    assert.equal(started.service.state.openSockets, 0);
  });
});

describe('service runs that the intern ends', () => {
  // Rules 11.9, 19.13
  it('tell a connected client run_ended, code 410, and close as ever', async () => {
    const started = await bench();
    const { reader } = await streaming(started, 'stall', 'keepalives.');
    started.service.state.endRun('session_mine');
    const { error, final, done } = parseStream(await reader.upTo('[DONE]'));
    assert.equal(error?.code, 410);
    assert.equal(error.metadata.reason, 'run_ended');
    assert.equal(final?.session_id, 'session_mine');
    assert.ok(done);
    assert.equal(started.service.state.session('session_mine')?.run, 'ended');
  });
});
