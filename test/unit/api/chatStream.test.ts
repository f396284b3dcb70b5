import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '../../../src/api/types.ts';
import {
  chatResponse,
  fakeService,
  json,
  LiveStream,
  PROMPT,
  readChat,
  refusal,
} from './support/fakeFetch.ts';
import {
  ASKED,
  delta,
  DONE,
  end,
  failed,
  ROLE,
  STOP,
  stream,
  text,
  toolCall,
} from './support/streams.ts';

const END = stream(STOP, end({ usage: null }), DONE);
const ENDED: readonly ChatEvent[] = [
  { kind: 'finish', reason: 'stop' },
  {
    kind: 'end',
    sessionId: 'session_1',
    usage: null,
    model: 'vendor/model',
    completionId: 'chatcmpl_1',
  },
];

describe('api chat stream: events as they come', () => {
  it('yields once for each network chunk the events that it completed, and nothing for others', async () => {
    const first = stream(ROLE, text('a'));
    const half = stream(text('b')).slice(0, 20);
    const rest = stream(text('b')).slice(20);
    const { client } = fakeService([chatResponse(first, ': keepalive\n\n', half, rest, END)]);
    const { batches, error } = await readChat(client);
    assert.equal(error, null);
    assert.deepEqual(batches, [
      [{ kind: 'role' }, { kind: 'text', text: 'a' }],
      [{ kind: 'text', text: 'b' }],
      ENDED,
    ]);
  });

  it('delivers what came before it waits for more', async () => {
    const live = new LiveStream();
    const { client } = fakeService([live]);
    const events = client.streamChat('intern_1', PROMPT)[Symbol.asyncIterator]();
    live.send(stream(ROLE));
    assert.deepEqual((await events.next()).value, [{ kind: 'role' }]);
    live.send(stream(text('a')));
    assert.deepEqual((await events.next()).value, [{ kind: 'text', text: 'a' }]);
  });

  it('tells the response when its headers have come', async () => {
    const live = new LiveStream();
    const { client } = fakeService([live]);
    let responses = 0;
    const outcome = readChat(client, { onResponse: () => (responses += 1) });
    await setImmediate();
    assert.equal(responses, 1);
    live.send(END);
    assert.equal((await outcome).error, null);
  });

  it('sends nothing before it is read', async () => {
    const { client, sent } = fakeService([chatResponse(END)]);
    client.streamChat('intern_1', PROMPT);
    await setImmediate();
    assert.equal(sent.length, 0);
  });
});

