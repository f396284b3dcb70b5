import assert from 'node:assert/strict';
import {
  fillInputs,
  inputsOf,
  parsePromptText,
} from '../../../../src/features/context/promptText.ts';

const parse = (...lines: readonly string[]) => parsePromptText(lines.join('\n'));

describe('prompt files', () => {
  it('have a description in the front matter, which is not part of the prompt', () => {
    const file = [
      '---',
      'mode: agent',
      'description: "Reviews a change"',
      '---',
      '',
      '# Review',
      '',
    ];
    const expected = { description: 'Reviews a change', body: '# Review' };
    assert.deepEqual(parse(...file), expected);
    assert.deepEqual(parsePromptText(`\ufeff${file.join('\r\n')}`), expected);
    assert.equal(parse('---', "description: '", '---', 'x').description, "'");
    const block = (mark: string) =>
      parse('---', `description: ${mark}`, '  Reviews', '', '  a change', 'mode: ask', '---', 'x');
    for (const mark of ['>', '>-', '|', '|2-'])
      assert.equal(block(mark).description, 'Reviews a change', mark);
  });

  it('use the first line as description if they have no complete front matter', () => {
    const plain = { description: 'Review', body: '# Review\ndescription: no' };
    assert.deepEqual(parse('', '# Review', 'description: no'), plain);
    assert.equal(parse('---', 'mode: ask', '---', '', 'Do it.').description, 'Do it.');
    assert.equal(parse('---', 'description: x', 'Do it.').body, '---\ndescription: x\nDo it.');
    assert.deepEqual(parse(''), { description: '', body: '' });
  });

  it('ask for each input once, and for no more than 20', () => {
    const body =
      '${input:a} ${input:b:What: exactly?} ${input:a:late} ${input:} ${input:c\n} ${file} ${input:d:{x: 1}}';
    assert.deepEqual(inputsOf(body), [
      { name: 'a', placeholder: '' },
      { name: 'b', placeholder: 'What: exactly?' },
      { name: 'd', placeholder: '{x: 1}' },
    ]);
    const many = Array.from({ length: 30 }, (_, index) => `\${input:i${index}}`).join('');
    assert.equal(inputsOf(many).length, 20);
  });

  it('insert values unchanged, and keep inputs without a value', () => {
    const values = new Map([
      ['a', '${input:b} $& $1'],
      ['b', ''],
    ]);
    const body = '[${input:a}|${input:b:x}|${input:c}|${input:__proto__}]';
    assert.equal(fillInputs(body, values), '[${input:b} $& $1||${input:c}|${input:__proto__}]');
  });

  it('are parsed in linear time', () => {
    for (const piece of [
      '${input:',
      '${input:a:',
      '---\n',
      '${input:a:${',
      '${input:a:{}',
      'description:\n---',
      'description: >\n ',
    ])
      inputsOf(parsePromptText(piece.repeat(128_000 / piece.length)).body);
  });
});
