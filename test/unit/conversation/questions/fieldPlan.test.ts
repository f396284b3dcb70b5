import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { QuestionField } from '../../../../src/api/index.ts';
import {
  exactNumber,
  type Field,
  joinListItems,
  initialInputs,
  planFields,
  readContent,
  readInput,
} from '../../../../src/conversation/questions/fieldPlan.ts';

function field(type: string, more: Partial<QuestionField> = {}): QuestionField {
  return { name: 'value', type, required: true, options: [], ...more };
}

function plan(type: string, more: Partial<QuestionField> = {}): Field {
  const [step] = planFields([field(type, more)]);
  assert.ok(step);
  return step;
}

/** The step for a field of a type: the value of its text, or the kind of its rows. */
const dialogOf = (type: string, options: string[] = []) => {
  const step = plan(type, { options });
  return step.kind === 'text' ? step.value : step.kind;
};

describe('planFields', () => {
  for (const [dialog, types, offered] of [
    ['string', ['string', 'date', 'bitset', 'byte[]x', 'listing'], []],
    ['number', ['number', 'float', 'double', 'decimal'], []],
    ['integer', ['integer', 'int', 'long'], []],
    ['choice', ['boolean', 'bool'], []],
    ['list', ['array', 'list', 'set', 'multiselect', 'multi-select'], []],
    ['choice', ['string', 'integer'], ['1']],
    ['choice', ['string'], ['red', 'green']],
    ['choices', ['array', 'string[]', 'array<string>', 'Array', 'list'], ['red', 'green']],
    ['choices', ['integer[]'], ['1']],
  ] as const)
    it(`the form plan has "${dialog}" for ${types.join(', ')}${offered.length > 0 ? ' with options' : ''}`, () => {
      for (const type of types) assert.equal(dialogOf(type, [...offered]), dialog, type);
    });

  it('the form plan shows the options of a list as text', () => {
    const step = plan('integer[]', { options: ['1'] });
    assert.equal(step.description, '');
    assert.deepEqual(step.kind === 'choices' && step.choices, [{ label: '1', value: '1' }]);
  });

  it('the form plan asks once for a repeated field name, by its first descriptor', () => {
    const steps = planFields([
      field('number', { name: 'a' }),
      field('string', { name: 'b' }),
      field('boolean', { name: 'a' }),
    ]);
    assert.deepEqual(
      steps.map(({ name, kind }) => `${name} ${kind}`),
      ['a text', 'b text'],
    );
  });

  it('the form plan converts options of numbers and booleans only if nothing is lost', () => {
    const values = (type: string, options: string[]) => {
      const step = plan(type, { options });
      return step.kind === 'choice' ? step.choices.map(({ value }) => value) : [];
    };
    const numbers = values('number', ['1', '2.50', '007', 'many', '9007199254740993']);
    assert.deepEqual(numbers, [1, 2.5, '007', 'many', '9007199254740993']);
    assert.deepEqual(values('integer', ['1', '1.5', '1e2']), [1, '1.5', 100]);
    const booleans = values('boolean', ['true', 'false', 'yes', 'True']);
    assert.deepEqual(booleans, [true, false, 'yes', 'True']);
    assert.deepEqual(values('string', ['1', 'true']), ['1', 'true']);
  });

  it('the form plan masks a field whose name or type says that it is secret', () => {
    const isMasked = (type: string, name: string) => {
      const step = plan(type, { name });
      return step.kind === 'text' && step.masked;
    };
    for (const type of ['string', 'array', 'colour'])
      assert.deepEqual(
        ['pin', 'apiKeys', 'name'].map((name) => isMasked(type, name)),
        [true, true, false],
      );
    for (const type of ['password', 'Secret', 'array<password>', 'secret[]'])
      assert.equal(isMasked(type, 'answer'), true, type);
    assert.deepEqual([isMasked('integer', 'pin'), isMasked('integer', 'keys')], [true, false]);
  });
});

