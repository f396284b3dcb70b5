import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takeText, type TextSource } from '../../../../src/platform/dialogs/takeText.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const MAX_BYTES = 100;
const PEM = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';

/** Takes a text that may not be `bad`. */
function takeFrom(source: TextSource, dialogs: ScriptedDialogs, signal?: AbortSignal) {
  const problem = (text: string) => (text === 'bad' ? 'Not this one.' : undefined);
  return takeText({ source, title: 'Title', dialogs, maxBytes: MAX_BYTES, problem, signal });
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
    const dialogs = new ScriptedDialogs(script);
    const taken = await takeFrom('file', dialogs);
    return { taken, shown: dialogs.shown, reads };
  }

  const value = (text: string) => ({ kind: 'value', value: text });
  const problem = (message: string) => ({ kind: 'problem', message });
  for (const [title, bytes, script, expected, offered] of [
    ['keeps the line breaks of a PEM', PEM, ['Keep it'], value(PEM), 'Keep it'],
    [
      'loses one last line break',
      'test-token\n\n',
      ['Leave the line break out'],
      value('test-token\n'),
      'Leave the line break out',
    ],
    ['is not taken if the user leaves the question', PEM, [LEAVE], { kind: 'left' }, 'Keep it'],
    ['is not taken if the user picks no file', undefined, [], { kind: 'left' }],
    ['is taken without a question if it ends in no line break', 'a\nb ', [], value('a\nb ')],
    ['has no byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), [], value('a')],
    [
      'is refused if it is not UTF-8',
      Uint8Array.of(0x61, 0xff, 0x62),
      [],
      problem('The file is not UTF-8 text.'),
    ],
    ['is refused if the dialog cannot use it', 'bad', [], problem('Not this one.')],
    [
      'is refused if the dialog cannot use it without its last line break',
      'bad\n',
      ['Leave'],
      problem('Not this one.'),
      'Leave the line break out',
    ],
  ] as const)
    it(title, async () => {
      const { taken, shown } = await take(bytes, script);
      assert.deepEqual(taken, expected);
      assert.deepEqual(
        shown.map(({ value: active }) => active),
        offered === undefined ? [] : [offered],
      );
    });

  it('is not read if it is too large', async () => {
    assert.equal((await take('x'.repeat(MAX_BYTES))).taken.kind, 'value');
    const { taken, reads } = await take('x'.repeat(MAX_BYTES + 1));
    assert.deepEqual([taken, reads], [problem('The file is too large.'), 0]);
  });

  it('closes the question about its last line break with the dialog', async () => {
    const { signal } = new AbortController();
    await take(PEM, ['Keep it']);
    const dialogs = new ScriptedDialogs(['Keep it']);
    await takeFrom('file', dialogs, signal);
    assert.equal(dialogs.shown[0]?.signal, signal);
  });

  it('is refused where the file cannot be read', async () => {
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
    stub(vscode.workspace, { fs: { stat: () => Promise.reject(new Error('EACCES')) } });
    const taken = await takeFrom('file', new ScriptedDialogs([]));
    assert.deepEqual(taken, problem('The file could not be read.'));
  });
});

describe('a text from the clipboard', () => {
  const stub = useStubs();
  const take = (text: string) => {
    stub(vscode.env, { clipboard: { readText: () => Promise.resolve(text) } });
    return takeFrom('clipboard', new ScriptedDialogs([]));
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
