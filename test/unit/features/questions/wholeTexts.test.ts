import assert from 'node:assert/strict';
import type { ReadableQuestion } from '../../../../src/api/index.ts';
import { wholeTextOf } from '../../../../src/features/questions/words.ts';

describe('the whole text of a question', () => {
  it('spells out what is not seen of an operation, since showing it is what lets its user allow it', () => {
    const question = {
      kind: 'permission',
      operation: `rm -rf \u202e/ ${'x'.repeat(400)}`,
      options: [],
    } as unknown as ReadableQuestion;
    assert.match(wholeTextOf(question) ?? '', /^rm -rf <U\+202E>\/ x+$/);
  });

  it('leaves emoji of a message as they are, and takes out what would turn its words round', () => {
    const question = {
      kind: 'elicitation',
      message: `👩‍💻 \u202e${'x'.repeat(400)}`,
      fields: [],
    } as unknown as ReadableQuestion;
    assert.match(wholeTextOf(question) ?? '', /^👩‍💻 x+$/u);
  });
});
