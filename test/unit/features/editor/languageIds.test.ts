import assert from 'node:assert/strict';
import { languageIdOf } from '../../../../src/features/editor/openDiff.ts';

const known = ['cpp', 'csharp', 'diff', 'plaintext', 'python', 'shellscript', 'typescript'];
const contributions = [
  { id: 'typescript', aliases: ['TypeScript', 'ts'], extensions: ['.ts', '.cts', '.mts'] },
  { id: 'cpp', aliases: ['C++', 'Cpp', 'cpp'], extensions: ['.cpp', '.hpp'] },
  { id: 'csharp', aliases: ['C#', 'csharp'] },
  { id: 'python', extensions: ['.py'] },
  { id: 'elsewhere', aliases: ['other'] },
  { id: 'plaintext', extensions: ['.txt'] },
];

describe('languageIdOf', () => {
  it('a code block finds its language by ID, name, file ending or nickname', () => {
    for (const [word, id] of [
      ['Python', 'python'],
      ['TS', 'typescript'],
      ['c++', 'cpp'],
      ['C#', 'csharp'],
      ['mts', 'typescript'],
      ['py', 'python'],
      ['txt', 'plaintext'],
      ['console', 'shellscript'],
      ['patch', 'diff'],
      // An ID that the editor doesn't have would make opening the file fail.
      ['other', undefined],
      ['golang', undefined],
      ['constructor', undefined],
      ['', undefined],
    ] as const)
      assert.equal(languageIdOf(word, known, contributions), id, word);
  });
});
