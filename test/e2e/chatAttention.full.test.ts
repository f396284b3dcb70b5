import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extensionHosts } from '../harness/hostProcesses.ts';
import { keepersOf } from '../harness/keepers.ts';
import { accountFolders } from '../harness/seedIntern.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { Gate } from './support/gate.ts';
import { recorded } from './support/records.ts';

/** How much older `age` makes a question, in milliseconds: more than its five minutes. */
const agedMs = 6 * 60_000;

/** The time limit of one click on a tab, in milliseconds. */
const clickMs = 2_000;

const gate = new Gate();
let window: VSCodeWindow;
let service: Service;
let chat: Chat;

describe('attention, questions and files, in the installed VSIX', () => {
  const settings = {
    'interns.notifyAfterSeconds': 1,
    'interns.digestAfterMinutes': 0.001,
    'workbench.editor.wrapTabs': true,
  };
  useSignedIn({ settings, service: { keepaliveMs: 500, brain: gate.brain } }, async (opened) => {
    ({ window, service } = opened);
    chat = await Chat.start(window);
  });

  describe('chat status', chatStatus);
  describe('questions after the extension host was killed', questionsAfterKill);
  describe('the files of the extension', files);
});

function chatStatus(): void {
  /** The icon of the active tab. */
  async function tabIcon(): Promise<string> {
    const icon = window.page.locator('.tabs-container .tab.active .monaco-icon-label-iconpath');
    return (await icon.getAttribute('style')) ?? '';
  }

  it('a chat tab shows whether the intern works, waits or failed', async () => {
    await chat.ask('echo hello');
    await until('the icon at rest', async () => (await tabIcon()).includes('idle'));
    await chat.send('slow 30');
    await until('the icon at work', async () => (await tabIcon()).includes('working'));
    await window.tabShows('(working)');
    await chat.streaming();
    await chat.stop.click();
    await chat.idle();
    await chat.send('ask permission');
    await seen(chat.button('Answer').last());
    await until('the icon of a question', async () => (await tabIcon()).includes('waiting'));
    await window.tabShows('(waiting for you)');
    await window.quickInput.waitFor(/./);
    await window.quickInput.escape();
    await chat.stop.click();
    await chat.idle();
    await chat.ask('fail in stream turn_failed');
    await until('the icon of a failure', async () => (await tabIcon()).includes('failed'));
    await window.tabShows('(failed)');
  });

  it('a dialog that has just opened gets the focus back from the chat', async () => {
    await chat.send('ask permission');
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.close();
    await chat.composer.focus();
    const answer = chat.button('Answer').last();
    await answer.evaluate(takeFocusBack);
    await chat.composer.press('Control+k');
    await chat.composer.press('a');
    await window.quickInput.waitFor('run_shell');
    await until(
      'the chat to take the focus',
      async () => (await answer.getAttribute('title')) === 'focused',
    );
    await until('the focus in the dialog', () => window.quickInput.hasFocus());
    await window.quickInput.choose('run_shell', 'Reject once');
    await chat.idle();
  });

  it('a window notifies the user when a long run ends in a hidden chat', async () => {
    await window.runCommand('File: New Untitled Text File');
    await window.tabIsActive(/^Untitled/);
    await window.tab(/^ada/).click();
    chat = await Chat.shown(window);
    await chat.send('work');
    // More than a second of words.
    await chat.lastReply.getByText(/(?:steady ){12}/).waitFor();
    await window.tab(/^Untitled/).click();
    await window.tabIsActive(/^Untitled/);
    gate.open();
    const toast = await window.notification('finished');
    const badge = window.page.locator('.activitybar .action-item', {
      has: window.page.locator('[aria-label*="Interns"]'),
    });
    // The badge may be drawn after the notification.
    const count = badge.locator('.badge-content');
    await until('a badge of 1', async () => (await count.innerText()) === '1');
    await toast.getByRole('button', { name: 'Show Conversation' }).click();
    chat = await Chat.shown(window);
    await chat.composer.waitFor();
    await until('the badge to go', async () => !(await badge.locator('.badge').isVisible()));
  });

  it('the chat asks before each prompt once the cost limit is reached', async () => {
    await chat.ask('echo something that costs');
    await window.runCommand('Interns: Limit Cost of Conversation…');
    await window.quickInput.fill('Limit Cost of Conversation', '0.0001');
    await seen(chat.banner('The cost limit of $0.0001 is reached'));
    await chat.send('echo more');
    await (await window.modal()).getByRole('button', { name: 'Send Anyway' }).click();
    await chat.lastReply.getByText('more').waitFor();
    await chat.button('Change Cost Limit…').click();
    await window.quickInput.enter('');
    await chat.banner('The cost limit').waitFor({ state: 'hidden' });
  });

  it('self-drive for one prompt ends with its run', async () => {
    const mode = chat.frame.getByRole('combobox', { name: 'Approval mode' });
    await mode.selectOption('self-drive');
    const dialog = await window.modal();
    await dialog.getByText(/without a sandbox/).waitFor();
    await dialog.getByRole('button', { name: 'This Prompt Only' }).click();
    const band = await seen(chat.frame.getByRole('group', { name: 'Self-drive' }));
    await chat.ask('ask permission');
    await band.waitFor({ state: 'hidden' });
    assert.equal(await mode.inputValue(), 'manual');
  });

  it('the extension sums up what happened when the user returns to the window', async () => {
    chat = await Chat.start(window);
    await chat.ask('echo The plants have water now.');
    await setFocus(false);
    await chat.ask('fail in stream turn_failed');
    await setFocus(true);
    const toast = await window.notification('While you were away: 1 failed');
    await window.statusShows('1 failed');
    await toast.getByRole('button', { name: 'Show Activity Summary' }).click();
    await until('the list', async () =>
      (await window.treeRows('Activity Summary (1)')).some(({ description }) =>
        description.startsWith('failed'),
      ),
    );
    await until('the line to go', async () =>
      (await window.statusBar()).every((line) => !line.startsWith('1 failed')),
    );
  });

  /** Changes the focus of the window, as VS Code sees it. */
  async function setFocus(focused: boolean): Promise<void> {
    await window.page.evaluate(
      `document.hasFocus = () => ${String(focused)}; document.dispatchEvent(new Event('visibilitychange'))`,
    );
  }
}

