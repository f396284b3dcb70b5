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

function accept(content: unknown): string {
  return JSON.stringify({ action: 'accept', content });
}

const refuses = (form: Elicitation, content: unknown): void =>
  assert.throws(() => parseAnswer(form, accept(content)), { name: 'InvalidBody' });

describe('service answers', () => {
  for (const content of ['accept', '[]', '{}', '{"action":"yes"}', '{"action":"accept"}', '']) {
    // Rules 7.3, 7.4
    it(`to a question are refused when they are ${JSON.stringify(content)}`, () => {
      assert.throws(() => parseAnswer(form({ name: 'a' }), content), { name: 'InvalidBody' });
    });
  }

  it('must have the required fields, and may leave the others out', () => {
    const asked = form({ name: 'a' }, { name: 'b', required: false });
    assert.equal(parseAnswer(asked, accept({ a: 'x' })).kind, 'accepted');
    refuses(asked, { b: 'x' });
    refuses(asked, { a: '' });
  });

  it('must have no other fields', () => {
    refuses(form({ name: 'a' }), { a: 'x', c: 'y' });
  });

  it('must have the JSON types of the fields', () => {
    const typed = {
      string: ['x', 1],
      number: [1.5, '1.5'],
      integer: [2, 2.5],
      boolean: [false, 'false'],
      array: [['x'], 'x'],
    } as const;
    for (const [type, [right, wrong]] of Object.entries(typed)) {
      const asked = form({ name: 'a', type });
      assert.equal(parseAnswer(asked, accept({ a: right })).kind, 'accepted', type);
      refuses(asked, { a: wrong });
    }
  });

  // Rule 8.24
  it('may be anything where the type of the field is unknown', () => {
    const asked = form({ name: 'a', type: 'date' });
    for (const value of ['2030-01-01', 7, { y: 2030 }]) {
      assert.equal(parseAnswer(asked, accept({ a: value })).kind, 'accepted');
    }
  });

  it('are judged by the first of two descriptors that share a name', () => {
    const asked = form({ name: 'a', type: 'integer' }, { name: 'a', type: 'string' });
    assert.equal(parseAnswer(asked, accept({ a: 1 })).kind, 'accepted');
    refuses(asked, { a: 'x' });
    refuses(asked, {});
  });

  it('must be among the options, each of several where the type says array', () => {
    const one = form({ name: 'a', options: ['x', 'y'] });
    assert.equal(parseAnswer(one, accept({ a: 'y' })).kind, 'accepted');
    refuses(one, { a: 'z' });
    const several = form({ name: 'a', type: 'array', options: ['x', 'y'] });
    assert.equal(parseAnswer(several, accept({ a: ['x', 'y'] })).kind, 'accepted');
    refuses(several, { a: ['x', 'z'] });
    const numbers = form({ name: 'a', type: 'integer', options: ['1', '2'] });
    assert.equal(parseAnswer(numbers, accept({ a: 2 })).kind, 'accepted');
  });
});

describe('service questions', () => {
  // Rules 8.19, 8.20, 8.21, 8.22
  it('name the tool and carry the two shapes of arguments', () => {
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
