import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takeText, type TextSource } from '../../../../src/platform/dialogs/takeText.ts';
import { LEAVE, ScriptedPrompts, type Move } from '../../support/scriptedPrompts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const MAX_BYTES = 100;
const PEM = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';

/** Takes a text that may not be `bad`. */
function takeFrom(source: TextSource, prompts: ScriptedPrompts, signal?: AbortSignal) {
  const problem = (text: string) => (text === 'bad' ? 'Not this one.' : undefined);
  return takeText({ source, title: 'Title', prompts, maxBytes: MAX_BYTES, problem, signal });
}

describe('a text from a file', () => {
  const stub = useStubs();

  /** Takes a text from a file of these bytes; undefined for a user who picks none. */
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
    const taken = await takeFrom('file', prompts);
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

  it('is refused where it is no UTF-8, rather than taken with holes in it', async () => {
    const { taken } = await take(Uint8Array.of(0x61, 0xff, 0x62));
    assert.deepEqual(taken, { kind: 'problem', message: 'The file is not UTF-8 text.' });
  });

  it('is not even read if it is too large', async () => {
    assert.equal((await take('x'.repeat(MAX_BYTES))).taken.kind, 'value');
    const { taken, reads } = await take('x'.repeat(MAX_BYTES + 1));
    assert.deepEqual(taken, { kind: 'problem', message: 'The file is too large.' });
    assert.equal(reads, 0);
  });

  it('is refused where the dialog cannot use it, with or without its last line break', async () => {
    const problem = { kind: 'problem', message: 'Not this one.' };
    assert.deepEqual((await take('bad')).taken, problem);
    assert.deepEqual((await take('bad\n', ['Leave'])).taken, problem);
  });

  it('closes the question about its last line break with the dialog', async () => {
    const { signal } = new AbortController();
    await take(PEM, ['Keep it']);
    const prompts = new ScriptedPrompts(['Keep it']);
    await takeFrom('file', prompts, signal);
    assert.equal(prompts.shown[0]?.signal, signal);
  });

  it('is refused where the file cannot be read', async () => {
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
    stub(vscode.workspace, { fs: { stat: () => Promise.reject(new Error('EACCES')) } });
    assert.deepEqual(await takeFrom('file', new ScriptedPrompts([])), {
      kind: 'problem',
      message: 'The file could not be read.',
    });
  });
});

describe('a text from the clipboard', () => {
  const stub = useStubs();
  const take = (text: string) => {
    stub(vscode.env, { clipboard: { readText: () => Promise.resolve(text) } });
    return takeFrom('clipboard', new ScriptedPrompts([]));
  };

  it('is taken as it is, its line breaks too', async () => {
    assert.deepEqual(await take(PEM), { kind: 'value', value: PEM });
  });

  it('is refused where there is none, or one that the dialog cannot use', async () => {
    const message = 'There is no text on the clipboard.';
    assert.deepEqual(await take(''), { kind: 'problem', message });
    assert.deepEqual(await take('bad'), { kind: 'problem', message: 'Not this one.' });
  });
});
