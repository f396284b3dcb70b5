import assert from 'node:assert/strict';
import fc from 'fast-check';
import schema from '../../../../media/intern.schema.json' with { type: 'json' };
import { checkDescription, checkInstructions, checkInternName } from '../../../../src/api/index.ts';
import { readInternFile } from '../../../../src/features/interns/internFile.ts';

const empty = { description: '', instructions: '', provision: false };

describe('readInternFile', () => {
  it('an intern file needs only a name', () => {
    const value = { name: 'ada', ...empty, workspace_id: undefined };
    assert.deepEqual(readInternFile('{"name": "ada"}'), { ok: true, value });
  });

  it('readInternFile reads all fields after a byte order mark', () => {
    const value = { name: 'ada', instructions: 'Be kind', provision: true, workspace_id: 'w1' };
    const text = `\ufeff${JSON.stringify({ $schema: 'x', ...value, description: null })}`;
    assert.deepEqual(readInternFile(text), { ok: true, value: { ...empty, ...value } });
  });

  const tooLong = JSON.stringify({ name: 'ada', description: 'x'.repeat(2001) });
  for (const [what, text, error] of [
    ['invalid JSON', '{', /isn’t valid JSON/],
    ['an array', '[]', /must contain a JSON object/],
    ['a file without a name', '{}', /^“name” is missing\.$/],
    ['a number as name', '{"name": 1}', /^“name” has an invalid value/],
    [
      'a text as provision',
      '{"name": "ada", "provision": "yes"}',
      /^“provision” has an invalid value/,
    ],
    [
      'an empty workspace',
      '{"name": "ada", "workspace_id": ""}',
      /^“workspace_id” has an invalid value/,
    ],
    ['an unknown field', '{"name": "ada", "model": "x"}', /^“model” isn’t a known field/],
    ['an invalid name', '{"name": "Ada"}', /^“name”: .*lowercase/],
    ['a description that is too long', tooLong, /^“description”: .*2,000/],
  ] as const)
    it(`readInternFile refuses ${what} with one sentence`, () => {
      const read = readInternFile(text);
      assert.ok(!read.ok);
      assert.match(read.error, error);
    });

  it('readInternFile takes any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readInternFile(text);
        if (read.ok) assert.match(read.value.name, /^[a-z]/);
      }),
    );
  });
});

describe('the JSON schema of .intern.json files', () => {
  const { name, description, instructions } = schema.properties;

  it('the schema of intern files allows exactly the fields that are read', () => {
    assert.deepEqual([schema.required, schema.additionalProperties], [['name'], false]);
    const values = { string: 'ada', boolean: true };
    const file = Object.entries(schema.properties).map(([field, { type }]) => [
      field,
      values[(Array.isArray(type) ? type[0] : type) as keyof typeof values],
    ]);
    const read = readInternFile(JSON.stringify(Object.fromEntries(file)));
    assert.ok(read.ok);
    const fields = Object.keys(schema.properties).filter((field) => field !== '$schema');
    assert.deepEqual(Object.keys(read.value).sort(), fields.sort());
  });

  it('the schema of intern files allows exactly the names that the service takes', () => {
    const allows = (text: string) =>
      text.length >= name.minLength &&
      text.length <= name.maxLength &&
      new RegExp(name.pattern, 'u').test(text);
    const unit = fc.constantFrom('a', 'z', '0', '9', '-', 'A', '_', ' ', 'ä');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 19 }), (text) => {
        assert.equal(allows(text), checkInternName(text) === null);
      }),
    );
    for (const length of [1, 2, 17, 18])
      assert.equal(allows('a'.repeat(length)), checkInternName('a'.repeat(length)) === null);
  });

  it('the schema of intern files has the limits of the service', () => {
    for (const [{ maxLength }, check] of [
      [description, checkDescription],
      [instructions, checkInstructions],
    ] as const) {
      assert.equal(check('x'.repeat(maxLength)), null);
      assert.notEqual(check('x'.repeat(maxLength + 1)), null);
    }
  });
});
