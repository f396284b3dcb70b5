import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChunkReader } from '../../../src/api/chunks.ts';
import { createTemplate, type ChunkTemplate } from '../../../src/api/chunkTemplate.ts';
import { parseJson } from '../../../src/base/json.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import { delta, DONE, end, ROLE, STOP, text, toolCall } from './support/streams.ts';

/** Reads the field `text` of an object. */
function readText(json: string): string | null {
  const { text: value } = (parseJson(json) ?? {}) as { readonly text?: unknown };
  return typeof value === 'string' ? value : null;
}

function learn(json: string): ChunkTemplate | null {
  const value = readText(json);
  assert.ok(value !== null, json);
  return createTemplate(value, json, readText);
}

describe('createTemplate', () => {
  const texts: readonly (readonly [learned: string, json: string, text: string | undefined])[] = [
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"b c","z":[]}', 'b c'],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"","z":[]}', ''],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"é🙂\\n\\u00e9\\"","z":[]}', 'é🙂\né"'],
    ['{"text":"a\\n\\"b\\""}', '{"text":"c"}', 'c'],
    ['{"model":"m","text":"m"}', '{"model":"m","text":"x"}', 'x'],
    ['{"model":"m","text":"m"}', '{"model":"x","text":"m"}', undefined],
    ['{"text":"a"}', '{"text":"a","text":"b"}', undefined],
    ['{"id":1,"text":"a","z":[]}', '{"id":2,"text":"b","z":[]}', undefined],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"b","z":{}}', undefined],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"b"}', undefined],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":null,"z":[]}', undefined],
    ['{"id":1,"text":"a","z":[]}', '', undefined],
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":"', undefined],
    ['{"id":1,"text":"a","z":[]}', '","z":[]}', undefined],
    // The JSON before and after the text overlaps.
    ['{"id":1,"text":"a","z":[]}', '{"id":1,"text":","z":[]}', undefined],
  ];
  for (const [learned, json, expected] of texts)
    it(`the template from ${json} reads ${expected === undefined ? 'nothing' : JSON.stringify(expected)}`, () => {
      const template = learn(learned);
      assert.ok(template !== null);
      assert.equal(template(json), expected);
    });

  it('the chunk template reads only the inside of a JSON string', () => {
    const template = learn('{"text":"a"}');
    assert.ok(template !== null);
    for (const inside of ['"', '\\', 'a"b', '\\x', 'line\nfeed', '\u0000', '\u001f', 'a\\'])
      assert.equal(template(`{"text":"${inside}"}`), undefined, JSON.stringify(inside));
    for (const inside of [' ', '!', '#', '[', ']', '\u007f', '\u2028', '\uffff'])
      assert.equal(template(`{"text":"${inside}"}`), inside);
  });

  for (const json of [
    '{"text":"m","model":"m"}',
    '{"text":"probe","model":"probe"}',
    '{"text":",","model":1}',
    '{"text":"a","text":"b","x":"b"}',
    '{"text":"\\u00e9"}',
    '{"text":"\\/"}',
  ])
    it(`no template is made of an ambiguous chunk: ${json}`, () => {
      assert.equal(learn(json), null);
    });
});

function read(data: readonly string[]): readonly ChatEvent[] {
  const reader = new ChunkReader((sentence) => sentence);
  for (const one of data) reader.read(one);
  return reader.take();
}

/** Asserts that a template changes nothing: one reader makes one, a new reader for each chunk does not. */
function assertSameInFull(data: readonly string[]): readonly ChatEvent[] {
  const events = read(data);
  assert.deepEqual(
    events,
    data.flatMap((one) => read([one])),
  );
  return events;
}

/** Returns the lengths of all JSON that a reader parsed. */
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

describe('chunk reader with a template', () => {
  const special = ['probe', 'content', 'assistant', 'vendor/model', '","', '"}', '\\', '\n'];
  const piece = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom(...special, '\u2028'),
  );

  it('the chunk reader reads texts with a template as if it parsed each chunk in full', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (texts) => {
        const expected = texts.map((one) => ({ kind: 'text', text: one }));
        assert.deepEqual(assertSameInFull(texts.map(text)), expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('the chunk reader reads damaged chunks as if it parsed each in full', () => {
    const damage = fc.record({ at: fc.nat(), drop: fc.nat(3), put: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, damage), { maxLength: 8 }), (pieces) => {
        const damaged = pieces.map(([one, { at, drop, put }]) => {
          const whole = text(one);
          const start = at % (whole.length + 1);
          return whole.slice(0, start) + put + whole.slice(start + drop);
        });
        assertSameInFull([text('first'), ...damaged]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('the chunk reader reads other chunks between texts as if it parsed each in full', () => {
    const call = delta({ tool_calls: [toolCall('call_1', { kind: 'permission', options: [] })] });
    const thought = delta({ reasoning: 'a' });
    const middle = [text('a'), thought, text('b'), text(''), call, text('c')];
    assert.equal(assertSameInFull([ROLE, ...middle, STOP, end(), DONE]).length, 8);
  });

  it('the chunk reader parses only the text from the second chunk on', () => {
    const [first, trial, ...rest] = parsedBy(['a', 'bc', 'def', 'g'].map(text));
    assert.deepEqual([first, trial], [text('a').length, text('aprobe').length]);
    assert.deepEqual(rest, [4, 5, 3]);
  });

  it('the chunk reader makes a new template once in 32 chunks that were parsed in full', () => {
    const different = Array.from({ length: 65 }, (_, i) =>
      text('a').replace('chatcmpl_1', `id_${i + 10}`),
    );
    assert.equal(parsedBy(different).length, 65 + 3);
  });

  it('the chunk reader keeps reading when other fields of the chunks change, and change again', () => {
    const data = Array.from({ length: 200 }, (_, i) =>
      text(`t${i}`).replace('1760000000', `${1_760_000_000 + Math.floor(i / 50)}`),
    );
    const expected = data.map((_, i) => ({ kind: 'text', text: `t${i}` }));
    assert.deepEqual(read(data), expected);
  });
});
