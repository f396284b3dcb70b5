import assert from 'node:assert/strict';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from './support/chat.ts';
import { Gate } from './support/gate.ts';

describe('one conversation in the side bars of two windows, in the installed VSIX', () => {
  const closing = useClosing();
  const gate = new Gate();
  let window: VSCodeWindow;
  let second: VSCodeWindow;
  let chat: Chat;
  let other: Chat;

  before(async () => {
    ({ window } = closing.use(
      await openSignedIn({ service: { keepaliveMs: 500, brain: gate.brain } }),
    ));
    await window.runCommand('Intern Chat: Focus on Chat View');
    const begin = await until('the way to begin', async () => {
      const empty = await window.webview();
      const link = empty.getByRole('link', { name: 'New Conversation' });
      return (await isSeen(link)) && link;
    });
    await begin.click();
    chat = await shown(window);
    await chat.ask('echo the beginning');
    second = await window.secondWindow();
    await second.runCommand('Intern Chat: Focus on Chat View');
    other = await shown(second);
    await seen(other.lastReply.getByText('the beginning'));
  });

  async function shown(of: VSCodeWindow, draft = '', tab?: RegExp): Promise<Chat> {
    return await until('the chat', async () => {
      const found = await Chat.shown(of, tab);
      return (
        (await isSeen(found.composer)) && (await found.composer.inputValue()) === draft && found
      );
    });
  }

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
    assert.equal(await chat.articles.count(), await other.articles.count());
  };

  it('streams in both what was sent in one, and leaves the draft of the other alone', async () => {
    await other.composer.fill('typed in the second');
    await chat.send('work');
    await seen(other.banner(/Another window is reading this run/));
    await Promise.all([saysMore(chat), saysMore(other)]);
    await window.screenshot('two-side-bars-first');
    await second.screenshot('two-side-bars-second');
    gate.open();
    await Promise.all([chat.idle(), other.banner(/Another window/).waitFor({ state: 'hidden' })]);
    await sameInBoth();
    assert.equal(await chat.composer.inputValue(), '');
    assert.equal(await other.composer.inputValue(), 'typed in the second');
  });

  it('is asked in one and answered in the other, which goes on with the run', async () => {
    // The dialog opens by itself only in the window that is in front.
    await window.page.bringToFront();
    await chat.composer.click();
    await chat.send('ask permission');
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.escape();
    await second.screenshot('two-side-bars-question');
    await seen(other.button('Answer'));
    await other.button('Answer').click();
    await second.quickInput.waitFor('run_shell');
    await second.quickInput.pick('Allow once');
    for (const each of [chat, other]) await seen(each.text('Allowed').last());
    for (const each of [chat, other]) await seen(each.text(/You chose allow_once/));
    await sameInBoth();
  });

  it('moves to a tab in one, which alone can stop it, and goes on in the other', async () => {
    await chat.send('work');
    await saysMore(other);
    await window.runCommand('Interns: Move Chat to Editor');
    await until('its tab', async () => (await window.tabs()).length === 1);
    chat = await shown(window, '', /ada/);
    await Promise.all([saysMore(chat), saysMore(other)]);
    assert.ok(!(await other.stop.isVisible()));
    await chat.stop.click();
    for (const each of [chat, other]) await seen(each.lastReply.getByText('Stopped'));
    await sameInBoth();
    assert.equal(await other.composer.inputValue(), 'typed in the second');
    await window.runCommand('Interns: Move Chat to Side Bar');
    await until('no tab', async () => (await window.tabs()).length === 0);
    chat = await shown(window);
  });

  it('goes on in one while the other reloads, which has its draft again', async () => {
    await chat.send('work');
    await saysMore(other);
    await second.reload();
    other = await shown(second, 'typed in the second');
    await Promise.all([saysMore(chat), saysMore(other)]);
    gate.open();
    await chat.idle();
    await sameInBoth();
  });
});
