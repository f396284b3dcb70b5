import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import { createProcessMark } from '../../../src/platform/storage/processMark.ts';
import { FlushTimer } from '../../../src/streamKeeper/flushTimer.ts';
import { ResponseRecorder } from '../../../src/streamKeeper/responseRecorder.ts';
import type { KeeperTimes } from '../../../src/streamKeeper/keeperMessages.ts';
import type { MemoryBudget } from '../../../src/streamKeeper/responseWriter.ts';
import { eventually } from '../../harness/until.ts';
import { useTemporaryFolder } from '../support/folders.ts';
import { beginStream, startHeldServer } from '../support/heldServer.ts';
import { framesIn } from '../support/keepers.ts';

const storage = useTemporaryFolder();

interface KeepOptions {
  readonly memory?: MemoryBudget;
  readonly maxStreamBytes?: number;
  readonly hasWindow?: () => boolean;
  readonly times?: Partial<KeeperTimes>;
}

/** Creates the file of a response, and returns its outcome and the code of its failure. */
async function record(
  url: string,
  { memory = { limit: 1_000_000, used: 0 }, hasWindow = () => true, ...options }: KeepOptions = {},
): Promise<readonly (string | undefined)[]> {
  const path = join(storage.path, 'one.response');
  const start = { type: 'start', id: 1, path, url, method: 'POST', headers: {}, body: '' } as const;
  const times = { heartbeatMs: 60_000, silenceTimeoutMs: 60_000, ...options.times };
  const response = new ResponseRecorder(start, {
    ...options,
    hasWindow,
    keeper: await createProcessMark('window'),
    times,
    memory,
    flushTimer: new FlushTimer(),
    controller: new AbortController(),
    send: () => undefined,
    onBytes: () => undefined,
  });
  await response.run();
  const end = (await framesIn(path)).at(-1);
  assert.ok(end?.type === 'end');
  return [end.outcome, end.code];
}

/** Returns the head of the response in the file. */
async function recordedHead() {
  const frames = await framesIn(join(storage.path, 'one.response'));
  const head = frames.find((frame) => frame.type === 'head');
  assert.ok(head);
  return head;
}

describe('ResponseRecorder', () => {
  it('a stream keeper ends a stream with ENOSPC once too many bytes wait for a full disk', async () => {
    await using server = await startHeldServer();
    const memory = { limit: 500, used: 0 };
    const ended = record(`${server.url}/chat`, { memory });
    const held = await server.nextStream();
    held.response.write('x'.repeat(1_000));
    await held.closed;
    assert.deepEqual(await ended, ['failed', 'ENOSPC']);
    assert.equal(memory.used, 0);
  });

  it('a stream without an end fails once it is too large', async () => {
    await using server = await startHeldServer();
    const ended = record(`${server.url}/chat`, { maxStreamBytes: 1_000 });
    const held = await server.nextStream();
    held.response.write('x'.repeat(1_001));
    await held.closed;
    assert.deepEqual(await ended, ['failed', 'ERR_RESPONSE_TOO_LARGE']);
  });

  it('a stream that is faster than the disk is read further after each write', async () => {
    await using server = await startHeldServer();
    const ended = record(`${server.url}/chat`, { memory: { limit: 4 * 1_048_576, used: 0 } });
    const held = await server.nextStream();
    held.response.end(Buffer.alloc(16 * 1_048_576));
    assert.deepEqual(await ended, ['complete', undefined]);
  });

  it('a refusal whose body breaks is written with its status', async () => {
    await using server = await startHeldServer();
    const ended = record(`${server.url}/chat`);
    const { response } = await server.next();
    response.writeHead(429, { 'retry-after': '7', 'content-length': '100' });
    response.write('{"error":', () => response.destroy());
    assert.deepEqual(await ended, ['complete', undefined]);
    const { status, headers, refusal } = await recordedHead();
    assert.deepEqual([status, headers['retry-after'], refusal], [429, '7', 'foreign']);
  });

  it('a refusal whose body never ends is written with its status', async () => {
    await using server = await startHeldServer();
    const ended = record(`${server.url}/chat`, { times: { heartbeatMs: 1 } });
    const { response, closed } = await server.next();
    response.writeHead(503).write('{"error":');
    assert.deepEqual(await ended, ['complete', undefined]);
    const { status, refusal } = await recordedHead();
    assert.deepEqual([status, refusal], [503, 'foreign']);
    await closed;
  });

  it('a stream is written as it comes, whatever its status of success', async () => {
    await using server = await startHeldServer();
    const ended = record(`${server.url}/chat`);
    const { response } = await server.next();
    response.writeHead(201, { 'content-type': 'text/event-stream' }).end('data: 1\n\n');
    assert.deepEqual(await ended, ['complete', undefined]);
    const { status, refusal } = await recordedHead();
    assert.deepEqual([status, refusal], [201, undefined]);
  });

  for (const hasHead of [false, true]) {
    it(`a silent service ends a response without a window ${hasHead ? 'after' : 'before'} its head`, async () => {
      await using server = await startHeldServer();
      const times = { heartbeatMs: 1, silenceTimeoutMs: 1 };
      let isOpen = true;
      const ended = record(`${server.url}/chat`, { times, hasWindow: () => isOpen });
      const held = await server.next();
      isOpen = false;
      if (hasHead) beginStream(held);
      await held.closed;
      assert.deepEqual(await ended, ['failed', 'ETIMEDOUT']);
    });
  }

  it('a service may be silent for long while the window is there', async () => {
    await using server = await startHeldServer();
    let checks = 0;
    const hasWindow = () => {
      checks += 1;
      return true;
    };
    const ended = record(`${server.url}/chat`, {
      hasWindow,
      times: { heartbeatMs: 1, silenceTimeoutMs: 1 },
    });
    const held = await server.next();
    await eventually(() => checks > 20);
    beginStream(held);
    held.response.end();
    assert.deepEqual(await ended, ['complete', undefined]);
  });

  for (const [when, hasBytes, code] of [
    ['while the machine slept', false, 'ERR_MACHINE_SLEPT'],
    ['by the network after it outlived a sleep', true, 'ECONNRESET'],
  ] as const)
    it(`a response file says that a stream was lost ${when}`, async () => {
      await using server = await startHeldServer();
      mock.timers.enable({ apis: ['Date'], now: Date.now() });
      const ended = record(`${server.url}/chat`);
      const held = await server.nextStream();
      held.response.write('x');
      const path = join(storage.path, 'one.response');
      const chunksIn = async () => (await framesIn(path)).filter(({ type }) => type === 'chunk');
      await eventually(async () => (await chunksIn()).length === 1);
      mock.timers.setTime(Date.now() + 100_000);
      if (hasBytes) {
        held.response.write('y');
        await eventually(async () => (await chunksIn()).length === 2);
      }
      held.response.destroy();
      const end = await ended;
      mock.timers.reset();
      assert.deepEqual(end, ['failed', code]);
    });

  it('a response file ends with the code of a refused connection', async () => {
    const server = await startHeldServer();
    await server[Symbol.asyncDispose]();
    assert.deepEqual(await record(`${server.url}/chat`), ['failed', 'ECONNREFUSED']);
  });

  it('a stream keeper sends no key over an unencrypted connection to another machine', async () => {
    assert.deepEqual(await record('http://192.0.2.1/chat'), ['failed', 'ERR_TLS_REQUIRED']);
  });
});