describe('api chat stream: its end', () => {
  // Rules 12.5, 17.7
  it('ends at [DONE] though the socket stays open, and then frees it', async () => {
    const live = new LiveStream();
    const { client, clock, sent, log } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    live.send(stream(ROLE) + END);
    assert.deepEqual((await outcome).batches, [[{ kind: 'role' }, ...ENDED]]);
    assert.equal(log[0]?.kind, null);
    clock.advance(999);
    assert.equal(sent[0]?.init.signal.aborted, false);
    clock.advance(1);
    assert.equal(sent[0].init.signal.aborted, true);
    await setImmediate();
    assert.equal(clock.waiting, 0);
  });

  it('lets a connection be used again where the response ends by itself', async () => {
    const live = new LiveStream();
    const { client, clock, sent } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    live.send(END);
    await outcome;
    live.send('\n: bye\n');
    live.close();
    await setImmediate();
    clock.advance(10_000);
    assert.equal(sent[0]?.init.signal.aborted, false);
    assert.equal(clock.waiting, 0);
  });

  it('reads nothing that comes after [DONE]', async () => {
    const { client } = fakeService([chatResponse(END + stream(text('late')))]);
    assert.deepEqual((await readChat(client)).batches, [ENDED]);
  });

  // Rule 11.11
  it('keeps what came where the stream ends before [DONE], and says that it was severed', async () => {
    const bytes = new TextEncoder().encode(stream(ROLE, text('é'), STOP, end()));
    const { client, log, sent } = fakeService([chatResponse(bytes)]);
    const { batches, error } = await readChat(client);
    assert.equal(log[0]?.receivedBytes, bytes.length);
    assert.equal(batches.flat().length, 4);
    assert.deepEqual(
      [error?.kind, error?.inStream, error?.route, error?.message],
      ['severed', true, 'chat', 'The stream ended before [DONE]'],
    );
    assert.equal(log[0].kind, 'severed');
    assert.equal(sent[0]?.init.signal.aborted, true);
  });

  it('delivers an event that lacks only its blank line before it says so', async () => {
    const { client } = fakeService([chatResponse(`data: ${text('a')}`)]);
    const { batches, error } = await readChat(client);
    assert.deepEqual(batches, [[{ kind: 'text', text: 'a' }]]);
    assert.equal(error?.kind, 'severed');
  });

  it('takes a [DONE] that lacks only its blank line for one', async () => {
    const { client } = fakeService([chatResponse(END.trimEnd())]);
    const { batches, error } = await readChat(client);
    assert.deepEqual(batches.flat(), ENDED);
    assert.equal(error, null);
  });

  // Rule 17.9
  it('says that a stream is broken where [DONE] comes without all that must come before it', async () => {
    for (const short of [stream(ROLE, DONE), stream(STOP, DONE), stream(end(), DONE)]) {
      const { client } = fakeService([chatResponse(short)]);
      const { error } = await readChat(client);
      assert.deepEqual(
        [error?.kind, error?.inStream, error?.message],
        ['broken-stream', true, 'The stream lacks its finish chunk or its final chunk'],
      );
    }
  });

  it('says that a stream is broken where an event outgrows the bound, keeps what came, and frees the socket', async () => {
    const live = new LiveStream();
    const { client, sent } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    live.send(stream(text('a')));
    for (let i = 0; i < 5; i++) live.send(`${i === 0 ? 'data:' : ''}${'x'.repeat(1_048_576)}`);
    const { batches, error } = await outcome;
    assert.deepEqual(batches, [[{ kind: 'text', text: 'a' }]]);
    assert.deepEqual(
      [error?.kind, error?.inStream, error?.message],
      ['broken-stream', true, 'An event is too large'],
    );
    assert.equal(sent[0]?.init.signal.aborted, true);
  });

  it('refuses a response that makes its 17th tool call after it said that it waits', async () => {
    const calls = Array.from({ length: 17 }, (_, at) => toolCall(`call_${at}`, {}));
    const late = delta({ tool_calls: calls.slice(16) });
    const body = stream(ROLE, delta({ tool_calls: calls.slice(0, 16) }), ASKED, late, end(), DONE);
    const { error } = await readChat(fakeService([chatResponse(body)]).client);
    assert.deepEqual([error?.kind, error?.inStream], ['too-many-calls', true]);
  });

  it('refuses a response with more than 16 tool calls, and frees the socket', async () => {
    const live = new LiveStream();
    const { client, sent } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    const calls = Array.from({ length: 17 }, (_, at) => toolCall(`call_${at}`, {}));
    live.send(stream(text('a'), delta({ tool_calls: calls })));
    const { batches, error } = await outcome;
    assert.equal(batches.flat().length, 17);
    assert.deepEqual([error?.kind, error?.inStream], ['too-many-calls', true]);
    assert.equal(sent[0]?.init.signal.aborted, true);
  });

  // Rule 8.1
  it('logs the completion, what was skipped of it, and how it failed', async () => {
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

  it('says that the connection broke, with its code', async () => {
    const live = new LiveStream();
    const { client, log } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    live.send(stream(text('a')));
    await setImmediate();
    live.break(
      new TypeError('terminated', {
        cause: Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }),
      }),
    );
    const { batches, error } = await outcome;
    assert.equal(batches.length, 1);
    assert.deepEqual(
      [error?.kind, error?.code, error?.inStream],
      ['severed', 'UND_ERR_SOCKET', true],
    );
    assert.deepEqual([log[0]?.kind, log[0]?.status], ['severed', 200]);
  });
});

