import { until } from '../harness/until.ts';
import { openSignedIn, type SignedInWindow, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from './support/chat.ts';

/** How long one look at a tab takes at most, in milliseconds, before it begins anew. */
const clickMs = 2_000;

describe('questions across windows that reload and multiply, in the installed VSIX', () => {
  let signedIn: SignedInWindow;
  let window: VSCodeWindow;
  let service: Service;

  before(async () => {
    signedIn = await openSignedIn({
      settings: { 'workbench.editor.wrapTabs': true },
      service: { keepaliveMs: 500 },
    });
    ({ window, service } = signedIn);
  });

  after(() => signedIn[Symbol.asyncDispose]());

  /** Asks in a conversation of its own, and waits for the dialog that opens by itself. */
  async function ask(name: string): Promise<Chat> {
    const chat = await Chat.start(window);
    await chat.send(prompt(name));
    await window.quickInput.waitFor('run_shell');
    return chat;
  }

  async function askAndEscape(name: string): Promise<void> {
    await ask(name);
    await window.quickInput.escape();
    await window.quickInput.waitForClosed();
  }

  /** How many questions the status bar of a window tells of; 0 where it tells of none. */
  async function waiting(of: VSCodeWindow = window): Promise<number> {
    const text = (await of.statusBar()).find((each) => /^\d+ questions? ·/.test(each));
    return text === undefined ? 0 : Number.parseInt(text, 10);
  }

  async function answer(of: VSCodeWindow, row: string): Promise<void> {
    await of.runCommand('Interns: Answer Pending Question…');
    await of.quickInput.waitFor('run_shell');
    await of.quickInput.pick(row);
  }

  /** Shows a conversation by the name that its prompt gave it, and waits until its page says something. */
  async function says(name: string, text: RegExp): Promise<void> {
    const title = `ask permission ${name}`;
    const tab = window.page.locator('.tabs-container .tab').filter({ hasText: title });
    await until(`${name} to say ${String(text)}`, async () => {
      // Where the page got the focus, its question's dialog opens by itself, over the tabs.
      if (await window.quickInput.isOpen()) await window.quickInput.escape();
      if ((await tab.getAttribute('aria-selected')) !== 'true') {
        await tab.click({ timeout: clickMs });
        return false;
      }
      // Tabs out of sight have no page: what a page says is said by the one in sight.
      const pages = window.page.frames().map((frame) => frame.getByText(text).first());
      const shown = await Promise.all(pages.map((found) => found.isVisible().catch(() => false)));
      return shown.includes(true);
    });
  }

  it('that are being answered when the window reloads are asked again, and the reply goes on', async () => {
    await ask('reloaded');
    service.faults.next('chat', { kind: 'hang' });
    await window.quickInput.pick('Allow once');
    await says('reloaded', /Sending your answer/);
    await window.reload();
    await until('it to wait again', async () => (await waiting()) === 1);
    await answer(window, 'Allow once');
    await says('reloaded', /You chose allow_once/);
  });

  it('of two chats here and a third one in a second window are all told in both, and each is answered once', async () => {
    await askAndEscape('first');
    await askAndEscape('second');
    await using other = await window.secondWindow();
    const chat = await Chat.start(other);
    await chat.send(prompt('third'));
    await other.quickInput.waitFor('run_shell');
    await other.quickInput.escape();
    for (const each of [window, other])
      await until('three to wait', async () => (await waiting(each)) === 3);
    const paused = () => service.state.sessions().filter(({ run }) => run === 'paused').length;
    const before = paused();
    const rows = [
      [other, 'Allow once'],
      [window, 'Reject once'],
      [other, 'Allow always'],
    ] as const;
    for (const [index, [where, row]] of rows.entries()) {
      await answer(where, row);
      for (const each of [window, other])
        await until('one less to wait', async () => (await waiting(each)) === 2 - index);
    }
    await until('all runs to go on', () => paused() === before - 3);
    await says('first', /You chose allow_once/);
    await says('second', /You chose reject_once/);
    await chat.text(/You chose allow_always/).waitFor();
  });
});

/** The first line has the intern ask; both are the conversation's name. */
function prompt(name: string): string {
  return `ask permission\n${name}`;
}
