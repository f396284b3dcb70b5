import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatEntry, type Entry } from '../../src/chat/journal.ts';
import { accountsDir } from '../../src/host/storage/layout.ts';
import { until } from '../harness/until.ts';
import { temporaryFolder, type TemporaryFolder } from '../harness/paths.ts';
import { openSignedIn, type SignedInWindow, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from './support/chat.ts';

/** Messages of the long conversation: prompts and replies. */
const longLength = 10_000;

describe('conversations, in the installed VSIX', () => {
  let folder: TemporaryFolder;
  let signedIn: SignedInWindow;
  let window: VSCodeWindow;
  let chat: Chat;

  before(async () => {
    folder = await temporaryFolder();
    signedIn = await openSignedIn({
      folder: folder.path,
      settings: { 'files.simpleDialog.enable': true },
    });
    ({ window } = signedIn);
    await window.showViews('Interns');
    chat = await Chat.start(window);
  });

  after(async () => {
    await signedIn[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const labels = async (): Promise<readonly string[]> =>
    (await window.treeRows('Interns')).map(({ label }) => label);

  it('are listed under their intern by their first words', async () => {
    await chat.ask('echo Water the plants');
    await window.view('Interns').locator('.monaco-tl-twistie').first().click();
    await until('it in the tree', async () => (await labels()).includes('echo Water the plants'));
    const rows = await window.treeRows('Interns');
    assert.deepEqual(
      rows.map(({ level }) => level),
      [1, 2],
    );
    await until('the words on the tab', async () =>
      (await window.tabs())[0]?.endsWith('echo Water the plants'),
    );
  });

  it('are renamed, in the tree and on the tab', async () => {
    await window.runCommand('Interns: Rename Conversation…');
    await window.quickInput.waitFor('Rename Conversation');
    await window.quickInput.type('$(zap) Garden [x](command:workbench.action.quit)');
    await window.quickInput.accept();
    await until('the name in the tree', async () =>
      (await labels()).some((label) => label.includes('Garden')),
    );
    await until('the name on the tab', async () =>
      (await window.tabs()).some((title) => title.includes('Garden')),
    );
    await window.screenshot('chat-renamed');
  });

  it('are found by what was said in them', async () => {
    await window.runCommand('Interns: Search Conversations…');
    await window.quickInput.waitFor('Search Conversations');
    await window.quickInput.type('the plants');
    const rows = await until('the match', async () => {
      const found = await window.quickInput.rows();
      return found.some(({ detail }) => detail.includes('plants')) && found;
    });
    assert.equal(rows.length, 1);
    await window.screenshot('chat-search');
    await window.quickInput.accept();
    await window.quickInput.waitForClosed();
  });

  it('are exported where the box proposes, without the key', async () => {
    const { quickInput } = window;
    await window.runCommand('Interns: Export Conversation…');
    await until('the proposed name', async () => (await quickInput.value()).endsWith('.md'));
    await until('the box to take it', async () => {
      if (!(await quickInput.isOpen())) return true;
      await quickInput.accept();
      return false;
    });
    const text = await until('the file', async () => {
      const [name] = (await readdir(folder.path)).filter((each) => each.endsWith('.md'));
      return name !== undefined && (await readFile(path.join(folder.path, name), 'utf8'));
    });
    assert.ok(text.includes('Water the plants'));
    assert.ok(!text.includes('test-key-owner'));
    await window.page.getByRole('tab', { name: /\.md/ }).waitFor();
    await window.closeTab();
    chat = await Chat.shown(window);
  });

  it('are kept in memory while their folder cannot be written, which is said', async () => {
    const records = await recordsFolder();
    const aside = `${records}.aside`;
    await rename(records, aside);
    await writeFile(records, 'in the way');
    await chat.ask('echo While the disk is full');
    await chat.banner(/cannot be written to disk/).waitFor();
    await window.screenshot('chat-disk');
    await rename(records, `${records}.way`);
    await rename(aside, records);
    await chat.ask('echo Later');
    await chat.banner(/cannot be written to disk/).waitFor({ state: 'hidden', timeout: 40_000 });
    const texts = await Promise.all(
      (await readdir(records))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFile(path.join(records, name), 'utf8')),
    );
    assert.ok(texts.some((text) => text.includes('While the disk is full')));
  });

  it('open at once with 10,000 messages, scroll back, and find what is not drawn', async () => {
    await writeLong(await recordsFolder());
    await until('it in the tree', async () => (await labels()).includes('A long story'));
    await window.view('Interns').getByText('A long story').click();
    chat = await Chat.shown(window, /A long story/);
    await chat
      .text(`Answer ${longLength / 2 - 1}`)
      .first()
      .waitFor();
    assert.ok((await chat.articles.count()) < 500, 'only the end is drawn');
    await window.screenshot('chat-long');
    await chat.composer.press('Control+f');
    const box = chat.frame.getByRole('textbox', { name: 'Find in conversation' });
    await box.fill('Question 4500 of');
    await chat.frame.getByRole('status').filter({ hasText: '1 of 1' }).waitFor();
    await chat.text('Question 4500 of').waitFor({ timeout: 30_000 });
    await until('it in view', async () => {
      const box = await chat.text('Question 4500 of').boundingBox();
      return box !== null && box.y > 0 && box.y < 700;
    });
    await window.screenshot('chat-find');
    await box.press('Escape');
    await chat.button('Jump to latest').click();
    await chat.ask('echo still quick');
    await chat.lastReply.getByText('still quick').waitFor();
  });

  it('are deleted when their user agrees, tab and all', async () => {
    await window.runCommand('Interns: Delete Conversation…');
    const dialog = await window.modal();
    await dialog.getByText(/still remembers/).waitFor();
    await window.screenshot('chat-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await until('its tab to close', async () =>
      (await window.tabs()).every((title) => !title.includes('A long story')),
    );
    await until('it to leave the tree', async () => !(await labels()).includes('A long story'));
  });

  /** The folder of the records of the one account. */
  async function recordsFolder(): Promise<string> {
    const { profile } = window.server;
    const storage = path.join(profile, 'User', 'globalStorage', 'intern-service.interns');
    const accounts = await readdir(accountsDir(storage), { withFileTypes: true });
    const account = accounts.find((entry) => entry.isDirectory());
    assert.ok(account);
    return path.join(accountsDir(storage), account.name, 'conversations');
  }
});

/** Writes a conversation as an earlier window would have left it. */
async function writeLong(records: string): Promise<void> {
  const id = randomUUID();
  const at = Date.now() - longLength * 1000;
  const stamp = (index: number) => ({ id: randomUUID(), at: at + index * 1000 });
  const entries: Entry[] = [
    { type: 'opened', ...stamp(0), intern: 'intern_ada', mode: 'manual' },
    { type: 'renamed', ...stamp(0), title: 'A long story' },
  ];
  for (let index = 0; index < longLength / 2; index += 1) {
    const run = randomUUID();
    const text = `Question ${index} of many`;
    entries.push(
      { type: 'prompt', ...stamp(index * 2), run, text, mode: 'manual' },
      { type: 'text', ...stamp(index * 2 + 1), run, text: `**Answer ${index}** with \`code\`.` },
      { type: 'finished', ...stamp(index * 2 + 1), run, reason: 'stop' },
    );
  }
  await mkdir(path.join(records, 'heads'), { recursive: true });
  await writeFile(path.join(records, `${id}.jsonl`), `${entries.map(formatEntry).join('\n')}\n`);
  const head = {
    id,
    intern: 'intern_ada',
    title: 'A long story',
    createdAt: at,
    at: Date.now(),
    state: 'idle',
  };
  await writeFile(path.join(records, 'heads', `${id}.json`), JSON.stringify(head));
}
