import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extensionHosts } from '../harness/extensionHosts.ts';
import { keepersOf } from '../harness/keepers.ts';
import { accountFolders } from '../harness/seedIntern.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';

/** How much older `age` makes a question, in milliseconds: more than its five minutes. */
const agedMs = 6 * 60_000;

/** The time limit of one click on a tab, in milliseconds. */
const clickMs = 2_000;

describe('questions after the extension host was killed, in the installed VSIX', () => {
  let window: VSCodeWindow;
  let service: Service;

  const settings = { 'workbench.editor.wrapTabs': true };
  useSignedIn(
    { settings, service: { keepaliveMs: 500 } },
    (opened) => ({ window, service } = opened),
  );

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
    const tab = window.page.locator('.tabs-container .tab').filter({ hasText: title });
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
    await until('all of them to wait', async () => (await waiting()) === 3);
    await until('the tabs to be opened anew', async () =>
      (await window.tabs()).every((title) => title.endsWith('(waiting for you)')),
    );
    await window.notification('The time to answer');
    await says('sending', /may have been received/);
    await says('expired', /Time’s up/);
    for (const left of [2, 1, 0]) {
      await window.runCommand('Interns: Answer Pending Question…');
      await window.quickInput.choose('run_shell', 'Reject once');
      await until(`${left} to wait`, async () => (await waiting()) === left);
    }
    for (const name of ['waiting', 'expired', 'sending']) await says(name, /You chose reject_once/);
  });
});

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
