import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MAX_SECRET_VALUE_CHARACTERS } from '../../../../src/api/index.ts';
import { takeValue } from '../../../../src/features/vault/valueSources.ts';
import { LEAVE, ScriptedPrompts, type Move } from '../../support/scriptedPrompts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const TITLE = 'Set Vault Secret';
const PEM = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';

describe('a secret’s value from a file', () => {
  const stub = useStubs();

  /** Takes a value from a file of these bytes; undefined for a user who picks none. */
  async function take(bytes: Uint8Array | string | undefined, script: readonly Move[] = []) {
    const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    let reads = 0;
    stub(vscode.window, {
      showOpenDialog: () => Promise.resolve(content === undefined ? undefined : ['file']),
    });
    stub(vscode.workspace, {
      fs: {
        stat: () => Promise.resolve({ size: content?.byteLength ?? 0 }),
        readFile: () => {
          reads += 1;
          return Promise.resolve(content);
        },
      },
    });
    const prompts = new ScriptedPrompts(script);
    const taken = await takeValue('file', TITLE, prompts);
    return { taken, shown: prompts.shown, reads };
  }

  it('keeps the line breaks of a PEM as they are, and the last one where its user says so', async () => {
    const { taken, shown } = await take(PEM, ['Keep it']);
    assert.deepEqual(taken, { kind: 'value', value: PEM });
    assert.equal(shown[0]?.value, 'Keep it', 'which is what a PEM usually needs');
  });

  it('loses one last line break only where its user says so, and the question begins there', async () => {
    const { taken, shown } = await take('test-token\n\n', ['Leave the line break out']);
    assert.deepEqual(taken, { kind: 'value', value: 'test-token\n' });
    assert.equal(shown[0]?.value, 'Leave the line break out');
  });

  it('is not taken where its user leaves that question, or picks no file', async () => {
    assert.deepEqual((await take(PEM, [LEAVE])).taken, { kind: 'left' });
    assert.deepEqual((await take(undefined)).taken, { kind: 'left' });
  });

  it('is asked about nothing where it ends without a line break', async () => {
    const { taken, shown } = await take('two\nlines ');
    assert.deepEqual(taken, { kind: 'value', value: 'two\nlines ' });
    assert.deepEqual(shown, []);
  });

  it('begins without the byte order mark that an editor put there', async () => {
    const { taken } = await take(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
    assert.deepEqual(taken, { kind: 'value', value: 'a' });
  });

  it('is refused where it is no UTF-8, rather than stored with holes in it', async () => {
    const { taken } = await take(Uint8Array.of(0x61, 0xff, 0x62));
    assert.deepEqual(taken, { kind: 'problem', message: 'The file is not UTF-8 text.' });
  });

  it('is not even read where no character set makes it fit', async () => {
    const { taken, reads } = await take('x'.repeat(MAX_SECRET_VALUE_CHARACTERS * 4 + 1));
    assert.deepEqual(taken, { kind: 'problem', message: 'The file is too large.' });
    assert.equal(reads, 0);
  });

  it('may have as many characters as a secret, of any size, and not one more', async () => {
    const longest = '🦊'.repeat(MAX_SECRET_VALUE_CHARACTERS);
    assert.deepEqual((await take(longest)).taken, { kind: 'value', value: longest });
    const { taken } = await take('x'.repeat(MAX_SECRET_VALUE_CHARACTERS + 1));
    assert.equal(taken.kind, 'problem');
    assert.doesNotMatch(JSON.stringify(taken), /xxx/);
  });

  it('is refused where the file is empty or cannot be read', async () => {
    assert.equal((await take('')).taken.kind, 'problem');
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
    stub(vscode.workspace, { fs: { stat: () => Promise.reject(new Error('EACCES')) } });
    assert.deepEqual(await takeValue('file', TITLE, new ScriptedPrompts([])), {
      kind: 'problem',
      message: 'The file could not be read.',
    });
  });
});

describe('a secret’s value from the clipboard', () => {
  const stub = useStubs();
  const take = (text: string) => {
    stub(vscode.env, { clipboard: { readText: () => Promise.resolve(text) } });
    return takeValue('clipboard', TITLE, new ScriptedPrompts([]));
  };

  it('is taken as it is, its line breaks too', async () => {
    assert.deepEqual(await take(PEM), { kind: 'value', value: PEM });
  });

  it('is refused where there is none', async () => {
    assert.equal((await take('')).kind, 'problem');
  });
});
