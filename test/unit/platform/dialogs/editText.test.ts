import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { DraftFiles } from '../../../../src/platform/dialogs/draftFiles.ts';
import {
  TextEditing,
  type EditedText,
  type EditText,
} from '../../../../src/platform/dialogs/editText.ts';
import { accountPaths } from '../../../../src/platform/storage/layout.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';
import { StubTabs } from '../../support/stubTabs.ts';

describe('the editing of a long text', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  let tabs: StubTabs;
  let log: RecordingLog;
  let texts: TextEditing;
  let registrar: CommandRegistrar;
  let resumed: string[];

  beforeEach(() => {
    tabs = new StubTabs(stub);
    reload();
  });

  /** Starts a window that does not know the texts of the last one. */
  function reload(): void {
    log = new RecordingLog();
    registrar = new CommandRegistrar(log, new FakeAccounts().accounts);
    texts = new TextEditing(registrar, new DraftFiles(folder.path, 'w'));
    resumed = [];
    texts.setResume((account, text) => {
      resumed.push(account, text);
      return Promise.resolve(text !== 'of no use');
    });
  }

  const stored = () => join(accountPaths(folder.path, 'a1').drafts, 'w', 'instructions.md');

  async function edit(given: Partial<Parameters<EditText>[0]> = {}, typed = 'typed') {
    const result: { value?: EditedText } = {};
    const edited = texts.editText({ name: 'note.txt', text: 'before', ...given });
    void edited.then((value) => (result.value = value));
    await eventually(() => tabs.open.length === 1);
    tabs.type(tabs.uri, typed);
    return { edited, result };
  }

  const run = (command: 'useText' | 'discardText', uri: vscode.Uri = tabs.uri) =>
    registrar.run(`interns.${command}`, [uri]);

  for (const [title, command, expected] of [
    [
      'a dialog gets the long text that the user uses',
      'useText',
      { kind: 'used', text: 'typed\nmore' },
    ],
    [
      'a dialog gets the earlier text if the user discards the new one',
      'discardText',
      { kind: 'discarded', text: 'before' },
    ],
  ] as const)
    it(title, async () => {
      const { edited } = await edit({}, 'typed\r\nmore');
      await run(command);
      assert.deepEqual(await edited, expected);
      assert.deepEqual(tabs.open, []);
    });

  it('a long text stays when its dialog closes', async () => {
    const closing = new AbortController();
    const { edited } = await edit({ signal: closing.signal });
    closing.abort();
    assert.deepEqual(await edited, { kind: 'closed', text: 'typed' });
    assert.deepEqual(tabs.open, []);
  });

  it('a dialog that closes first leaves no text tab open', async () => {
    const edited = texts.editText({ name: 'a.txt', text: 'b', signal: AbortSignal.abort() });
    assert.equal((await edited).kind, 'closed');
    assert.deepEqual(tabs.open, []);
  });

  it('an invalid text stays in its tab', async () => {
    const problem = (text: string) => (text === 'typed' ? 'Too odd.' : undefined);
    const { edited, result } = await edit({ problem });
    const { uri } = tabs;
    await run('useText');
    assert.deepEqual([result.value, tabs.open], [undefined, [uri]]);
    tabs.type(uri, 'fine');
    await run('useText');
    assert.equal((await edited).text, 'fine');
  });

  it('the closed tab of a text that is still being edited reopens', async () => {
    await edit();
    tabs.open.pop();
    assert.deepEqual([await texts.show('other.txt'), tabs.open], [false, []]);
    assert.equal(await texts.show('note.txt'), true);
    assert.equal(tabs.open.length, 1);
  });

  it('a text does not replace another one of the same name that is being edited', async () => {
    const first = await edit();
    const { uri } = tabs;
    const second = texts.editText({ name: 'note.txt', text: '' });
    await eventually(() => tabs.open.length === 2);
    assert.equal(texts.unusedName('note.txt'), '3 note.txt');
    await run('useText');
    assert.deepEqual(await second, { kind: 'used', text: '' });
    await run('useText', uri);
    assert.deepEqual(await first.edited, { kind: 'used', text: 'typed' });
  });

  it('a text whose tab cannot be shown does not count as being edited', async () => {
    const show = () => Promise.reject(new Error('Canceled'));
    stub(vscode.window, { showTextDocument: show });
    const edited = texts.editText({ name: 'note.txt', text: 'before' });
    await assert.rejects(edited, { message: 'Canceled' });
    assert.deepEqual(
      [texts.isOpen({ name: 'note.txt' }), await texts.show('note.txt')],
      [false, false],
    );
  });

  it('the text commands ignore other files', async () => {
    const { result } = await edit();
    await run('useText', vscode.Uri.from({ scheme: 'file', path: '/note.txt' }));
    assert.equal(result.value, undefined);
  });

  describe('a text of an account', () => {
    const account = { account: 'a1', text: '' };

    beforeEach(async () => {
      const { root } = accountPaths(folder.path, 'a1');
      await mkdir(dirname(root));
      await writeFile(`${root}.json`, '{}');
    });

    it('a text of an account is stored among its drafts until it is used', async () => {
      await edit(account);
      await (await vscode.workspace.openTextDocument(tabs.uri)).save();
      assert.equal(await readFile(stored(), 'utf8'), 'typed');
      await run('useText');
      await assert.rejects(readFile(stored()), { code: 'ENOENT' });
    });

    it('the editor continues with the stored text of an account unless another text is given', async () => {
      await mkdir(dirname(stored()), { recursive: true });
      await writeFile(stored(), 'left');
      await edit(account);
      assert.equal(await readFile(stored(), 'utf8'), 'left');
      reload();
      await texts.show('note.txt');
      void texts.editText({ name: 'note.txt', account: 'a1', text: 'given' });
      await eventually(async () => (await readFile(stored(), 'utf8')) === 'given');
    });

    for (const [command, resumes] of [
      ['useText', ['a1', 'typed']],
      ['discardText', []],
    ] as const)
      it(`${command} applies to the text of an account after a reload`, async () => {
        await edit(account);
        reload();
        assert.equal(tabs.open.length, 1, 'the tab stays');
        await run(command);
        assert.deepEqual([resumed, tabs.open], [resumes, []]);
        await assert.rejects(readFile(stored()), { code: 'ENOENT' });
      });

    it('a second click while the tab closes does not resume a dialog with the text', async () => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const { tabGroups } = vscode.window;
      const close = async (closed: readonly vscode.Tab[]) => {
        await released;
        return tabGroups.close(closed);
      };
      stub(vscode.window, { tabGroups: { ...tabGroups, close } });
      const { edited } = await edit(account);
      const clicks = [run('useText'), run('useText')];
      await eventually(() => !texts.isOpen({ name: 'note.txt', account: 'a1' }));
      clicks.push(run('useText'));
      release();
      await Promise.all(clicks);
      assert.deepEqual(await edited, { kind: 'used', text: 'typed' });
      assert.deepEqual([resumed, tabs.open, tabs.said, log.failures], [[], [], [], []]);
    });

    it('the user can copy the text of an account that is gone after a reload', async () => {
      const { uri } = (await edit(account, 'of no use'), tabs);
      reload();
      await run('useText', uri);
      assert.deepEqual(tabs.open, ['of no use']);
    });

    it('a saved text of an account stays until it is forgotten', async () => {
      const draft = { name: 'note.txt', account: 'a1' };
      await texts.save(draft, 'kept');
      assert.equal(await readFile(stored(), 'utf8'), 'kept');
      await edit(account);
      assert.equal(texts.isOpen(draft), true);
      await texts.forget(draft);
      assert.deepEqual([texts.isOpen(draft), tabs.open], [false, []]);
      await assert.rejects(readFile(stored()), { code: 'ENOENT' });
    });
  });

  describe('a text without an account', () => {
    it('a text without an account is never written to disk', async () => {
      const { edited } = await edit();
      assert.deepEqual(await readdir(folder.path), []);
      await run('useText');
      await edited;
      assert.deepEqual(await readdir(folder.path), []);
    });

    it('the tab of a text without an account closes after a reload', async () => {
      await edit();
      reload();
      await eventually(() => tabs.open.length === 0);
    });

    it('the user can copy a text without an account after a reload', async () => {
      const { uri } = (await edit(), tabs);
      reload();
      await run('useText', uri);
      assert.deepEqual(tabs.open, ['typed']);
      assert.match(tabs.said[0]!, /Copy the text from here/);
    });
  });
});
