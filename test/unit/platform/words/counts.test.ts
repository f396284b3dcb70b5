import assert from 'node:assert/strict';
import { env } from 'vscode';
import { pendingWords } from '../../../../src/features/interns/internState.ts';
import { hostsSummary } from '../../../../src/features/vault/secretWords.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('counts in sentences', () => {
  const stub = useStubs();

  it('are written as the people of the language write numbers', () => {
    assert.equal(pendingWords(1200), '1,200 questions wait');
    const hosts = Array.from({ length: 1101 }, (_, index) => `h${index}.test`);
    assert.equal(hostsSummary(hosts), 'h0.test and 1,100 more');
    stub(env, { language: 'ar-EG' });
    assert.equal(pendingWords(3), '٣ questions wait');
  });

  it('have words of their own for none and for one', () => {
    assert.deepEqual([pendingWords(0), pendingWords(1)], ['', '1 question waits']);
  });
});
