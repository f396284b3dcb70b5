import assert from 'node:assert/strict';
import { killNewestHost } from '../harness/hostProcesses.ts';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useClosing, useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from '../harness/chat.ts';
import { Gate } from './support/gate.ts';

/** How long a page may take to notice that its host has died, in milliseconds, on a busy machine. */
const noticedMs = 10_000;

const gate = new Gate();
let window: VSCodeWindow;
let second: VSCodeWindow;
let closing: AsyncDisposableStack;

describe('chats in several windows, in the installed VSIX', () => {
  const options = { service: { keepaliveMs: 500, brain: gate.brain } };
  closing = useClosing();
  useSignedIn(options, (opened) => ({ window } = opened));

  describe('a conversation in the side bars of two windows', inSideBars);
  describe('chats across reloads, dead hosts and windows', acrossWindows);
});

function acrossWindows(): void {
  let chat: Chat;

  before(async () => {
    // The side bar already shows a chat.
    await window.showViews('Explorer');
    chat = await Chat.start(window);
  });

  const place = () => chat.frame.getByRole('heading', { name: 'Section 5', exact: true });

  async function newPage(): Promise<Chat> {
    return await Chat.shown(
      window,
      async ({ frame, composer }) => frame !== chat.frame && (await composer.isVisible()),
    );
  }

  it('a reload during a run restores draft, position and queue of a chat', async () => {
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
    // Waits until it has stayed in place for two frames.
    await place().hover({ trial: true });
    assert.ok(await isSeen(place()));
    // Typing takes longer than the delay after which the page reports its position.
    await chat.composer.pressSequentially('a draft', { delay: 60 });
    await window.reload();
    chat = await newPage();
    await until('the draft', async () => (await chat.composer.inputValue()) === 'a draft');
    await seen(chat.stop);
    assert.equal(await chat.queued.count(), 1);
    await seen(place());
    await chat.queued.getByRole('button', { name: 'Remove queued prompt' }).click();
    await stop(chat);
    await chat.composer.fill('');
  });

  it('a chat keeps the draft when the extension host is killed', async () => {
    await chat.send('slow 60');
    await chat.streaming();
    // By then, the host has told the page that it has the prompt. Otherwise the prompt would come back as a draft.
    await chat.lastReply.getByText('2 s.').waitFor();
    await chat.composer.fill('not lost');
    await chat.composer.blur();
    await killNewestHost(window.server);
    await chat.text(/VS Code isn’t responding/).waitFor({ timeout: noticedMs });
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
    await stop(chat);
    for (const remove of await chat.frame.getByLabel('Remove queued prompt').all())
      await remove.click();
    await chat.composer.fill('');
  });

  it('a chat keeps the draft up to the key before the one that hides its tab', async () => {
    await window.runCommand('File: New Untitled Text File');
    await window.tabIsActive(/^Untitled/);
    await window.tab(/^ada/).click();
    chat = await newPage();
    await chat.composer.pressSequentially('to the last key');
    await window.page.keyboard.press('Control+PageDown');
    await window.tabIsActive(/^Untitled/);
    await window.tab(/^ada/).click();
    chat = await newPage();
    await until('the draft', () => chat.hasDraft('to the last key'));
    await window.runCommand('View: Close Other Editors in Group');
  });

  it('a chat keeps the draft when it moves to another editor group', async () => {
    await chat.composer.fill('moved with it');
    await window.runCommand('View: Move Editor into Right Group');
    chat = await Chat.shown(window, (moved) => moved.hasDraft('moved with it'));
    await chat.ask('echo from the other group');
    await chat.lastReply.getByText('from the other group').waitFor();
  });

  it('a window continues a conversation if the window that reads its run dies', async () => {
    await second.showViews('Explorer');
    await second.runCommand('Interns: Open Chat…');
    const other = await Chat.shown(second);
    await other.lastReply.getByText('from the other group').waitFor();
    await chat.send('slow 60');
    await seen(other.banner(/This run is open in another window/));
    await other.lastReply.getByText('1 s.').waitFor();
    // The newest host is that of the first window: its last one was killed.
    await killNewestHost(window.server);
    const before = await other.lastReply.innerText();
    await until('more words', async () => (await other.lastReply.innerText()) !== before);
    await stop(other);
    await other.ask('echo after all');
  });
}

function inSideBars(): void {
  let chat: Chat;
  let other: Chat;

  before(async () => {
    await (await Chat.startLink(window)).click();
    chat = await Chat.shown(window, (empty) => empty.hasDraft(''));
    await chat.ask('echo the beginning');
    second = closing.use(await window.secondWindow());
    other = await Chat.inSideBar(second, ({ lastReply }) =>
      isSeen(lastReply.getByText('the beginning')),
    );
  });

  const saysMore = async (of: Chat): Promise<void> => {
    const length = async () => (await of.lastReply.innerText()).length;
    const before = await length();
    await until('more words', async () => (await length()) > before + 20);
  };

  const sameInBoth = async (): Promise<void> => {
    await until('the same in both', async () => {
      const texts = await Promise.all([chat, other].map((each) => each.lastReply.innerText()));
      return texts[0] === texts[1];
    });
  };

  it('a run streams to the side bars of both windows', async () => {
    await other.composer.fill('typed in the second');
    await chat.send('work');
    await seen(other.banner(/This run is open in another window/));
    await Promise.all([saysMore(chat), saysMore(other)]);
    gate.open();
    await Promise.all([
      chat.idle(),
      other.banner(/in another window/).waitFor({ state: 'hidden' }),
    ]);
    await sameInBoth();
    // Later pages draw earlier messages only when they are scrolled to.
    assert.equal(await chat.articles.count(), await other.articles.count());
    assert.equal(await chat.composer.inputValue(), '');
    assert.equal(await other.composer.inputValue(), 'typed in the second');
  });

  it('a run streams to both windows after one moved the chat to a tab', async () => {
    await chat.send('work');
    await saysMore(other);
    await window.runCommand('Interns: Move Chat to Editor');
    await until('its tab', async () => (await window.tabs()).length === 1);
    chat = await Chat.shown(window, (tab) => tab.hasDraft(''), /ada/);
    await Promise.all([saysMore(chat), saysMore(other)]);
    await other.stop.click();
    for (const each of [chat, other]) await seen(each.lastReply.getByText('Stopped'));
    await sameInBoth();
    assert.equal(await other.composer.inputValue(), 'typed in the second');
    await window.runCommand('Interns: Move Chat to Side Bar');
    await until('no tab', async () => (await window.tabs()).length === 0);
    chat = await Chat.shown(window, (view) => view.hasDraft(''));
  });

  it('a chat works again after the other window has undone its deletion', async () => {
    await second.runCommand('Interns: Delete Conversation…');
    await seen(chat.banner(/deleted in another window/));
    await (await second.notification('Deleted “')).getByRole('button', { name: 'Undo' }).click();
    await chat.banner(/deleted in another window/).waitFor({ state: 'hidden' });
    await chat.ask('echo back again');
    await chat.lastReply.getByText('back again').waitFor();
  });
}

async function stop(chat: Chat): Promise<void> {
  await chat.stop.click();
  await chat.idle();
}
