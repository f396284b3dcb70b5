import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChunkReader } from '../../../src/api/chunks.ts';
import { ChunkTemplate } from '../../../src/api/chunkTemplate.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import { chunk, delta, DONE, end, ROLE, STOP, text, toolCall } from './support/streams.ts';

/** Reads the field `text` of an object, in full. */
function readText(json: string): string | null {
  try {
    const { text: value } = JSON.parse(json) as { text?: unknown };
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function learn(json: string): ChunkTemplate | null {
  const value = readText(json);
  assert.ok(value !== null, json);
  return ChunkTemplate.learn(value, json, readText);
}

describe('api envelope: learning', () => {
  it('opens what has the same surroundings', () => {
    const envelope = learn('{"id":1,"text":"a","z":[]}');
    assert.equal(envelope?.textOf('{"id":1,"text":"b c","z":[]}'), 'b c');
    assert.equal(envelope.textOf('{"id":1,"text":"","z":[]}'), '');
    assert.equal(envelope.textOf('{"id":1,"text":"é🙂\\n\\u00e9\\"","z":[]}'), 'é🙂\né"');
  });

  it('opens nothing else', () => {
    const envelope = learn('{"id":1,"text":"a","z":[]}');
    for (const json of [
      '{"id":2,"text":"b","z":[]}',
      '{"id":1,"text":"b","z":{}}',
      '{"id":1,"text":"b"}',
      '{"id":1,"text":null,"z":[]}',
      '',
      '{"id":1,"text":"',
      '","z":[]}',
      // The beginning and the end overlap: there is no text between them.
      '{"id":1,"text":","z":[]}',
    ]) {
      assert.equal(envelope?.textOf(json), undefined, json);
    }
  });

  it('opens no text that is not the inside of a JSON string', () => {
    const envelope = learn('{"text":"a"}');
    for (const inside of ['"', '\\', 'a"b', '\\x', 'line\nfeed', '\u0000', '\u001f', 'a\\']) {
      assert.equal(envelope?.textOf(`{"text":"${inside}"}`), undefined, JSON.stringify(inside));
    }
    for (const inside of [' ', '!', '#', '[', ']', '\u007f', '\u2028', '\uffff']) {
      assert.equal(envelope?.textOf(`{"text":"${inside}"}`), inside);
    }
  });

  it('takes one field more in the place of the text for no text', () => {
    const envelope = learn('{"text":"a"}');
    assert.equal(envelope?.textOf('{"text":"a","text":"b"}'), undefined);
  });

  it('finds the text where the same words stand elsewhere too', () => {
    const envelope = learn('{"model":"m","text":"m"}');
    assert.equal(envelope?.textOf('{"model":"m","text":"x"}'), 'x');
    assert.equal(envelope.textOf('{"model":"x","text":"m"}'), undefined);
  });

  it('learns nothing where the words that come last are not the text', () => {
    for (const json of [
      '{"text":"m","model":"m"}',
      '{"text":"probe","model":"probe"}',
      '{"text":",","model":1}',
      '{"text":"a","text":"b","x":"b"}',
    ]) {
      assert.equal(learn(json), null, json);
    }
  });

  it('learns nothing from a text that is written with other escapes', () => {
    assert.equal(learn('{"text":"\\u00e9"}'), null);
    assert.equal(learn('{"text":"\\/"}'), null);
  });

  it('learns from a text that is written with escapes', () => {
    const envelope = learn('{"text":"a\\n\\"b\\""}');
    assert.equal(envelope?.textOf('{"text":"c"}'), 'c');
  });
});

function read(data: readonly string[]): readonly ChatEvent[] {
  const reader = new ChunkReader((sentence) => sentence);
  for (const one of data) reader.read(one);
  return reader.take();
}

describe('api envelope: in a response', () => {
  /** Reads with one reader, which learns from earlier chunks, and each chunk with a new one, which cannot. */
  function both(data: readonly string[]): Record<'learned' | 'full', readonly ChatEvent[]> {
    return { learned: read(data), full: data.flatMap((one) => read([one])) };
  }

  const piece = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom(
      'probe',
      'content',
      'assistant',
      'vendor/model',
      '","',
      '"}',
      '\\',
      '\n',
      '\u2028',
    ),
  );

  it('says the same as parsing each chunk in full, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (texts) => {
        const { learned, full } = both(texts.map((one) => text(one)));
        assert.deepEqual(learned, full);
        assert.deepEqual(
          learned,
          texts.map((one) => ({ kind: 'text', text: one })),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('says the same where chunks are damaged', () => {
    const damage = fc.record({ at: fc.nat(), drop: fc.nat(3), put: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, damage), { maxLength: 8 }), (pieces) => {
        const damaged = pieces.map(([one, { at, drop, put }]) => {
          const whole = text(one);
          const start = at % (whole.length + 1);
          return whole.slice(0, start) + put + whole.slice(start + drop);
        });
        const { learned, full } = both([text('first'), ...damaged]);
        assert.deepEqual(learned, full);
      }),
      { numRuns: 2_000 },
    );
  });

  it('says the same where the chunks between the texts are of other kinds', () => {
    const call = delta({ tool_calls: [toolCall('call_1', { kind: 'permission', options: [] })] });
    const { learned, full } = both([
      ROLE,
      text('a'),
      delta({ reasoning: 'a' }),
      text('b'),
      text(''),
      call,
      text('c'),
      STOP,
      end(),
      DONE,
    ]);
    assert.deepEqual(learned, full);
    assert.equal(learned.length, 8);
  });

  /** Lengths of all that a reader had parsed as JSON. */
  function parsedBy(data: readonly string[]): number[] {
    const parse = JSON.parse.bind(JSON);
    const lengths: number[] = [];
    JSON.parse = (json: string) => {
      lengths.push(json.length);
      return parse(json) as unknown;
    };
    try {
      read(data);
    } finally {
      JSON.parse = parse;
    }
    return lengths;
  }

  it('parses the text alone from the second chunk on', () => {
    const [first, trial, ...rest] = parsedBy(['a', 'bc', 'def', 'g'].map((one) => text(one)));
    assert.equal(first, text('a').length);
    assert.equal(trial, text('aprobe').length);
    assert.deepEqual(rest, [4, 5, 3]);
  });

  it('reads on where the place of a text is not certain', () => {
    const tail = { x: 'a', y: 'b' };
    const data = [',', 'a', 'c'].map((content) =>
      chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }], ...tail }),
    );
    const { learned, full } = both(data);
    assert.deepEqual(learned, full);
    assert.equal(learned.length, 3);
  });

  it('learns again after 32 chunks in full, and not at each of them', () => {
    const different = Array.from({ length: 65 }, (_, i) =>
      text('a').replace('chatcmpl_1', `id_${i + 10}`),
    );
    assert.equal(parsedBy(different).length, 65 + 3);
  });

  it('goes on where the surroundings change, and change again', () => {
    const data = Array.from({ length: 200 }, (_, i) =>
      text(`t${i}`).replace('1760000000', `${1_760_000_000 + Math.floor(i / 50)}`),
    );
    const { learned } = both(data);
    assert.deepEqual(
      learned,
      data.map((_, i) => ({ kind: 'text', text: `t${i}` })),
    );
  });
});
