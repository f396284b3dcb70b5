import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FrameReader } from '../../../../src/platform/keeper/frameReader.ts';
import { readStoredResponse } from '../../../../src/platform/keeper/storedResponse.ts';
import {
  encodeFrame,
  FILE_START,
  type Frame,
} from '../../../../src/streamKeeper/responseFrames.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

const at = 1;
const keeper = { window: 'window', pid: process.pid, at };
const complete = { type: 'end', at, outcome: 'complete' } as const;

describe('readStoredResponse', () => {
  const folder = useTemporaryFolder();

  /** Reads a response with these frames, and returns how often it was read to its end. */
  async function read(...frames: readonly Frame[]) {
    const path = join(folder.path, 'one.response');
    const opened = { type: 'opened', at, keeper } as const;
    await writeFile(path, [FILE_START, ...[opened, ...frames].map(encodeFrame)]);
    let ends = 0;
    const response = await readStoredResponse(
      {
        reader: new FrameReader(path),
        wait: () => Promise.reject(new Error('It has ended')),
        checkLost: () => Promise.resolve(true),
        refusedBody: () => undefined,
        stop: () => undefined,
        onEnd: () => (ends += 1),
      },
      new AbortController().signal,
    );
    assert.ok(response);
    return { response, ends: () => ends };
  }

  it('a status that no response may have is read as an error of the server', async () => {
    for (const status of [99, 600, 999]) {
      const head = { type: 'head', at, status, headers: {}, refusal: 'foreign' } as const;
      const { response } = await read(head, complete);
      assert.equal(response.status, 500, String(status));
      assert.equal(await response.text(), '…');
    }
  });

  it('the file of a stream whose status allows no body is closed', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const { response, ends } = await read({ type: 'head', at, status: 204, headers }, complete);
    assert.equal(response.body, null);
    assert.notEqual(ends(), 0);
  });
});