describe('initialInputs', () => {
  const initial = (type: string, given: unknown, more: Partial<QuestionField> = {}) => {
    const fields = [field(type, { default: given, ...more })];
    return initialInputs(planFields(fields), fields)[0];
  };

  it('the form plan offers a valid default as the first input', () => {
    assert.deepEqual(initial('string', 'main'), 'main');
    assert.deepEqual(initial('number', 2.5), '2.5');
    assert.deepEqual(initial('integer', '3'), '3');
    assert.deepEqual(initial('boolean', false), [1]);
    const options = ['1', '2', '3'];
    assert.deepEqual(initial('integer', 2, { options }), [1]);
    assert.deepEqual(initial('string', '3', { options }), [2]);
    assert.deepEqual(initial('array', ['3', '1'], { options }), [0, 2]);
    assert.deepEqual(initial('array', ['a', 'b, c']), 'a, "b, c"');
    assert.deepEqual(initial('array', ['a b', ' c']), 'a b, " c"');
    assert.deepEqual(initial('array', ['2'], { options }), [1]);
    assert.deepEqual(initial('array', '2', { options }), [1]);
    assert.deepEqual(initial('string', ['3'], { options }), [2]);
  });

  it('the form plan offers no hostile default that could freeze the editor in its box', () => {
    const given = 'א a '.repeat(2_500);
    assert.equal(initial('string', given), given);
    assert.equal(initial('string', `${given}a`), undefined);
    assert.equal(initial('array', [given, given]), undefined);
  });

  it('the form plan offers no input without a valid default or for a secret', () => {
    for (const [type, given] of [
      ['integer', 2.5],
      ['number', 'many'],
      ['boolean', 'yes'],
      ['string', { a: 1 }],
      ['string', null],
      ['string', undefined],
      ['array', [1, {}]],
      ['password', 'hidden'],
    ] as const)
      assert.equal(initial(type, given), undefined, `${type} ${JSON.stringify(given)}`);
    assert.equal(initial('string', 'hidden', { name: 'pin' }), undefined);
    const options = ['a', 'b'];
    assert.equal(initial('string', 'none of them', { options }), undefined);
    assert.equal(initial('string', 'none of them', { options, required: false }), undefined);
    for (const given of ['none of them', [], ['c'], 5, undefined])
      assert.equal(initial('array', given, { options, required: false }), undefined);
  });
});