interface FocusTaker {
  title: string;
  readonly ownerDocument: { readonly defaultView: FocusTaker };
  focus(): void;
  addEventListener(type: string, listener: () => void, options: { readonly once: true }): void;
}

/** Focuses an element, whose title then is `focused`, as soon as its page has lost the focus to a dialog. */
function takeFocusBack(element: unknown): void {
  const taker = element as FocusTaker;
  const take = () => {
    taker.addEventListener('focus', () => (taker.title = 'focused'), { once: true });
    taker.focus();
  };
  taker.ownerDocument.defaultView.addEventListener('blur', () => setTimeout(take), { once: true });
}

function questionsAfterKill(): void {
  before(() => window.runCommand('View: Close All Editors'));

  /** Asks in a new conversation, and waits for its dialog. */
  async function ask(name: string): Promise<void> {
    await (await Chat.start(window)).send(prompt(name));
    await window.quickInput.waitFor('run_shell');
  }

  async function askAndEscape(name: string): Promise<void> {
    await ask(name);
    await window.quickInput.close();
  }

  /** The number of questions in the status bar. */
  async function waiting(): Promise<number> {
    const text = (await window.statusBar()).find((each) => /^\d+ questions? ·/.test(each));
    return text === undefined ? 0 : Number.parseInt(text, 10);
  }

  /** Shows a conversation by its prompt, and waits for a text on its page. */
  async function says(name: string, text: RegExp): Promise<void> {
    const title = `ask permission ${name}`;
    const tab = window.tab(title);
    await until(`${name} to say ${String(text)}`, async () => {
      // A page with the focus opens its question's dialog, which covers the tabs.
      if (await window.quickInput.isOpen()) await window.quickInput.escape();
      if ((await tab.getAttribute('aria-selected')) !== 'true') {
        await tab.click({ timeout: clickMs });
        return false;
      }
      // Hidden tabs have no page.
      const pages = window.page.frames().map((frame) => frame.getByText(text).first());
      const shown = await Promise.all(pages.map((found) => found.isVisible().catch(() => false)));
      return shown.includes(true);
    });
  }

  /** Makes a question older on disk, as if the machine had been off. */
  async function age(name: string): Promise<void> {
    const signIn = { baseUrl: service.url, apiKey: 'test-key-owner' };
    const folders = await accountFolders(window.server.profile, signIn);
    for (const file of await readdir(folders.conversations)) {
      if (!file.endsWith('.jsonl')) continue;
      const record = path.join(folders.conversations, file);
      const lines = (await readFile(record, 'utf8')).split('\n');
      if (!lines.some((line) => line.includes(JSON.stringify(prompt(name))))) continue;
      const older = lines.map((line) => (isAsked(line) ? earlier(line, 'at') : line));
      await writeFile(record, older.join('\n'));
      const head = path.join(folders.conversations, 'heads', file.replace(/l$/, ''));
      const { question, ...rest } = JSON.parse(await readFile(head, 'utf8')) as {
        question: object;
      };
      const aged: unknown = JSON.parse(earlier(JSON.stringify(question), 'askedAt'));
      await writeFile(head, JSON.stringify({ ...rest, question: aged }));
    }
  }

  it('a window asks open questions again after the extension host was killed', async () => {
    await askAndEscape('waiting');
    await askAndEscape('expired');
    await ask('sending');
    service.faults.next('chat', { kind: 'hang' });
    await window.quickInput.pick('Allow once');
    await (await Chat.shown(window, undefined, 'sending')).text('Sending your answer').waitFor();
    // The request is sent after the record was written.
    await until('the answer on its way', () => service.faults.size === 0);
    const [host] = await extensionHosts(window.server);
    process.kill(host!, 'SIGSTOP');
    await age('expired');
    process.kill(host!, 'SIGKILL');
    // Otherwise the answer would still be on its way.
    for (const keeper of await keepersOf(window.server)) process.kill(keeper, 'SIGKILL');
    await until(
      'a new extension host',
      async () => !(await extensionHosts(window.server)).includes(host!),
    );
    // First, since it closes by itself.
    await window.notification('The time to answer');
    await until('all of them to wait', async () => (await waiting()) === 3);
    await until('the tabs to be opened anew', async () =>
      (await window.tabs()).every((title) => title.endsWith('(waiting for you)')),
    );
    await says('sending', /may have been received/);
    await says('expired', /Time’s up/);
    for (const left of [2, 1, 0]) {
      await window.runCommand('Interns: Answer Pending Question…');
      await window.quickInput.choose('run_shell', 'Reject once');
      await until(`${left} to wait`, async () => (await waiting()) === left);
    }
    for (const name of ['waiting', 'expired', 'sending']) await says(name, /You chose reject_once/);
  });
}

