import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { openSignedIn, type SignedInWindow, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from './support/chat.ts';

describe('runs of the chat, in the installed VSIX', () => {
  let signedIn: SignedInWindow;
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;

  before(async () => {
    signedIn = await openSignedIn({ service: { keepaliveMs: 2_000 } });
    ({ window, service } = signedIn);
    chat = await Chat.start(window);
  });

  after(() => signedIn[Symbol.asyncDispose]());

  it('holds the prompt after a first run that was stopped without a session id, with Send now', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await chat.stop.click();
    await chat.banner(/notices within 30 seconds/).waitFor();
    await chat.send('remember');
    await chat.banner(/starts a new session, which will not remember the above/).waitFor();
    assert.equal(await chat.queued.count(), 1);
    await window.screenshot('chat-hold');
    await chat.button('Send Now').click();
    await chat.notice(/A new session starts here/).waitFor();
    await chat.idle();
    assert.equal(service.state.sessions().length, 2);
  });

  it('queues a prompt while the intern works: it can be edited, taken back, and goes out at the end', async () => {
    await chat.send('slow 12');
    await chat.streaming();
    await chat.send('echo first thought');
    await chat.send('echo never sent');
    await until('both in the queue', async () => (await chat.queued.count()) === 2);
    await chat.button('Remove queued prompt').last().click();
    await until('one in the queue', async () => (await chat.queued.count()) === 1);
    await chat.button('Edit queued prompt').click();
    const editor = chat.frame.getByRole('textbox', { name: 'Edit queued prompt' });
    await editor.fill('echo second thought');
    await window.screenshot('chat-queue');
    await editor.press('Enter');
    await chat.lastReply.getByText('second thought').waitFor();
    await chat.idle();
    assert.equal(await chat.queued.count(), 0);
    assert.equal(await chat.text('never sent').count(), 0);
  });

  it('holds the queue after a failure until its user says so', async () => {
    await chat.send('stall');
    await chat.streaming();
    await chat.send('echo after the failure');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    const running = service.state.sessions().find(({ run }) => run === 'streaming');
    assert.ok(running);
    service.state.endRun(running.id);
    await chat.banner(/did not end well/).waitFor();
    await window.screenshot('chat-queue-held');
    await chat.button('Send What Waits').click();
    await chat.lastReply.getByText('after the failure').waitFor();
    await chat.idle();
  });

  it('tries the same prompt again after a failure', async () => {
    await chat.ask('fail in stream turn_failed');
    await window.screenshot('chat-failed');
    const before = await chat.articles.count();
    await chat.button('Retry').last().click();
    await until('the second try', async () => (await chat.articles.count()) === before + 2);
    await chat.idle();
  });

  it('sends the last prompt again as edited, and says that the session remembers the first', async () => {
    await chat.ask('echo one');
    await chat.button('Edit and send again').click();
    await until('the prompt', async () => (await chat.composer.inputValue()) === 'echo one');
    await chat.ask('echo two');
    await chat.notice(/remembers the earlier prompt too/).waitFor();
    await chat.lastReply.getByText('two').waitFor();
  });

  it('waits by itself while the session is busy with the run that was stopped', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await chat.stop.click();
    await chat.idle();
    await chat.send('echo patient');
    await chat.banner(/still busy with the stopped run/).waitFor();
    await window.screenshot('chat-busy');
    await chat.lastReply.getByText('patient').waitFor();
    await chat.idle();
  });

  it('stops on a second Escape, and keeps what was typed', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await chat.composer.fill('half a thought');
    await chat.composer.press('Escape');
    await chat.text('Press Escape again to stop').first().waitFor();
    assert.ok(await chat.stop.isVisible());
    await chat.composer.press('Escape');
    await chat.idle();
    assert.equal(await chat.composer.inputValue(), 'half a thought');
    await chat.composer.fill('');
  });

  it('cancels the question on Stop while the run waits, and the run is over', async () => {
    await chat.send('ask permission');
    await chat.button('Answer').waitFor();
    await window.quickInput.waitFor(/./);
    await window.quickInput.escape();
    await chat.stop.click();
    await chat.text('Cancelled').first().waitFor();
    await chat.idle();
    await until('no open question', () =>
      service.state.sessions().every(({ pending }) => pending.length === 0),
    );
  });

  it('queues a prompt typed while a question waits, and sends it after cancelling the question', async () => {
    await chat.send('ask permission');
    await chat.button('Answer').waitFor();
    await window.quickInput.waitFor(/./);
    await window.quickInput.escape();
    await chat.send('echo instead');
    await chat.banner(/waits until the question is answered/).waitFor();
    await window.screenshot('chat-paused-queue');
    await chat.button('Cancel the Question and Send').click();
    await chat.lastReply.getByText('instead').waitFor();
    await chat.idle();
  });

  it('reads a run to its end though its tab is closed, and the queue goes out once', async () => {
    await chat.send('slow 12');
    await chat.streaming();
    await chat.send('echo without a tab');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    await window.closeTab();
    await until('no tab', async () => (await window.tabs()).length === 0);
    await until('the run in the status bar', async () =>
      (await window.statusBar()).some((text) => text.includes('1 run')),
    );
    await until('the end of the runs', async () =>
      (await window.statusBar()).every((text) => !text.includes('run')),
    );
    await window.runCommand('Interns: Open Chat…');
    chat = await Chat.shown(window);
    await chat.lastReply.getByText('without a tab').waitFor();
    assert.equal(await chat.text('without a tab').count(), 2, 'the prompt and its echo, once');
    assert.equal(await chat.queued.count(), 0);
  });

  it('stops a run without a tab from the status bar', async () => {
    await chat.send('slow 30');
    await chat.streaming();
    await window.closeTab();
    await window.page.locator('.statusbar-item', { hasText: '1 run' }).click();
    await until('the end of the run', async () =>
      (await window.statusBar()).every((text) => !text.includes('run')),
    );
    await window.runCommand('Interns: Open Chat…');
    chat = await Chat.shown(window);
    await chat.banner(/notices within 30 seconds/).waitFor();
  });

  it('runs several chats at once, each with its own', async () => {
    const first = chat;
    await first.ask('echo before');
    await first.send('slow 20');
    await first.streaming();
    const second = await Chat.start(window);
    await second.send('slow 6');
    await second.streaming();
    await until('two runs', async () =>
      (await window.statusBar()).some((text) => text.includes('2 runs')),
    );
    await window.screenshot('chat-two');
    await second.idle();
    await until('the end of both', async () =>
      (await window.statusBar()).every((text) => !text.includes('run')),
    );
  });
});
