import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readInternFile } from '../../../../src/features/interns/internFile.ts';
import { internFileSchema } from '../../../../src/features/interns/internFileSchema.ts';

describe('a .intern.json file', () => {
  it('gives what is in it, and the defaults for the rest', () => {
    assert.deepEqual(readInternFile('{"name": "ada"}'), {
      ok: true,
      value: {
        name: 'ada',
        description: '',
        instructions: '',
        provision: false,
        workspaceId: null,
      },
    });
    const whole = {
      $schema: './intern.schema.json',
      name: 'ada',
      description: null,
      instructions: 'Be kind',
      provision: true,
      workspace_id: 'w1',
    };
    assert.deepEqual(readInternFile(`\ufeff${JSON.stringify(whole)}`), {
      ok: true,
      value: {
        name: 'ada',
        description: '',
        instructions: 'Be kind',
        provision: true,
        workspaceId: 'w1',
      },
    });
  });

  it('is refused with the field that is wrong', () => {
    const cases: [text: string, error: unknown][] = [
      ['{', { kind: 'not-json' }],
      ['[]', { kind: 'field', field: '' }],
      ['{}', { kind: 'field', field: 'name' }],
      ['{"name": 1}', { kind: 'field', field: 'name' }],
      ['{"name": "ada", "provision": "yes"}', { kind: 'field', field: 'provision' }],
      ['{"name": "ada", "workspace_id": ""}', { kind: 'field', field: 'workspace_id' }],
      ['{"name": "ada", "model": "x"}', { kind: 'field', field: 'model' }],
      ['{"name": "Ada"}', { kind: 'name', problem: { kind: 'uppercase', character: 'A' } }],
    ];
    for (const [text, error] of cases) {
      assert.deepEqual(readInternFile(text), { ok: false, error }, text);
    }
    const long = readInternFile(JSON.stringify({ name: 'ada', description: 'x'.repeat(2001) }));
    assert.ok(!long.ok && long.error.kind === 'length' && long.error.field === 'description');
  });

  it('never crashes the editor, whatever is in it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readInternFile(text);
        if (read.ok) assert.match(read.value.name, /^[a-z]/);
      }),
    );
  });

  it('has a schema for the editor that allows exactly the fields that are read', () => {
    const schema = internFileSchema() as {
      readonly properties: Readonly<Record<string, unknown>>;
      readonly required: readonly string[];
      readonly additionalProperties: boolean;
    };
    assert.deepEqual(schema.required, ['name']);
    assert.equal(schema.additionalProperties, false);
    for (const field of Object.keys(schema.properties)) {
      const read = readInternFile(JSON.stringify({ name: 'ada', [field]: 'ada' }));
      assert.ok(read.ok || read.error.kind !== 'field' || field === 'provision', field);
    }
  });
});
