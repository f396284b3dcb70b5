import assert from 'node:assert/strict';
import { languageIdOf } from '../../../../src/features/editor/languageIds.ts';

const known = ['cpp', 'csharp', 'diff', 'plaintext', 'python', 'shellscript', 'typescript'];
const contributions = [
  { id: 'typescript', aliases: ['TypeScript', 'ts'], extensions: ['.ts', '.cts', '.mts'] },
  { id: 'cpp', aliases: ['C++', 'Cpp', 'cpp'], extensions: ['.cpp', '.hpp'] },
  { id: 'csharp', aliases: ['C#', 'csharp'] },
  { id: 'python', extensions: ['.py'] },
  { id: 'elsewhere', aliases: ['other'] },
  { id: 'plaintext', extensions: ['.txt'] },
];

const idOf = (word: string): string | undefined => languageIdOf(word, known, contributions);

describe('the language of a code block', () => {
  it('is found by its id, its name, or the extension of its files, in any case', () => {
    assert.equal(idOf('Python'), 'python');
    assert.equal(idOf('TS'), 'typescript');
    assert.equal(idOf('c++'), 'cpp');
    assert.equal(idOf('C#'), 'csharp');
    assert.equal(idOf('mts'), 'typescript');
    assert.equal(idOf('py'), 'python');
    assert.equal(idOf('txt'), 'plaintext');
  });

  it('is found by the words of fences that no manifest knows', () => {
    assert.equal(idOf('console'), 'shellscript');
    assert.equal(idOf('patch'), 'diff');
  });

  it('is none that the editor does not have, which would make opening the file fail', () => {
    assert.equal(idOf('other'), undefined);
    assert.equal(idOf('golang'), undefined);
    assert.equal(idOf('constructor'), undefined);
    assert.equal(idOf(''), undefined);
  });
});
