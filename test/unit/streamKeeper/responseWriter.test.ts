import assert from 'node:assert/strict';
import { FrameDecoder, type Frame } from '../../../src/streamKeeper/responseFrames.ts';
import { ResponseWriter } from '../../../src/streamKeeper/responseWriter.ts';

/** A file in memory on a disk with `space` bytes. */
class SmallDisk {
  content = Buffer.alloc(0);
  writes = 0;
  space: number;
  /** The bytes that the window got. */
  delivered = Buffer.alloc(0);
  readonly memory = { limit: 1_000, used: 0 };
  readonly writer: ResponseWriter;

  constructor(space = Number.POSITIVE_INFINITY) {
    this.space = space;
    this.writer = new ResponseWriter({
      write: (bytes, position) => this.#write(bytes, position),
      memory: this.memory,
      onPending: () => undefined,
      onBytes: (offset, bytes) => {
        assert.equal(offset, this.delivered.length);
        this.delivered = Buffer.concat([this.delivered, bytes]);
      },
    });
  }

  get frames(): readonly Frame[] {
    return new FrameDecoder().push(this.content);
  }

  /** Like a real disk: writes what fits, and fails if nothing does. */
  #write(bytes: Uint8Array, position: number): number {
    this.writes += 1;
    const fits = Math.min(bytes.length, this.space - position);
    if (fits <= 0) throw Object.assign(new Error('No space'), { code: 'ENOSPC' });
    const before = this.content.subarray(0, position);
    this.content = Buffer.concat([before, bytes.subarray(0, fits)]);
    return fits;
  }
}

const end: Frame = { type: 'end', at: 2, outcome: 'complete' };

function bodyOf(frames: readonly Frame[]): string {
  return frames
    .map((frame) => (frame.type === 'chunk' ? Buffer.from(frame.bytes).toString() : ''))
    .join('');
}

describe('the writer of a response file', () => {
  it('the response writer writes the chunks that came since the last write as one frame', () => {
    const disk = new SmallDisk();
    for (const text of ['a', 'b', 'c']) disk.writer.addChunk(Buffer.from(text));
    assert.equal(disk.writer.flush(), true);
    assert.equal(disk.frames.length, 1);
    assert.equal(bodyOf(disk.frames), 'abc');
    assert.equal(disk.writes, 1);
  });

  it('the response writer splits a body that came at once into frames of a megabyte', () => {
    const disk = new SmallDisk();
    const body = 'x'.repeat(20 * 1_048_576 + 1);
    disk.writer.addChunk(Buffer.from(body));
    disk.writer.flush();
    assert.equal(disk.frames.length, 21);
    assert.equal(bodyOf(disk.frames) === body, true);
  });

  it('the response writer is behind while more than a megabyte waits for the next write', () => {
    const disk = new SmallDisk();
    disk.writer.addChunk(Buffer.alloc(1_048_576));
    assert.equal(disk.writer.isBehind, false);
    disk.writer.addChunk(Buffer.alloc(1));
    assert.equal(disk.writer.isBehind, true);
    disk.writer.flush();
    assert.equal(disk.writer.isBehind, false);
  });

  it('the response writer writes chunks and other frames in their order', async () => {
    const disk = new SmallDisk();
    disk.writer.addChunk(Buffer.from('a'));
    disk.writer.add({ type: 'heartbeat', at: 1 });
    disk.writer.addChunk(Buffer.from('b'));
    disk.writer.add(end);
    await disk.writer.finish();
    const types = disk.frames.map(({ type }) => type);
    assert.deepEqual(types, ['chunk', 'heartbeat', 'chunk', 'end']);
  });

  it('the response writer completes a response file once a full disk has space again', async () => {
    const disk = new SmallDisk(30);
    disk.writer.addChunk(Buffer.from('first '));
    disk.writer.flush();
    disk.writer.addChunk(Buffer.from('second'));
    disk.writer.add(end);
    const finished = disk.writer.finish();
    assert.equal((disk.writer.failure as { code?: string }).code, 'ENOSPC');
    disk.space = Number.POSITIVE_INFINITY;
    assert.equal(disk.writer.flush(), true);
    await finished;
    assert.equal(bodyOf(disk.frames), 'first second');
    assert.deepEqual(disk.frames.at(-1), end);
  });

  it('the response writer gives the window each byte once, even if the disk is full', () => {
    const disk = new SmallDisk(40);
    for (const text of ['first '.repeat(5), 'second ', 'third']) {
      disk.writer.addChunk(Buffer.from(text));
      disk.writer.flush();
    }
    disk.space = Number.POSITIVE_INFINITY;
    disk.writer.flush();
    assert.deepEqual(disk.delivered, disk.content);
    assert.equal(bodyOf(disk.frames), `${'first '.repeat(5)}second third`);
  });

  it('the response writer counts the bytes of a response only while the disk is full', () => {
    const disk = new SmallDisk(10);
    disk.writer.addChunk(Buffer.alloc(2_000));
    disk.writer.flush();
    assert.ok(disk.memory.used > 1_000);
    disk.space = Number.POSITIVE_INFINITY;
    disk.writer.flush();
    assert.equal(disk.memory.used, 0);
  });

  it('the response writer frees the memory of a stopped response that a full disk did not take', async () => {
    const disk = new SmallDisk(10);
    disk.writer.addChunk(Buffer.alloc(2_000));
    const finished = disk.writer.finish();
    disk.writer.giveUp();
    await finished;
    assert.equal(disk.memory.used, 0);
  });
});
