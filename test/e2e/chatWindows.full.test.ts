import assert from 'node:assert/strict';
import { extensionHosts } from '../harness/extensionHosts.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from './support/chat.ts';
import { Gate } from './support/gate.ts';

/** How long a page takes at most to say that its host is gone, in milliseconds (issue: 2 s; the rest is a busy machine). */
const noticedMs = 10_000;

/** How long the end of a run may take to be seen in another window, in milliseconds. */
const endMs = 45_000;

describe('chats across reloads, dead hosts and windows, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let chat: Chat;
  const gate = new Gate();

  before(async () => {
    ({ window } = closing.use(
      await openSignedIn({ service: { keepaliveMs: 500, brain: gate.brain } }),
    ));
    chat = await Chat.start(window);
  });

  const place = () => chat.frame.getByRole('heading', { name: 'Section 5', exact: true });

  async function newPage(): Promise<Chat> {
    return await until('the tab to open anew', async () => {
      const again = await Chat.shown(window);
      return again.frame !== chat.frame && (await again.composer.isVisible()) && again;
    });
  }

  async function killHost(): Promise<void> {
    const hosts = await extensionHosts(window.server);
    process.kill(hosts.at(-1)!, 'SIGKILL');
  }

  it('brings back the draft of a conversation in which nothing was said yet', async () => {
    await chat.composer.pressSequentially('a first thought', { delay: 20 });
    await window.reload();
    chat = await newPage();
    await until('the draft', async () => (await chat.composer.inputValue()) === 'a first thought');
    await chat.composer.fill('');
  });

  it('brings back the draft, the place and the queue after a reload in mid-run, and says that it was cut', async () => {
    await chat.ask('long 20');
    await chat.ask('echo the end');
    await chat.send('slow 60');
    await chat.streaming();
    await chat.send('echo queued before the reload');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    await chat.frame.getByRole('log', { name: 'Conversation' }).hover();
    await window.page.mouse.wheel(0, -400);
    await seen(chat.button('Jump to latest'));
    await place().scrollIntoViewIfNeeded();
    // Typing takes longer than the page waits before it tells the place.
    await chat.composer.pressSequentially('a draft', { delay: 60 });
    await window.reload();
    chat = await newPage();
    await until('the draft', async () => (await chat.composer.inputValue()) === 'a draft');
    await chat.text('Cut off').first().waitFor();
    await seen(chat.banner(/were not sent/));
    assert.equal(await chat.queued.count(), 1);
    await seen(place());
    await window.screenshot('chat-reloaded');
    await chat.queued.getByRole('button', { name: 'Remove queued prompt' }).click();
    await chat.composer.fill('');
  });

  it('keeps the draft when its host is killed, says so, opens the tab anew, and has lost next to nothing', async () => {
    await chat.send('slow 60');
    await chat.streaming();
    await until('some words', async () => {
      const reply = await chat.lastReply.innerText();
      return !reply.includes('Cut off') && words(reply) > 8;
    });
    await chat.composer.fill('not lost');
    await chat.composer.blur();
    const before = words(await chat.lastReply.innerText());
    await killHost();
    await chat.text(/The editor is not responding/).waitFor({ timeout: noticedMs });
    assert.equal(await chat.composer.inputValue(), 'not lost');
    await chat.composer.press('End');
    await chat.composer.pressSequentially(', typed into a dead page');
    await window.screenshot('chat-host-gone');
    chat = await newPage();
    await until(
      'the draft',
      async () => (await chat.composer.inputValue()) === 'not lost, typed into a dead page',
    );
    assert.equal((await window.tabs()).length, 1);
    await chat.lastReply.getByText('Cut off').waitFor();
    // A word comes every 250 ms or so: the last batch may be missing, and no more.
    assert.ok(words(await chat.lastReply.innerText()) >= before - 3);
    await window.screenshot('chat-host-back');
    for (const remove of await chat.frame.getByLabel('Remove queued prompt').all())
      await remove.click();
    await chat.composer.fill('');
  });

  it('goes on in another editor group', async () => {
    await chat.composer.fill('moved with it');
    await window.runCommand('View: Move Editor into Right Group');
    chat = await until('the chat in its new place', async () => {
      const moved = await Chat.shown(window);
      return (await moved.composer.inputValue()) === 'moved with it' && moved;
    });
    await chat.ask('echo from the other group');
    await chat.lastReply.getByText('from the other group').waitFor();
  });

  it('shows the same in two windows, and the other one goes on when the one that reads is gone', async () => {
    await using second = await window.secondWindow();
    await second.runCommand('Interns: Open Chat…');
    const other = await Chat.shown(second);
    await other.lastReply.getByText('from the other group').waitFor();
    await chat.send('work');
    await seen(other.banner(/Another window is reading this run/));
    await second.screenshot('chat-elsewhere');
    gate.open();
    await chat.idle();
    await other.banner(/Another window/).waitFor({ state: 'hidden', timeout: endMs });
    await until(
      'the same in both',
      async () => (await other.lastReply.innerText()) === (await chat.lastReply.innerText()),
    );
    assert.equal(await chat.text('Cut off').count(), await other.text('Cut off').count());
    await other.send('slow 60');
    await seen(chat.banner(/Another window is reading this run/));
    const hosts = await extensionHosts(window.server);
    process.kill(hosts.at(-1)!, 'SIGKILL');
    await chat.lastReply.getByText('Cut off').first().waitFor({ timeout: endMs });
    await chat.ask('echo after all');
  });
});

function words(text: string): number {
  return text.split(/\s+/u).length;
}
