import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FrameReader } from '../../../../src/platform/keeper/frameReader.ts';
import {
  encodeFrame,
  FILE_START,
  UnreadableResponse,
} from '../../../../src/streamKeeper/responseFrames.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

const storage = useTemporaryFolder();
const first = Buffer.concat([FILE_START, encodeFrame({ type: 'heartbeat', at: 1 })]);
const second = encodeFrame({ type: 'heartbeat', at: 2 });
const third = encodeFrame({ type: 'heartbeat', at: 3 });
let reader: FrameReader;

function path(): string {
  return join(storage.path, 'one.response');
}

beforeEach(() => {
  reader = new FrameReader(path());
});

afterEach(() => reader.close());

async function readTimes(): Promise<readonly number[]> {
  const times: number[] = [];
  for (let frame = await reader.next(); frame !== undefined; frame = await reader.next())
    times.push(frame.at);
  return times;
}

describe('the reader of a growing response file', () => {
  it('the frame reader waits for a response file that does not exist yet', async () => {
    assert.deepEqual(await readTimes(), []);
    await writeFile(path(), first);
    reader.recheck();
    assert.deepEqual(await readTimes(), [1]);
  });

  it('the frame reader leaves a response file alone whose frames come by the pipe', async () => {
    await writeFile(path(), first);
    const piped = new FrameReader(path(), false);
    assert.equal(await piped.next(), undefined);
    piped.recheck();
    assert.equal((await piped.next())?.at, 1);
    await piped.close();
  });

  it('the frame reader continues where the response file ended before', async () => {
    await writeFile(path(), Buffer.concat([first, second.subarray(0, 5)]));
    assert.deepEqual(await readTimes(), [1]);
    await appendFile(path(), second.subarray(5));
    reader.recheck();
    assert.deepEqual(await readTimes(), [2]);
  });

  it('the frame reader reads each frame once that is both in the pipe and in the response file', async () => {
    await writeFile(path(), first);
    reader.insert(0, Buffer.concat([first, second]));
    await appendFile(path(), Buffer.concat([second, third]));
    reader.recheck();
    assert.deepEqual(await readTimes(), [1, 2, 3]);
    reader.insert(first.length, second);
    assert.deepEqual(await readTimes(), []);
  });

  it('the frame reader reads frames from the response file that did not come over the pipe', async () => {
    await writeFile(path(), Buffer.concat([first, second, third]));
    reader.insert(first.length + second.length, third);
    assert.deepEqual(await readTimes(), [1, 2, 3]);
  });

  it('the frame reader reads a response file that is longer than the buffer', async () => {
    const bytes = Buffer.alloc(300_000, 'x');
    const chunk = encodeFrame({ type: 'chunk', at: 2, bytes });
    await writeFile(path(), Buffer.concat([first, chunk, third]));
    assert.deepEqual(await readTimes(), [1, 2, 3]);
  });

  it('the frame reader reads a response up to where a power failure left zeros', async () => {
    await writeFile(path(), Buffer.concat([first, second, Buffer.alloc(200_000), third]));
    const times = [(await reader.next())?.at, (await reader.next())?.at];
    assert.deepEqual(times, [1, 2]);
    await assert.rejects(reader.next(), UnreadableResponse);
  });
});
