import assert from 'node:assert/strict';
import { EventStreamDecoder, MAX_EVENT_CHARACTERS } from '../../../src/api/chatStream.ts';

interface Decoded {
  readonly data: string[];
  readonly comments: string[];
  readonly decoder: EventStreamDecoder;
}

function decode(...pieces: readonly (string | Uint8Array)[]): Decoded {
  const data: string[] = [];
  const comments: string[] = [];
  const decoder = new EventStreamDecoder(
    (text) => data.push(text),
    (comment) => comments.push(comment),
  );
  const encoder = new TextEncoder();
  for (const piece of pieces)
    decoder.push(typeof piece === 'string' ? encoder.encode(piece) : piece);
  return { data, comments, decoder };
}

/** Streams that show how our decoder feeds the parser, which has the web platform tests of event streams itself. */
const STREAMS: Readonly<Record<string, readonly [stream: string, data: readonly string[]]>> = {
  'skips only one byte order mark': ['\ufeff\ufeffdata:1\n\ndata:2\n\ndata:3\n\n', ['2', '3']],
  'ends lines at LF, CR and CRLF': ['data:test\r\ndata\ndata:test\r\n\r\n', ['test\n\ntest']],
  'reads UTF-8': ['data:ok…\n\n', ['ok…']],
};

describe('EventStreamDecoder: streams', () => {
  for (const [fact, [stream, expected]] of Object.entries(STREAMS)) {
    it(`the event decoder ${fact}, whole and cut at every byte`, () => {
      const bytes = new TextEncoder().encode(stream);
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(decode(bytes.slice(0, at), bytes.slice(at)).data, expected, `at ${at}`);
      assert.deepEqual(decode(...Array.from(bytes, (byte) => Uint8Array.of(byte))).data, expected);
    });
  }
});

describe('EventStreamDecoder: bytes and end', () => {
  it('the event decoder replaces invalid UTF-8 of an event and reads the next', () => {
    const bytes = Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xe2, 0x82, 0x41, 0x0a, 0x0a);
    assert.deepEqual(decode(bytes).data, ['\ufffd\ufffdA']);
  });

  it('the event decoder emits comments without the colon and the space after it', () => {
    const { comments } = decode(': keepalive\n\n:x\n:  y\n');
    assert.deepEqual(comments, ['keepalive', 'x', ' y']);
  });

  it('the event decoder emits the last event though its blank line is missing', () => {
    for (const tail of ['', '\n', '\r', '\r\n']) {
      const { data, decoder } = decode(`data: 1\n\ndata: 2${tail}`);
      decoder.end();
      assert.deepEqual(data, ['1', '2'], JSON.stringify(tail));
    }
  });

  it('the event decoder emits nothing at the end if no event is incomplete', () => {
    for (const stream of ['', 'data: 1\n\n', 'data: 1\r\r', 'data: 1\n\n: x']) {
      const { data, decoder } = decode(stream);
      const before = data.length;
      decoder.end();
      assert.equal(data.length, before);
    }
  });

  it('the event decoder replaces an incomplete character at the end of the stream', () => {
    const { data, decoder } = decode('data: a', Uint8Array.of(0xe2, 0x82));
    decoder.end();
    assert.deepEqual(data, ['a\ufffd']);
  });
});

describe('EventStreamDecoder: large network chunks', () => {
  const expected = Array.from(
    { length: 400 },
    (_, place) => `{"place":${place},"words":"größer 大きい"}`,
  );

  for (const [name, end] of Object.entries({ LF: '\n', CR: '\r', CRLF: '\r\n' }))
    it(`the event decoder reads the same events wherever a network chunk ends, with ${name}`, () => {
      const stream = expected.map((data) => `data: ${data}${end}${end}`).join('') + `: x${end}`;
      for (let cut = 0; cut < 120; cut++) {
        const pieces = [stream.slice(0, 5_000 + cut), stream.slice(5_000 + cut)];
        assert.deepEqual(decode(...pieces).data, expected, `cut at ${5_000 + cut}`);
      }
    });

  it('the event decoder joins the lines of one event across network chunks', () => {
    const line = `data:${'x'.repeat(5_000)}`;
    const { data } = decode(`${line}\ndata:y`, `z\n${line}\n\n`);
    assert.deepEqual(data, [`${line.slice(5)}\nyz\n${line.slice(5)}`]);
  });

  it('the event decoder reads nothing after a line that is too long', () => {
    const first = `data:${'x'.repeat(MAX_EVENT_CHARACTERS)}`;
    const { data, decoder } = decode(first.slice(0, -5), `${'x'.repeat(5_000)}\ndata:2\n\n`);
    assert.equal(decoder.overflowed, true);
    assert.deepEqual(data, []);
  });
});

describe('EventStreamDecoder: limit', () => {
  const HALF = 'x'.repeat(MAX_EVENT_CHARACTERS / 2);

  it('the event decoder reads an event of up to 4 MiB', () => {
    assert.equal(MAX_EVENT_CHARACTERS, 4_194_304);
    const { data, decoder } = decode('data:', HALF.slice(5), HALF, '\n\n');
    assert.equal(decoder.overflowed, false);
    assert.equal(data[0]?.length, MAX_EVENT_CHARACTERS - 5);
  });

  it('the event decoder ends the stream at a line that is too long', () => {
    const { data, decoder } = decode('data:1\n\ndata:', HALF, HALF, '\n\n', 'data:2\n\n');
    assert.equal(decoder.overflowed, true);
    decoder.end();
    assert.deepEqual(data, ['1']);
  });

  it('the event decoder ends the stream at an event of many lines that is too long', () => {
    const line = `data:${'x'.repeat(65_536)}\n`;
    const { data, decoder } = decode(...Array.from({ length: 65 }, () => line), '\n');
    assert.equal(decoder.overflowed, true);
    assert.deepEqual(data, []);
  });

  it('the event decoder continues after every parse error except an event that is too long', () => {
    assert.equal(decode('retry:x\nfoo\n').decoder.overflowed, false);
  });
});
