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

describe('a long text', () => {
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
    texts.onResume((account, text) => Promise.resolve(void resumed.push(account, text)));
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
    ['is given to its dialog when it is used', 'useText', { kind: 'used', text: 'typed\nmore' }],
    ['is as before when it is discarded', 'discardText', { kind: 'discarded', text: 'before' }],
  ] as const)
    it(`${title}, and its tab closes`, async () => {
      const { edited } = await edit({}, 'typed\r\nmore');
      await run(command);
      assert.deepEqual(await edited, expected);
      assert.deepEqual(tabs.open, []);
    });

  it('closes with its dialog, which keeps the text', async () => {
    const closing = new AbortController();
    const { edited } = await edit({ signal: closing.signal });
    closing.abort();
    assert.deepEqual(await edited, { kind: 'closed', text: 'typed' });
    assert.deepEqual(tabs.open, []);
  });

  it('leaves no tab open if its dialog closes first', async () => {
    const edited = texts.editText({ name: 'a.txt', text: 'b', signal: AbortSignal.abort() });
    assert.equal((await edited).kind, 'closed');
    assert.deepEqual(tabs.open, []);
  });

  it('stays in its tab with a message while it cannot be used', async () => {
    const problem = (text: string) => (text === 'typed' ? 'Too odd.' : undefined);
    const { edited, result } = await edit({ problem });
    const { uri } = tabs;
    await run('useText');
    assert.deepEqual([result.value, tabs.open], [undefined, [uri]]);
    tabs.type(uri, 'fine');
    await run('useText');
    assert.equal((await edited).text, 'fine');
  });

  it('comes to the front again if its tab was closed', async () => {
    await edit();
    tabs.open.pop();
    assert.deepEqual([await texts.show('other.txt'), tabs.open], [false, []]);
    assert.equal(await texts.show('note.txt'), true);
    assert.equal(tabs.open.length, 1);
  });

  it('ignores commands on other files', async () => {
    const { result } = await edit();
    await run('useText', vscode.Uri.from({ scheme: 'file', path: '/note.txt' }));
    assert.equal(result.value, undefined);
  });

  describe('of an account', () => {
    const account = { account: 'a1', text: '' };

    beforeEach(async () => {
      const { root } = accountPaths(folder.path, 'a1');
      await mkdir(dirname(root));
      await writeFile(`${root}.json`, '{}');
    });

    it('is a file among the drafts of the account until it is used', async () => {
      await edit(account);
      await (await vscode.workspace.openTextDocument(tabs.uri)).save();
      assert.equal(await readFile(stored(), 'utf8'), 'typed');
      await run('useText');
      await assert.rejects(readFile(stored()), { code: 'ENOENT' });
    });

    it('continues with what a reload or version 0.2.0 left, unless another text is given', async () => {
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
      it(`goes on after a reload with ${command}`, async () => {
        await edit(account);
        reload();
        assert.equal(tabs.open.length, 1, 'the tab stays');
        await run(command);
        assert.deepEqual([resumed, tabs.open], [resumes, []]);
        await assert.rejects(readFile(stored()), { code: 'ENOENT' });
      });

    it('is kept for the next time, and forgotten with its tab', async () => {
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

  describe('of no account', () => {
    it('never reaches the disk', async () => {
      const { edited } = await edit();
      assert.deepEqual(await readdir(folder.path), []);
      await run('useText');
      await edited;
      assert.deepEqual(await readdir(folder.path), []);
    });

    it('loses its tab in a reload', async () => {
      await edit();
      reload();
      await eventually(() => tabs.open.length === 0);
    });

    it('can be copied when it is used after a reload', async () => {
      const { uri } = (await edit(), tabs);
      reload();
      await run('useText', uri);
      assert.deepEqual(tabs.open, ['typed']);
      assert.match(tabs.said[0]!, /Copy the text from here/);
    });
  });
});
