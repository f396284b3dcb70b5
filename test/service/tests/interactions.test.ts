import assert from 'node:assert/strict';
import {
  parseAnswer,
  toFunction,
  type Elicitation,
  type FieldDescriptor,
  type Permission,
} from '../core/interactions.ts';

const PERMISSION: Permission = {
  kind: 'permission',
  operation: null,
  options: ['allow_once', 'reject_once'],
};

function form(...fields: (Partial<FieldDescriptor> & { name: string })[]): Elicitation {
  return {
    kind: 'elicitation',
    message: 'Which?',
    fields: fields.map((field) => ({ type: 'string', required: true, options: [], ...field })),
  };
}

function typed(type: string, ...options: readonly string[]): Elicitation {
  return form({ name: 'a', type, options });
}

function accept(content: unknown): string {
  return JSON.stringify({ action: 'accept', content });
}

const refuses = (form: Elicitation, content: unknown): void =>
  assert.throws(() => parseAnswer(form, accept(content)), { name: 'InvalidBody' });

describe('service answers', () => {
  for (const content of ['accept', '[]', '{}', '{"action":"yes"}', '{"action":"accept"}', ''])
    // Rules 7.3, 7.4
    it(`the service refuses the answer ${JSON.stringify(content)} to a question`, () => {
      assert.throws(() => parseAnswer(form({ name: 'a' }), content), { name: 'InvalidBody' });
    });

  for (const [rule, asked, accepted, refused] of [
    [
      'include the required fields',
      form({ name: 'a' }, { name: 'b', required: false }),
      [{ a: 'x' }],
      [{ b: 'x' }, { a: '' }],
    ],
    [
      'include the required fields with names of JavaScript',
      form({ name: 'constructor' }, { name: 'toString', required: false }),
      [{ constructor: 'x' }],
      [{}],
    ],
    ['include no other fields', form({ name: 'a' }), [], [{ a: 'x', c: 'y' }]],
    ['are strings', typed('string'), [{ a: 'x' }], [{ a: 1 }]],
    ['are numbers', typed('number'), [{ a: 1.5 }], [{ a: '1.5' }]],
    ['are integers', typed('integer'), [{ a: 2 }], [{ a: 2.5 }]],
    ['are booleans', typed('boolean'), [{ a: false }], [{ a: 'false' }]],
    ['are arrays', typed('array'), [{ a: ['x'] }], [{ a: 'x' }]],
    // Rule 8.24
    [
      'are anything for a field of an unknown type',
      typed('date'),
      [{ a: '2030' }, { a: 7 }, { a: { y: 1 } }],
      [],
    ],
    [
      'follow the first of two fields with one name',
      form({ name: 'a', type: 'integer' }, { name: 'a', type: 'string' }),
      [{ a: 1 }],
      [{ a: 'x' }, {}],
    ],
    ['are an option', typed('string', 'x', 'y'), [{ a: 'y' }], [{ a: 'z' }]],
    ['are options of an array', typed('array', 'x', 'y'), [{ a: ['x', 'y'] }], [{ a: ['x', 'z'] }]],
    ['are an option of a number', typed('integer', '1', '2'), [{ a: 2 }], [{ a: 3 }]],
  ] as const)
    it(`the values of an answer ${rule}`, () => {
      for (const content of accepted)
        assert.equal(parseAnswer(asked, accept(content)).kind, 'accepted');
      for (const content of refused) refuses(asked, content);
    });
});

describe('service questions', () => {
  // Rules 8.19, 8.20, 8.21, 8.22
  it('a question names the tool and its arguments', () => {
    assert.deepEqual(toFunction(PERMISSION), {
      name: 'service.provide_input',
      arguments: '{"kind":"permission","operation":null,"options":["allow_once","reject_once"]}',
    });
    const asked = JSON.parse(toFunction(form({ name: 'a' })).arguments) as unknown;
    assert.deepEqual(asked, {
      kind: 'elicitation',
      message: 'Which?',
      fields: [{ name: 'a', type: 'string', required: true, options: [] }],
    });
  });
});
