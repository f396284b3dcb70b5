import assert from 'node:assert/strict';
import {
  fillInputs,
  findInputs,
  parsePromptText,
} from '../../../../src/features/context/promptText.ts';

const parse = (...lines: readonly string[]) => parsePromptText(lines.join('\n'));

describe('the text of a prompt file', () => {
  it('the front matter of a prompt file gives its description', () => {
    const file = '---\nmode: agent\ndescription: "Reviews a change"\n---\n\n# Review\n';
    const expected = { description: 'Reviews a change', body: '# Review' };
    assert.deepEqual(parsePromptText(file), expected);
    assert.deepEqual(parsePromptText(`\ufeff${file.replaceAll('\n', '\r\n')}`), expected);
    assert.equal(parse('---', "description: '", '---', 'x').description, "'");
    const block = (mark: string) =>
      parse('---', `description: ${mark}`, '  Reviews', '', '  a change', 'mode: ask', '---', 'x');
    for (const mark of ['>', '>-', '|', '|2-'])
      assert.equal(block(mark).description, 'Reviews a change', mark);
  });

  it('the first line describes a prompt file without complete front matter', () => {
    const plain = { description: 'Review', body: '# Review\ndescription: no' };
    assert.deepEqual(parse('', '# Review', 'description: no'), plain);
    assert.equal(parse('---', 'mode: ask', '---', '', 'Do it.').description, 'Do it.');
    assert.equal(parse('---', 'description: x', 'Do it.').body, '---\ndescription: x\nDo it.');
    assert.deepEqual(parse(''), { description: '', body: '' });
  });

  it('a prompt file asks for each input once, up to 20 inputs', () => {
    const body =
      '${input:a} ${input:b:What: exactly?} ${input:a:late} ${input:} ${input:c\n} ${file} ${input:d:{x: 1}}';
    assert.deepEqual(findInputs(body), [
      { name: 'a', placeholder: '' },
      { name: 'b', placeholder: 'What: exactly?' },
      { name: 'd', placeholder: '{x: 1}' },
    ]);
    const many = Array.from({ length: 30 }, (_, index) => `\${input:i${index}}`).join('');
    assert.equal(findInputs(many).length, 20);
  });

  it('a prompt file inserts values unchanged and keeps inputs without a value', () => {
    const values = new Map([
      ['a', '${input:b} $& $1'],
      ['b', ''],
    ]);
    const body = '[${input:a}|${input:b:x}|${input:c}|${input:__proto__}]';
    assert.equal(fillInputs(body, values), '[${input:b} $& $1||${input:c}|${input:__proto__}]');
  });

  it('parsing a prompt file takes linear time', () => {
    for (const piece of [
      '${input:',
      '${input:a:',
      '---\n',
      '${input:a:${',
      '${input:a:{}',
      'description:\n---',
      'description: >\n ',
    ])
      findInputs(parsePromptText(piece.repeat(128_000 / piece.length)).body);
  });
});
