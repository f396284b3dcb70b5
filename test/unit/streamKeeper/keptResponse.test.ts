import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWindowMark } from '../../../src/platform/storage/windowMark.ts';
import { FlushTimer } from '../../../src/streamKeeper/flushTimer.ts';
import { FrameDecoder, type Frame } from '../../../src/streamKeeper/frames.ts';
import { KeptResponse } from '../../../src/streamKeeper/keptResponse.ts';
import { MemoryBudget } from '../../../src/streamKeeper/responseWriter.ts';
import { useTemporaryFolder } from '../support/folders.ts';
import { beginStream, startHeldServer } from '../support/heldServer.ts';

const storage = useTemporaryFolder();

/** Creates the file of a response, and returns how it ended. */
async function keep(url: string, memory = new MemoryBudget(1_000_000)): Promise<Frame | undefined> {
  const path = join(storage.path, 'one.response');
  const start = { type: 'start', id: 1, path, url, method: 'POST', headers: {}, body: '' } as const;
  const times = {
    idle: 0,
    grace: 0,
    windows: 0,
    beat: 60_000,
    removal: 60_000,
    connect: 60_000,
    retry: 1,
  };
  const response = KeptResponse.create(start, {
    keeper: await createWindowMark('window'),
    times,
    memory,
    flushTimer: new FlushTimer(() => 1),
    controller: new AbortController(),
    send: () => undefined,
    onBytes: () => undefined,
  });
  await response.run();
  return new FrameDecoder().push(await readFile(path)).at(-1);
}

describe('a kept response', () => {
  it('a stream keeper ends a stream with ENOSPC once too many bytes wait for a full disk', async () => {
    await using server = await startHeldServer();
    const memory = new MemoryBudget(500);
    const ended = keep(`${server.url}/chat`, memory);
    const held = await server.next();
    beginStream(held);
    held.response.write('x'.repeat(1_000));
    await held.closed;
    const end = await ended;
    assert.ok(end?.type === 'end');
    assert.deepEqual([end.outcome, end.code], ['failed', 'ENOSPC']);
    assert.equal(memory.isExceeded, false);
  });

  it('a response file ends with the code of a refused connection', async () => {
    const server = await startHeldServer();
    await server[Symbol.asyncDispose]();
    const end = await keep(`${server.url}/chat`);
    assert.ok(end?.type === 'end');
    assert.deepEqual([end.outcome, end.code], ['failed', 'ECONNREFUSED']);
  });

  it('a stream keeper sends no key over an unencrypted connection to another machine', async () => {
    const end = await keep('http://192.0.2.1/chat');
    assert.ok(end?.type === 'end');
    assert.deepEqual([end.outcome, end.code], ['failed', 'ERR_TLS_REQUIRED']);
  });
});
