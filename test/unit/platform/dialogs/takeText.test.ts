import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { err, ok } from '../../../../src/base/result.ts';
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

  /** @param bytes undefined if the user selects no file */
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

  const unusable = err('Not this one.');
  const leaveOut = 'Remove the line break';
  for (const [title, bytes, script, expected, offered] of [
    [
      'keeps the line breaks of a PEM file',
      PEM,
      ['Keep the line break'],
      ok(PEM),
      'Keep the line break',
    ],
    ['removes the last line break of a file', 'a\n\n', [leaveOut], ok('a\n'), leaveOut],
    [
      'takes no file if the user leaves the question',
      PEM,
      [LEAVE],
      undefined,
      'Keep the line break',
    ],
    ['takes no text if the user selects no file', undefined, [], undefined],
    ['asks nothing about a file without a last line break', 'a\nb ', [], ok('a\nb ')],
    ['removes the byte order mark of a file', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), [], ok('a')],
    [
      'refuses a file that is not UTF-8',
      Uint8Array.of(0xff),
      [],
      err('The file isn’t UTF-8 text.'),
    ],
    ['refuses a file that it cannot use', 'bad', [], unusable],
    [
      'refuses a file that is unusable without its last line break',
      'bad\n',
      ['Remove'],
      unusable,
      leaveOut,
    ],
  ] as const)
    it(`the file dialog ${title}`, async () => {
      const { taken, shown } = await take(bytes, script);
      assert.deepEqual(taken, expected);
      assert.deepEqual(
        shown.map(({ value: active }) => active),
        offered === undefined ? [] : [offered],
      );
    });

  it('the file dialog refuses a file that is too large without reading it', async () => {
    assert.equal((await take('x'.repeat(MAX_BYTES))).taken?.ok, true);
    const { taken, reads } = await take('x'.repeat(MAX_BYTES + 1));
    assert.deepEqual([taken, reads], [err('The file is too large.'), 0]);
  });

  it('the question about the last line break closes with its dialog', async () => {
    const { signal } = new AbortController();
    await take(PEM, ['Keep the line break']);
    const dialogs = new ScriptedDialogs(['Keep the line break']);
    await takeFrom('file', dialogs, signal);
    assert.equal(dialogs.shown[0]?.signal, signal);
  });

  it('the file dialog refuses a file that cannot be read', async () => {
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
    stub(vscode.workspace, { fs: { stat: () => Promise.reject(new Error('EACCES')) } });
    const taken = await takeFrom('file', new ScriptedDialogs([]));
    assert.deepEqual(taken, err('The file couldn’t be read.'));
  });
});

describe('a text from the clipboard', () => {
  const stub = useStubs();
  const take = (text: string) => {
    stub(vscode.env, { clipboard: { readText: () => Promise.resolve(text) } });
    return takeFrom('clipboard', new ScriptedDialogs([]));
  };

  it('the clipboard gives a text with its line breaks', async () => {
    assert.deepEqual(await take(PEM), ok(PEM));
  });

  it('a dialog refuses an empty or unusable text from the clipboard', async () => {
    assert.deepEqual(await take(''), err('The clipboard has no text.'));
    assert.deepEqual(await take('bad'), err('Not this one.'));
  });
});