describe('readInput', () => {
  it('a field reads quoted list items with commas, and any list that it formats', () => {
    const assertReads = (given: string, value: string[]) =>
      assert.deepEqual(readInput(plan('array'), given), { ok: true, value });
    assertReads('"Lovelace, Ada", Bob ,"say ""hi"""', ['Lovelace, Ada', 'Bob', 'say "hi"']);
    assertReads('5" pipe, "half" open, "left', ['5" pipe', '"half" open', '"left']);
    const item = fc.string({ unit: fc.constantFrom('a', '"', ',', ' '), minLength: 1 });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (value) =>
        assertReads(joinListItems(value), value),
      ),
    );
  });

  const letters = { options: ['a', 'b', 'c'] };
  const optional = { required: false };
  for (const [what, type, more, input, expected] of [
    ['an empty required text', 'string', {}, '', 'required'],
    ['an empty optional text', 'string', optional, '', [null]],
    ['an optional text that was never reached', 'string', optional, undefined, [null]],
    ['text with spaces', 'string', {}, '  x ', ['  x ']],
    ['a number in spaces', 'number', {}, ' 2.5 ', [2.5]],
    ['a negative number', 'number', {}, '-3', [-3]],
    ['a number with a comma', 'number', {}, '2,5', 'not-a-number'],
    ['a number that is none', 'number', {}, 'NaN', 'not-a-number'],
    ['a number that loses digits', 'number', {}, '9007199254740993', 'too-many-digits'],
    ['a fraction for an integer', 'integer', {}, '2.5', 'not-an-integer'],
    ['an integer', 'integer', {}, '12', [12]],
    ['a list', 'array', {}, 'a, b,,c ', [['a', 'b', 'c']]],
    ['a list of nothing', 'array', {}, ' , ', 'required'],
    ['an optional list of nothing', 'array', optional, ' , ', [null]],
    ['choices in the order offered', 'array', letters, [2, 0], [['a', 'c']]],
    ['no choice', 'array', letters, [], 'required'],
    ['no optional choice', 'array', { ...letters, ...optional }, [], [null]],
    ['a required choice that is left out', 'boolean', {}, [-1], 'required'],
    ['an optional choice that is left out', 'boolean', optional, [-1], [null]],
    ['a choice', 'boolean', {}, [1], [false]],
  ] as const)
    it(`a field ${typeof expected === 'string' ? 'refuses' : 'accepts'} ${what}`, () => {
      const isRefused = typeof expected === 'string';
      const result = isRefused ? { ok: false, error: expected } : { ok: true, value: expected[0] };
      assert.deepEqual(readInput(plan(type, more), input), result);
    });

  describe('a PEM block as a value', () => {
    const pem = ['-----BEGIN EC KEY-----', 'bm8ga2V5', '-----END EC KEY-----', ''];

    for (const name of ['certificate', 'private_key'])
      for (const lineBreak of ['\n', '\r\n', '\r', '\\n', '\\r\\n'])
        it(`a field accepts a PEM block for ${name} whose lines end with ${JSON.stringify(lineBreak)}`, () => {
          const value = pem.join(lineBreak);
          assert.deepEqual(readInput(plan('string', { name }), value), { ok: true, value });
        });

    it('a field accepts a text that mentions the first line of a PEM block', () => {
      for (const value of ['Look for -----BEGIN EC KEY----- in it', '  -----BEGIN EC KEY-----  '])
        assert.deepEqual(readInput(plan('string'), value), { ok: true, value });
    });

    it('a field accepts several PEM blocks as items of a list', () => {
      const block = pem.join('\n').trim();
      const read = readInput(plan('array'), `${block},\n${block}\n`);
      assert.deepEqual(read, { ok: true, value: [block, block] });
    });

    it('a field refuses a PEM block without its line breaks', () => {
      const lost = { ok: false, error: 'line-breaks-lost' };
      for (const value of [
        pem.join(' '),
        pem.join(''),
        `KEY="${pem.join(' ')}"`,
        ' -----BEGIN EC KEY----- bm8ga2V5',
        `${pem.join('\n')}${pem.join(' ')}`,
      ]) {
        assert.deepEqual(readInput(plan('string'), value), lost, value);
        assert.deepEqual(readInput(plan('array'), value), lost, value);
      }
    });
  });
});

describe('readContent', () => {
  it('the answer to a form has JSON values by name, without fields that were left out', () => {
    const steps = planFields([
      field('string', { name: 'title' }),
      field('integer', { name: 'count' }),
      field('boolean', { name: 'force' }),
      field('string', { name: 'note', required: false }),
    ]);
    const content = readContent(steps, ['x', '3', [0], '']);
    assert.deepEqual(content, { ok: true, value: { title: 'x', count: 3, force: true } });
  });

  it('the answer to a form names the first step without a value by its index', () => {
    const steps = planFields([field('string', { name: 'a' }), field('string', { name: 'b' })]);
    assert.deepEqual(readContent(steps, ['x']), { ok: false, error: 1 });
  });

  it('the answer to a form keeps a field named __proto__', () => {
    const steps = planFields([field('string', { name: '__proto__' })]);
    const content = readContent(steps, ['x']);
    assert.ok(content.ok);
    assert.equal(JSON.stringify(content.value), '{"__proto__":"x"}');
  });
});

describe('exactNumber', () => {
  it('a number field reads every double from its own text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        assert.equal(exactNumber(String(value)), value === 0 ? 0 : value);
      }),
    );
  });

  it('a number field reads no integer that differs from the typed digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        const read = exactNumber(String(value));
        assert.ok(read === undefined || BigInt(read) === value);
      }),
    );
  });

  it('a number field reads all notations of JSON for a number', () => {
    assert.deepEqual(
      ['1.50', '1e3', '0.10e1', '-0', '100', '0e5', '0.00', '1.0010', '12.5E-3', '-2.50'].map(
        exactNumber,
      ),
      [1.5, 1000, 1, 0, 100, 0, 0, 1.001, 0.0125, -2.5],
    );
  });

  it('a number field refuses a number that JSON does not accept', () => {
    const refused = ['', ' 1', '.5', '5.', '+1', '0x10', 'Infinity', '1e999', '1_000'];
    assert.deepEqual(
      refused.filter((each) => exactNumber(each) !== undefined),
      [],
    );
  });
});
