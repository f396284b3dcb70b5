import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { CallOptions } from '../../../src/api/transport.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import {
  chatResponse,
  fakeService,
  json,
  LiveStream,
  PROMPT,
  readChat,
  type ChatOutcome,
} from './support/fakeFetch.ts';
import {
  ASKED,
  delta,
  DONE,
  end,
  END_EVENT,
  failed,
  ROLE,
  STOP,
  stream,
  text,
  toolCall,
} from './support/streams.ts';

const END = stream(STOP, end({ usage: null }), DONE);
const ENDED: readonly ChatEvent[] = [{ kind: 'finish', reason: 'stop' }, END_EVENT];

/** Begins to read a stream that the test continues. */
async function openChat(options?: CallOptions) {
  const live = new LiveStream();
  const service = fakeService([live]);
  const outcome = readChat(service.client, options);
  await setImmediate();
  const isAborted = () => service.sent[0]?.init.signal.aborted;
  return { ...service, live, outcome, isAborted };
}

function readAll(...pieces: readonly (string | Uint8Array)[]): Promise<ChatOutcome> {
  return readChat(fakeService([chatResponse(...pieces)]).client);
}

function assertFailed({ error }: ChatOutcome, kind: string, message?: string): void {
  assert.deepEqual([error?.kind, error?.inStream], [kind, true]);
  if (message !== undefined) assert.equal(error?.message, message);
}

describe('chat stream: events', () => {
  it('the chat stream yields events once for each network chunk that completed some', async () => {
    const first = stream(ROLE, text('a'));
    const half = stream(text('b')).slice(0, 20);
    const rest = stream(text('b')).slice(20);
    const { batches, error } = await readAll(first, ': keepalive\n\n', half, rest, END);
    assert.equal(error, null);
    assert.deepEqual(batches, [
      [{ kind: 'role' }, { kind: 'text', text: 'a' }],
      [{ kind: 'text', text: 'b' }],
      ENDED,
    ]);
  });

  it('the chat stream yields events before the stream sends more', async () => {
    const live = new LiveStream();
    const { client } = fakeService([live]);
    const events = client.streamChat('intern_1', PROMPT)[Symbol.asyncIterator]();
    live.send(stream(ROLE));
    assert.deepEqual((await events.next()).value, [{ kind: 'role' }]);
    live.send(stream(text('a')));
    assert.deepEqual((await events.next()).value, [{ kind: 'text', text: 'a' }]);
  });

  it('the chat stream reports the response when its headers have come', async () => {
    let responses = 0;
    const { live, outcome } = await openChat({ onResponse: () => (responses += 1) });
    assert.equal(responses, 1);
    live.send(END);
    assert.equal((await outcome).error, null);
  });

  it('the chat stream sends no chat request until the stream is read', async () => {
    const { client, sent } = fakeService([chatResponse(END)]);
    client.streamChat('intern_1', PROMPT);
    await setImmediate();
    assert.equal(sent.length, 0);
  });
});

