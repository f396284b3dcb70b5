import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languageIdOf } from '../../../../src/features/editor/languages.ts';
import { useStubs } from '../../support/stubEditor.ts';

const known = ['cpp', 'csharp', 'diff', 'plaintext', 'python', 'shellscript', 'typescript'];
const contributed = [
  { id: 'typescript', aliases: ['TypeScript', 'ts'], extensions: ['.ts', '.cts', '.mts'] },
  { id: 'cpp', aliases: ['C++', 'Cpp', 'cpp'], extensions: ['.cpp', '.hpp'] },
  { id: 'csharp', aliases: ['C#', 'csharp'] },
  { id: 'python', extensions: ['.py'] },
  { id: 'elsewhere', aliases: ['other'] },
  { id: 'plaintext', extensions: ['.txt'] },
];

describe('languageIdOf', () => {
  const stub = useStubs();

  it('a code block finds its language by ID, name, file ending or nickname', async () => {
    const malformed = [{ id: 'python', extensions: 'py' }, 'python', null];
    const manifests = [null, {}, { contributes: { languages: [...malformed, ...contributed] } }];
    stub(vscode.languages, { getLanguages: () => Promise.resolve(known) });
    stub(vscode.extensions, { all: manifests.map((packageJSON) => ({ packageJSON })) });
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
      assert.equal(await languageIdOf(word), id, word);
  });
});