/** The first line makes the intern ask; both lines name the conversation. */
function prompt(name: string): string {
  return `ask permission\n${name}`;
}

function isAsked(line: string): boolean {
  return line.includes('"type":"asked"');
}

/** Moves times of a JSON object into the past. */
function earlier(json: string, ...times: readonly string[]): string {
  const record = JSON.parse(json) as Record<string, unknown>;
  for (const time of times) record[time] = Number(record[time]) - agedMs;
  return JSON.stringify(record);
}

function files(): void {
  before(async () => {
    await window.runCommand('View: Close All Editors');
    chat = await Chat.start(window);
    await chat.ask('echo the first word');
  });

  const wordsOf = (text: string) => text.split('steady').length - 1;
  const onDisk = () => recorded(window.server.profile, service);

  it('the extension writes replies later if the folder was missing when they came', async () => {
    const banner = chat.banner('Couldn’t save this conversation');
    const { profile } = window.server;
    const accounts = path.join(profile, 'User/globalStorage/intern-service.interns/accounts');
    const before = wordsOf(await onDisk());
    await chat.send('work');
    await chat.streaming();
    await rename(accounts, `${accounts}.away`);
    await banner.waitFor();
    assert.equal(await banner.count(), 1);
    assert.deepEqual(await window.notifications(), []);
    await window.screenshot('faults-folder-gone');
    gate.open();
    await chat.idle();
    const words = wordsOf(await chat.lastReply.innerText());
    await chat.ask('echo said without a folder');
    await chat.lastReply.getByText('said without a folder').waitFor();
    await rename(`${accounts}.away`, accounts);
    await banner.waitFor({ state: 'hidden' });
    assert.equal(wordsOf(await onDisk()), before + words);
    assert.ok((await onDisk()).includes('said without a folder'));
  });

  it('deleting an account removes every prompt and draft from the profile', async () => {
    await chat.ask('echo kingfisher said');
    await chat.send('slow 60');
    await chat.streaming();
    await chat.send('echo kingfisher queued');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    await chat.composer.pressSequentially('kingfisher typed');
    await until('all of it on disk', async () => {
      const texts = (await profileTexts()).join('\n');
      return ['said', 'queued', 'typed'].every((what) => texts.includes(`kingfisher ${what}`));
    });
    await window.runCommand('Interns: Sign Out…');
    await window.quickInput.pick('Sign out and delete its lists and conversations');
    await until('all of it gone', async () =>
      (await profileTexts()).every((text) => !text.includes('kingfisher')),
    );
    assert.deepEqual(await window.tabs(), []);
  });

  /** The contents of all files of the profile and of the browser's storage. */
  async function profileTexts(): Promise<readonly string[]> {
    const { profile } = window.server;
    const entries = await readdir(profile, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const read = files.map(({ parentPath, name }) =>
      // A file may be removed at the same time.
      readFile(path.join(parentPath, name), 'latin1').catch(() => ''),
    );
    return [...(await Promise.all(read)), await window.page.evaluate<string>(browserStores)];
  }
}

/** Runs in the page and returns everything that its origin stores. */
const browserStores = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const texts = [JSON.stringify({ ...localStorage })];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return texts.join();
})()`;