describe('chat stream: end', () => {
  // Rules 12.5, 17.7
  it('the chat stream ends at [DONE], and frees a socket that stays open', async () => {
    const { live, clock, log, outcome, isAborted } = await openChat();
    live.send(stream(ROLE) + END);
    assert.deepEqual((await outcome).batches, [[{ kind: 'role' }, ...ENDED]]);
    assert.equal(log[0]?.kind, null);
    clock.advance(999);
    assert.equal(isAborted(), false);
    clock.advance(1);
    assert.equal(isAborted(), true);
    await setImmediate();
    assert.equal(clock.waiting, 0);
  });

  it('the chat stream keeps the connection of a response that ends by itself', async () => {
    const { live, clock, outcome, isAborted } = await openChat();
    live.send(END);
    await outcome;
    live.send('\n: bye\n');
    live.close();
    await setImmediate();
    clock.advance(10_000);
    assert.equal(isAborted(), false);
    assert.equal(clock.waiting, 0);
  });

  // Rule 11.11
  it('the chat stream yields all events of a severed response before it throws', async () => {
    const bytes = new TextEncoder().encode(stream(ROLE, text('é'), STOP, end()));
    const { client, log, sent } = fakeService([chatResponse(bytes)]);
    const outcome = await readChat(client);
    assert.equal(log[0]?.receivedBytes, bytes.length);
    assert.equal(outcome.batches.flat().length, 4);
    assertFailed(outcome, 'severed', 'The stream ended before [DONE]');
    assert.deepEqual([outcome.error?.route, log[0].kind], ['chat', 'severed']);
    assert.equal(sent[0]?.init.signal.aborted, true);
  });

  // Rule 17.9
  it('the chat stream fails if [DONE] comes without the finish chunk or the final chunk', async () => {
    const message = 'The stream lacks its finish chunk or its final chunk';
    for (const short of [stream(ROLE, DONE), stream(STOP, DONE), stream(end(), DONE)])
      assertFailed(await readAll(short), 'broken-stream', message);
  });

  it('the chat stream fails at an event that is too large, and frees the socket', async () => {
    const { live, outcome, isAborted } = await openChat();
    live.send(stream(text('a')));
    for (let i = 0; i < 5; i++) live.send(`${i === 0 ? 'data:' : ''}${'x'.repeat(1_048_576)}`);
    assert.deepEqual((await outcome).batches, [[{ kind: 'text', text: 'a' }]]);
    assertFailed(await outcome, 'broken-stream', 'An event is too large');
    assert.equal(isAborted(), true);
  });

  const calls = Array.from({ length: 17 }, (_, at) => toolCall(`call_${at}`, {}));

  it('the chat stream fails at the 17th tool call, even after the finish chunk', async () => {
    const late = delta({ tool_calls: calls.slice(16) });
    const body = stream(ROLE, delta({ tool_calls: calls.slice(0, 16) }), ASKED, late, end(), DONE);
    assertFailed(await readAll(body), 'too-many-calls', 'More than 16 tool calls');
  });

  it('the chat stream frees the socket of a response with more than 16 tool calls', async () => {
    const { live, outcome, isAborted } = await openChat();
    live.send(stream(text('a'), delta({ tool_calls: calls })));
    assert.equal((await outcome).batches.flat().length, 17);
    assertFailed(await outcome, 'too-many-calls');
    assert.equal(isAborted(), true);
  });

  // Rule 8.1
  it('the chat stream logs its completion, its skipped parts and its failure', async () => {
    const body = stream(ROLE, '{', '7', '{', failed(502, 'turn_failed', 'No'), end(), DONE);
    const { client, log } = fakeService([chatResponse(body)]);
    await readChat(client);
    const [{ status, reason, kind, stream: facts } = assert.fail()] = log;
    assert.deepEqual([status, reason, kind], [200, 'turn_failed', 'turn-failed']);
    assert.deepEqual(facts, {
      completionId: 'chatcmpl_1',
      skipped: { 'not-json': 2, 'not-a-chunk': 1 },
    });
  });

  for (const [sleptMs, code] of [
    [29_999, 'ECONNRESET'],
    [30_000, 'ERR_MACHINE_SLEPT'],
  ] as const)
    it(`a connection that is lost after a sleep of ${sleptMs} ms fails with ${code}`, async () => {
      const { live, clock, outcome } = await openChat();
      live.send(stream(text('a')));
      await setImmediate();
      clock.sleep(sleptMs);
      live.break(Object.assign(new Error(), { code: 'ECONNRESET' }));
      assertFailed(await outcome, 'severed');
      assert.equal((await outcome).error?.code, code);
    });

  it('a connection that carried bytes after a sleep is not lost by the sleep', async () => {
    const { live, clock, outcome } = await openChat();
    clock.sleep(30_000);
    live.send(stream(text('a')));
    await setImmediate();
    live.break(Object.assign(new Error(), { code: 'ECONNRESET' }));
    assert.equal((await outcome).error?.code, 'ECONNRESET');
  });

  it('the chat stream reports a broken connection with its code', async () => {
    const { live, log, outcome } = await openChat();
    live.send(stream(text('a')));
    await setImmediate();
    const cause = Object.assign(new Error(), { code: 'UND_ERR_SOCKET' });
    live.break(new TypeError('terminated', { cause }));
    assertFailed(await outcome, 'severed');
    const { batches, error } = await outcome;
    assert.deepEqual([batches.length, error?.code], [1, 'UND_ERR_SOCKET']);
    assert.deepEqual([log[0]?.kind, log[0]?.status], ['severed', 200]);
  });
});

