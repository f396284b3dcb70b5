import assert from 'node:assert/strict';
import {
  ask,
  assertError,
  clock,
  promptBody,
  refused,
  service,
  restart,
  startChat,
  StreamReader,
  useService,
  watch,
} from './support.ts';

const KEEPALIVE = ': keepalive\n\n';

/** Starts a run in a new session and reads its stream up to a text. */
async function streaming(prompt: string, upTo: string) {
  const abort = new AbortController();
  const response = await startChat(promptBody(prompt, { session: 'session_mine' }), abort);
  const reader = new StreamReader(response);
  await reader.upTo(upTo);
  return { reader, abort };
}

describe('service keepalives', () => {
  useService();

  // Rules 17.8, 21.7
  it('the service sends a keepalive after every 30 seconds of silence', async () => {
    const { reader } = await streaming('stall', 'keepalives.');
    clock.advance(29_999);
    assert.ok(!reader.read.includes(KEEPALIVE));
    clock.advance(1);
    await reader.upTo(KEEPALIVE);
    clock.advance(30_000);
    await reader.upTo(KEEPALIVE + KEEPALIVE);
  });
});

describe('service disconnects', () => {
  useService();

  // Rules 11.8, 18.10
  it('a disconnect frees the session at the next keepalive', async () => {
    const { abort } = await streaming('stall', 'keepalives.');
    abort.abort();
    const cut = await watch.over();
    assert.equal(cut.outcome, 'cut');
    clock.advance(29_999);
    const body = promptBody('hi', { session: 'session_mine' });
    assertError(await refused(body), 409, 'busy');
    clock.advance(1);
    assert.equal(service.state.session('session_mine')?.run, 'cancelled');
    assert.equal((await ask('hi', { session: 'session_mine' })).finishReason, 'stop');
  });

  // Rule 11.11
  it('a disconnect cancels a run at the latest when it would pause', async () => {
    await restart({ chunkMs: 10 });
    const body = promptBody('ask permission', { session: 'session_mine' });
    const abort = new AbortController();
    const response = startChat(body, abort);
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
});
