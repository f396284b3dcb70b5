import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { Gate } from './support/gate.ts';

/** In CSS pixels: a narrow side bar. */
const width = 280;

const gate = new Gate();
let window: VSCodeWindow;
let service: Service;

describe('chats in one window, in the installed VSIX', () => {
  const options = { service: { keepaliveMs: 2_000, brain: gate.brain } };
  useSignedIn(options, (opened) => ({ window, service } = opened));

  describe('the chat in the side bar', inSideBar);
  describe('runs of the chat', runs);
});

function inSideBar(): void {
  let chat: Chat;

  const title = (): Promise<string> => window.page.locator('.sidebar .title-label').innerText();

  /** Drags the edge of the side bar to this width. */
  async function narrow(): Promise<void> {
    const { mouse } = window.page;
    const box = await window.page.locator('.part.sidebar').boundingBox();
    assert.ok(box);
    await mouse.move(box.x + box.width, box.y + 300);
    await mouse.down();
    await mouse.move(box.x + width, box.y + 300, { steps: 4 });
    await mouse.up();
    await until('the narrow side bar', async () => {
      const now = await window.page.locator('.part.sidebar').boundingBox();
      return now !== null && Math.abs(now.width - width) < 8;
    });
  }

  it('the user starts a conversation by keyboard in a side bar of 280 px', async () => {
    await window.runCommand('Intern Chat: Focus on Chat View');
    await narrow();
    const link = await Chat.startLink(window);
    await link.press('Enter');
    chat = await Chat.shown(window, ({ composer }) => composer.isVisible());
    const isFocused = () => chat.frame.locator('textarea:focus').isVisible();
    await until('the focus in the composer', isFocused);
    await window.page.keyboard.type('markdown');
    await window.page.keyboard.press('Enter');
    await chat.frame.getByRole('table').first().waitFor();
    await chat.idle();
    await window.page.keyboard.type('ask permission');
    await window.page.keyboard.press('Enter');
    await window.quickInput.waitFor('run_shell');
    await seen(chat.button('Answer').last());
    await until('the answer', async () => {
      await window.quickInput.pick('Allow once');
      return true;
    });
    await seen(chat.text('Allowed').first());
    await chat.idle();
    await until('the focus back in the composer', isFocused);
    const tooWide = await chat.frame.evaluate<number>(`(() => {
      const scroller = document.querySelector('.scroller');
      return scroller.scrollWidth - scroller.clientWidth;
    })()`);
    assert.equal(tooWide, 0);
    assert.deepEqual(await window.tabs(), []);
    assert.match(await title(), /ada: markdown/i);
  });

  it('a chat moves to an editor and back during a run with draft and position', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await chat.composer.fill('half a thought');
    await chat.frame.locator('.scroller').hover();
    await window.page.mouse.wheel(0, -20_000);
    await seen(chat.button('Jump to latest'));
    await window.runCommand('Interns: Move Chat to Editor');
    await until('its tab', async () => (await window.tabs()).length === 1);
    const inPlace = async (title?: RegExp): Promise<void> => {
      chat = await Chat.shown(window, (moved) => moved.hasDraft('half a thought'), title);
      await seen(chat.stop);
      await seen(chat.button('Jump to latest'));
    };
    await inPlace(/ada/);
    await window.runCommand('Interns: Move Chat to Side Bar');
    await until('no tab', async () => (await window.tabs()).length === 0);
    await inPlace();
    await chat.stop.click();
    await chat.idle();
  });

  it('a chat in the side bar handles its keys only while it has the focus', async () => {
    await chat.composer.focus();
    await window.page.keyboard.press('Control+F');
    await chat.frame.getByRole('textbox', { name: /^Find/ }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Alt+PageUp');
    await until('a prompt with the focus', () =>
      chat.frame.locator('article:focus').first().isVisible(),
    );
    await window.runCommand('File: New Untitled Text File');
    await window.editorHasFocus();
    await window.page.keyboard.press('Control+F');
    await window.page.locator('.editor-widget.find-widget.visible').waitFor();
    await window.closeTab();
  });

  it('the side bar restores conversation, draft and position after a reload', async () => {
    await window.reload();
    chat = await Chat.shown(window, (restored) => restored.hasDraft('half a thought'));
    await seen(chat.button('Jump to latest'));
    await chat.ask('echo after all');
  });
}

function runs(): void {
  let chat: Chat;

  before(async () => {
    // The side bar shows a chat.
    await window.showViews('Explorer');
    chat = await Chat.start(window);
  });

  it('the chat sends the next prompt in a new session after the first run was stopped', async () => {
    const sessions = service.state.sessions().length;
    await chat.send('slow 30');
    await chat.streaming();
    await chat.stop.click();
    await seen(chat.banner(/next prompt starts a new one/));
    await chat.ask('echo mended');
    await chat.notice(/A new session starts here/).waitFor();
    await chat.lastReply.getByText('mended').waitFor();
    assert.equal(service.state.sessions().length, sessions + 2);
  });

  it('the chat sends queued prompts as the user edited them at the end of the run', async () => {
    await chat.send('work');
    await chat.streaming();
    await chat.send('echo first thought');
    await chat.send('echo never sent');
    await until('both in the queue', async () => (await chat.queued.count()) === 2);
    await chat.queued.getByRole('button', { name: 'Remove queued prompt' }).last().click();
    await until('one in the queue', async () => (await chat.queued.count()) === 1);
    await chat.queued.getByRole('button', { name: 'Edit queued prompt' }).click();
    const editor = chat.frame.getByRole('textbox', { name: 'Edit queued prompt' });
    await editor.fill('echo second thought');
    await editor.press('Enter');
    await chat.queued.getByText('echo second thought').waitFor();
    gate.open();
    await chat.lastReply.getByText('second thought').waitFor();
    await chat.idle();
    assert.equal(await chat.queued.count(), 0);
    assert.equal(await chat.text('never sent').count(), 0);
  });

  it('the menu beside Send stops the run and sends the prompt in its session', async () => {
    const sessions = service.state.sessions().length;
    await chat.send('slow 30');
    await chat.streaming();
    await chat.composer.fill('echo changed my mind');
    await chat.button('More ways to send').click();
    await window.chooseInMenu('Stop and Send');
    await chat.lastReply.getByText('changed my mind').waitFor();
    await chat.idle();
    assert.equal(service.state.sessions().length, sessions);
  });

  it('the status bar stops a run without a tab', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await window.closeTab();
    await window.page.locator('.statusbar-item', { hasText: '1 run' }).click();
    await until('the end of the run', async () =>
      (await window.statusBar()).every((text) => !text.includes('run')),
    );
    await window.runCommand('Interns: Open Chat…');
    chat = await Chat.shown(window);
    await seen(chat.banner(/may still be busy/));
  });
}