describe('api chat stream: leaving', () => {
  it('frees the socket at once when the caller aborts', async () => {
    const live = new LiveStream();
    const { client, clock, sent, log } = fakeService([live]);
    const controller = new AbortController();
    const outcome = readChat(client, { signal: controller.signal });
    await setImmediate();
    live.send(stream(text('a')));
    await setImmediate();
    controller.abort();
    assert.equal(sent[0]?.init.signal.aborted, true);
    const { batches, error } = await outcome;
    assert.equal(batches.length, 1);
    assert.deepEqual(
      [error?.kind, error?.inStream, error?.message],
      ['aborted', true, 'Cancelled'],
    );
    assert.equal(log[0]?.kind, 'aborted');
    assert.equal(clock.waiting, 0);
  });

  it('takes no notice of an abort after the end', async () => {
    const { client } = fakeService([chatResponse(END)]);
    const controller = new AbortController();
    const { error } = await readChat(client, { signal: controller.signal });
    controller.abort();
    assert.equal(error, null);
  });

  it('keeps an error that the reader throws itself', async () => {
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

describe('api chat stream: silence', () => {
  async function silentStream(sign: string) {
    const live = new LiveStream();
    const service = fakeService([live]);
    const quiet: number[] = [];
    const outcome = readChat(service.client, { onSilence: (ms) => quiet.push(ms) });
    await setImmediate();
    live.send(sign + stream(text('a')));
    await setImmediate();
    return { ...service, live, quiet, outcome };
  }

  // Rule 17.8
  it('is severed after three missed keepalives, and its socket freed', async () => {
    const { clock, sent, quiet, outcome } = await silentStream(': keepalive\n\n');
    clock.advance(89_999);
    assert.equal(sent[0]?.init.signal.aborted, false);
    clock.advance(1);
    assert.equal(sent[0].init.signal.aborted, true);
    const { batches, error } = await outcome;
    assert.deepEqual(batches, [[{ kind: 'text', text: 'a' }]]);
    assert.deepEqual(
      [error?.kind, error?.inStream, error?.message],
      ['severed', true, 'The stream fell silent'],
    );
    assert.deepEqual(quiet, []);
  });

  // Rule 17.8
  it('lives as long as keepalives come', async () => {
    const { clock, live, outcome } = await silentStream(': keepalive\n\n');
    for (let i = 0; i < 20; i++) {
      clock.advance(60_000);
      live.send(': keepalive\n\n');
      await setImmediate();
    }
    live.send(END);
    assert.equal((await outcome).error, null);
  });

  it('is only reported where no keepalive ever came, and goes on', async () => {
    for (const sign of ['', ': ping\n\n', ':keepalives\n\n']) {
      const { clock, live, quiet, outcome } = await silentStream(sign);
      clock.advance(90_000);
      assert.deepEqual(quiet, [90_000]);
      live.send(END);
      assert.equal((await outcome).error, null);
    }
  });

  it('is reported to no one where no one asked', async () => {
    const live = new LiveStream();
    const { client, clock } = fakeService([live]);
    const outcome = readChat(client);
    await setImmediate();
    clock.advance(90_000);
    live.send(END);
    assert.equal((await outcome).error, null);
  });

  it('has five minutes until its headers, and after them no limit but silence', async () => {
    const waiting = fakeService(['silence']);
    const outcome = readChat(waiting.client);
    await setImmediate();
    waiting.clock.advance(299_999);
    assert.equal(waiting.sent[0]?.init.signal.aborted, false);
    waiting.clock.advance(1);
    const { error } = await outcome;
    assert.deepEqual([error?.kind, error?.inStream, error?.status], ['timeout', false, null]);

    const { clock, live, outcome: long } = await silentStream('');
    for (let i = 0; i < 10; i++) {
      clock.advance(60_000);
      live.send(stream(text('b')));
      await setImmediate();
    }
    live.send(END);
    assert.equal((await long).error, null);
  });
});

describe('api chat stream: before it begins', () => {
  it('throws the refusal', async () => {
    const { client, log } = fakeService([refusal(409, 'intern_not_ready', 'Not running')]);
    const { error } = await readChat(client);
    assert.deepEqual(
      [error?.kind, error?.status, error?.reason, error?.message, error?.inStream],
      ['not-ready', 409, 'intern_not_ready', 'Not running', false],
    );
    assert.partialDeepStrictEqual(log[0], {
      route: 'chat',
      method: 'POST',
      path: '/interns/intern_1/chat/completions',
      status: 409,
      reason: 'intern_not_ready',
      kind: 'not-ready',
    });
  });

  // Rule 1.2
  it('tells a page or another answer with status 200 from a stream', async () => {
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    const empty = new Response(null, { headers: { 'content-type': 'text/event-stream' } });
    for (const response of [page, empty, json({ id: 'x' })]) {
      const { client } = fakeService([response]);
      assert.equal((await readChat(client)).error?.kind, 'not-the-service');
    }
    const { client } = fakeService([json({ error: { code: 401, message: 'No' } })]);
    assert.equal((await readChat(client)).error?.kind, 'signed-out');
  });

  it('sends nothing that the limits forbid', async () => {
    const { client, sent } = fakeService([]);
    const tooLong = { ...PROMPT, text: 'x'.repeat(32_001) };
    const events = client.streamChat('intern_1', tooLong)[Symbol.asyncIterator]();
    await assert.rejects(events.next(), { kind: 'invalid-request' });
    assert.equal(sent.length, 0);
  });
});
