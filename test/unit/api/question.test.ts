import assert from 'node:assert/strict';
import { PROVIDE_INPUT, readQuestion } from '../../../src/api/question.ts';
import type { Question, ToolCall } from '../../../src/api/types.ts';

function ask(args: unknown, changes: Partial<ToolCall> = {}): Question {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return readQuestion({ index: 0, id: 'call_1', name: PROVIDE_INPUT, arguments: text, ...changes });
}

describe('readQuestion: permission', () => {
  // Rule 8.21
  it('readQuestion reads the operation and the options of a permission in their order', () => {
    const options = ['reject_once', 'allow_once', 'allow_for_an_hour'];
    assert.deepEqual(ask({ kind: 'permission', operation: 'run_shell', options, extra: 1 }), {
      kind: 'permission',
      operation: 'run_shell',
      options,
    });
  });

  // Rule 8.21
  it('readQuestion reads a permission with an unnamed tool and no options', () => {
    const expected = { kind: 'permission', operation: null, options: [] };
    assert.deepEqual(ask({ kind: 'permission', operation: null, options: [] }), expected);
    assert.deepEqual(ask({ kind: 'permission', options: [] }), expected);
  });
});

describe('readQuestion: elicitation', () => {
  // Rules 8.22, 8.23
  it('readQuestion reads the message and the fields of an elicitation in their order', () => {
    const fields = [
      { name: 'b', type: 'string', required: true, options: ['x', 'y'] },
      { name: 'a', type: 'boolean', required: false, options: [] },
      { name: 'c', type: 'number', required: false, options: [], description: 'What', default: 2 },
    ];
    assert.deepEqual(ask({ kind: 'elicitation', message: 'Which?', fields }), {
      kind: 'elicitation',
      message: 'Which?',
      fields,
    });
  });

  // Rule 8.24
  it('readQuestion reads a field of an elicitation with only a name', () => {
    assert.deepEqual(ask({ kind: 'elicitation', fields: [{ name: 'a', minimum: 3 }] }), {
      kind: 'elicitation',
      message: '',
      fields: [{ name: 'a', type: 'string', required: false, options: [] }],
    });
  });
});

describe('readQuestion: unreadable calls', () => {
  const good = { kind: 'permission', operation: 'x', options: [] };

  function assertUnreadable(problem: string, ...questions: readonly Question[]): void {
    for (const question of questions) assert.deepEqual(question, { kind: 'unreadable', problem });
  }

  it('readQuestion reads a permission with invalid options as unreadable', () => {
    for (const options of [undefined, null, 'allow_once', [1]])
      assertUnreadable('shape', ask({ ...good, options }));
  });

  it('readQuestion reads an elicitation with invalid fields as unreadable', () => {
    for (const fields of [undefined, {}, [null], [{ type: 'string' }]])
      assertUnreadable('shape', ask({ kind: 'elicitation', message: 'Which?', fields }));
  });

  it('readQuestion reports a tool call ID outside its limits', () => {
    assertUnreadable('id-length', ask(good, { id: '' }), ask(good, { id: 'x'.repeat(129) }));
    assert.equal(ask(good, { id: 'x'.repeat(128) }).kind, 'permission');
  });

  it('readQuestion refuses a question whose rows would freeze the editor', () => {
    const options = Array.from({ length: 9_999 }, (_, index) => `option ${index}`);
    const field = { name: 'a', type: 'string', required: false, options };
    const form = { kind: 'elicitation', message: 'Which?', fields: [field] } as const;
    assert.deepEqual(ask(form), form);
    const more = { ...field, name: 'b', options: [] };
    assertUnreadable('too-large', ask({ ...form, fields: [field, more] }));
    assert.equal(ask({ ...good, options: [...options, 'one'] }).kind, 'permission');
    assertUnreadable('too-large', ask({ ...good, options: [...options, 'one', 'two'] }));
  });

  // Rule 8.19
  it('readQuestion reports a call of another tool', () => {
    assertUnreadable('tool-name', ask(good, { name: 'run_shell' }));
  });

  // Rule 8.20
  it('readQuestion reports arguments of a tool call that are no JSON object', () => {
    for (const args of ['', '{', 'null', '[]', '"text"', '1'])
      assertUnreadable('not-json', ask(args));
  });

  it('readQuestion reports an unknown kind of question', () => {
    for (const kind of ['confirmation', null, undefined, 1])
      assertUnreadable('unknown-kind', ask({ ...good, kind }));
  });
});
