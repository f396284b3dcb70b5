import assert from 'node:assert/strict';
import {
  encodeFrame,
  FILE_START,
  FrameDecoder,
  UnreadableResponse,
  type Frame,
} from '../../../src/streamKeeper/responseFrames.ts';

const frames: readonly Frame[] = [
  {
    type: 'opened',
    at: 1_700_000_000_000.25,
    keeper: { window: 'w', pid: 7, at: 1, born: 'boot 12' },
  },
  { type: 'head', at: 2, status: 200, headers: { 'content-type': 'text/event-stream' } },
  { type: 'chunk', at: 3, bytes: Buffer.from('data: Grüße\n\n') },
  { type: 'heartbeat', at: 4 },
  { type: 'chunk', at: 5, bytes: Buffer.alloc(0) },
  { type: 'end', at: 6, outcome: 'failed', code: 'ECONNRESET' },
];
const file = Buffer.concat([FILE_START, ...frames.map(encodeFrame)]);

function decode(...parts: readonly Buffer[]): readonly Frame[] {
  const decoder = new FrameDecoder();
  return parts.flatMap((part) => decoder.push(part));
}

describe('frames of a response file', () => {
  it('the frame decoder reads a response file in two parts that are cut at any byte', () => {
    for (let at = 0; at <= file.length; at += 1)
      assert.deepEqual(decode(file.subarray(0, at), file.subarray(at)), frames, `cut at ${at}`);
  });

  it('the frame decoder reads a response file byte by byte', () => {
    const bytes = Array.from(file, (_byte, at) => file.subarray(at, at + 1));
    assert.deepEqual(decode(...bytes), frames);
  });

  it('the frame decoder waits for the rest of an incomplete frame of a response', () => {
    assert.deepEqual(decode(file.subarray(0, -1)), frames.slice(0, -1));
  });

  it('the frame decoder rejects a response file of another version at its eighth byte', () => {
    const other = Buffer.from(file);
    other[7] = 2;
    assert.deepEqual(decode(other.subarray(0, 7)), []);
    assert.throws(() => decode(other), UnreadableResponse);
  });

  it('the frame decoder skips an unknown type of frame in a response file', () => {
    const unknown = encodeFrame({ type: 'heartbeat', at: 1 });
    unknown.writeUInt8(99, 4);
    const last = encodeFrame(frames[3]!);
    assert.deepEqual(decode(FILE_START, unknown, last), [frames[3]]);
  });

  it('the frame decoder rejects a response file with a frame that is too long or invalid', () => {
    const damaged = encodeFrame({ type: 'heartbeat', at: 1 });
    damaged.writeUInt32BE(0xffff_ffff, 0);
    const head = encodeFrame({ type: 'chunk', at: 1, bytes: Buffer.from('{"status":"?"}') });
    head.writeUInt8(1, 4);
    for (const frame of [damaged, head])
      assert.throws(() => decode(FILE_START, frame), UnreadableResponse);
  });

  it('the frame decoder reads on after a heartbeat whose payload is damaged', () => {
    const heartbeat = encodeFrame({ type: 'heartbeat', at: 4 });
    heartbeat.writeUInt8(0, heartbeat.length - 1);
    const end: Frame = { type: 'end', at: 6, outcome: 'complete' };
    assert.deepEqual(decode(FILE_START, heartbeat, encodeFrame(end)), [
      { type: 'heartbeat', at: 4 },
      end,
    ]);
  });
});