describe('chat stream: leaving', () => {
  it('the chat stream frees the socket at once when the caller aborts', async () => {
    const controller = new AbortController();
    const chat = await openChat({ signal: controller.signal });
    chat.live.send(stream(text('a')));
    await setImmediate();
    controller.abort();
    assert.equal(chat.isAborted(), true);
    assertFailed(await chat.outcome, 'aborted', 'Canceled');
    assert.equal((await chat.outcome).batches.length, 1);
    assert.deepEqual([chat.log[0]?.kind, chat.clock.waiting], ['aborted', 0]);
  });

  it('the chat stream passes on an error that the reader throws', async () => {
    const { client, sent } = fakeService([chatResponse(END)]);
    const own = new RangeError('own');
    await assert.rejects(async () => {
      for await (const events of client.streamChat('intern_1', PROMPT)) {
        if (events.length > 0) throw own;
      }
    }, own);
    assert.equal(sent.length, 1);
  });
});

describe('chat stream: silence', () => {
  async function silentStream(comment: string) {
    const quiet: number[] = [];
    const chat = await openChat({ onSilence: (ms) => quiet.push(ms) });
    chat.live.send(comment + stream(text('a')));
    await setImmediate();
    return { ...chat, quiet };
  }

  // Rule 17.8
  it('the chat stream severs a response after three missed keepalives, and frees its socket', async () => {
    const { clock, quiet, outcome, isAborted } = await silentStream(': keepalive\n\n');
    clock.advance(89_999);
    assert.equal(isAborted(), false);
    clock.advance(1);
    assert.equal(isAborted(), true);
    assert.deepEqual((await outcome).batches, [[{ kind: 'text', text: 'a' }]]);
    assertFailed(await outcome, 'severed', 'The stream fell silent');
    assert.deepEqual(quiet, []);
  });

  for (const [comment, piece] of [
    // Rule 17.8
    [': keepalive\n\n', ': keepalive\n\n'],
    ['', stream(text('b'))],
  ] as const)
    it(`the chat stream has no time limit while ${JSON.stringify(piece.slice(0, 9))} comes`, async () => {
      const { clock, live, outcome } = await silentStream(comment);
      for (let i = 0; i < 20; i++) {
        clock.advance(60_000);
        live.send(piece);
        await setImmediate();
      }
      live.send(END);
      assert.equal((await outcome).error, null);
    });

  it('the chat stream only reports silence if the response never sent a keepalive', async () => {
    for (const comment of ['', ': ping\n\n', ':keepalives\n\n']) {
      const { clock, live, quiet, outcome } = await silentStream(comment);
      clock.advance(90_000);
      assert.deepEqual(quiet, [90_000]);
      live.send(END);
      assert.equal((await outcome).error, null);
    }
  });

  it('the chat stream continues after a silence if its caller passes no listener', async () => {
    const { clock, live, outcome } = await openChat();
    clock.advance(90_000);
    live.send(END);
    assert.equal((await outcome).error, null);
  });
});

describe('chat stream: before its headers', () => {
  it('the chat stream waits five minutes for the headers of a response', async () => {
    const { client, clock, sent } = fakeService(['silence']);
    const outcome = readChat(client);
    await setImmediate();
    clock.advance(299_999);
    assert.equal(sent[0]?.init.signal.aborted, false);
    clock.advance(1);
    const { error } = await outcome;
    assert.deepEqual([error?.kind, error?.inStream, error?.status], ['timeout', false, null]);
  });

  // Rule 1.2
  it('the chat stream reads a page or other JSON with status 200 as another service', async () => {
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    const empty = new Response(null, { headers: { 'content-type': 'text/event-stream' } });
    for (const response of [page, empty, json({ id: 'x' })]) {
      const { client } = fakeService([response]);
      assert.equal((await readChat(client)).error?.kind, 'not-the-service');
    }
    const { client } = fakeService([json({ error: { code: 401, message: 'No' } })]);
    assert.equal((await readChat(client)).error?.kind, 'signed-out');
  });
});
