import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { Gate } from './support/gate.ts';

describe('runs of the chat, in the installed VSIX', () => {
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;
  const gate = new Gate();

  useSignedIn({ service: { keepaliveMs: 2_000, brain: gate.brain } }, async (opened) => {
    ({ window, service } = opened);
    chat = await Chat.start(window);
  });

  it('the chat sends the next prompt in a new session after the first run was stopped', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await chat.stop.click();
    await seen(chat.banner(/next prompt starts a new one/));
    await chat.ask('echo mended');
    await chat.notice(/A new session starts here/).waitFor();
    await chat.lastReply.getByText('mended').waitFor();
    assert.equal(service.state.sessions().length, 2);
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

  it('a run without its tab sends the queue once', async () => {
    await chat.send('work');
    await chat.streaming();
    await chat.send('echo without a tab');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    await window.closeTab();
    await until('no tab', async () => (await window.tabs()).length === 0);
    await window.statusShows('1 run');
    gate.open();
    await until('the end of the runs', async () =>
      (await window.statusBar()).every((text) => !text.includes('run')),
    );
    await window.runCommand('Interns: Open Chat…');
    chat = await Chat.shown(window);
    await chat.lastReply.getByText('without a tab').waitFor();
    assert.equal(await chat.text('without a tab').count(), 2, 'the prompt and its echo, once');
    assert.equal(await chat.queued.count(), 0);
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
});
