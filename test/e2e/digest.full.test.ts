import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from './support/chat.ts';

describe('what happened meanwhile, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let chat: Chat;

  before(async () => {
    ({ window } = closing.use(
      await openSignedIn({ settings: { 'interns.digestAfterMinutes': 0.001 } }),
    ));
    chat = await Chat.start(window);
  });

  /** The window loses the focus, or gets it, as far as VS Code can tell. */
  async function setFocus(focused: boolean): Promise<void> {
    await window.page.evaluate(
      `document.hasFocus = () => ${String(focused)}; document.dispatchEvent(new Event('visibilitychange'))`,
    );
  }

  const text = () => window.page.locator('.editor-instance .view-lines');
  const links = () => window.page.locator('.editor-instance .detected-link');

  it('is told to a user who comes back, in the status bar and where something failed in a notification', async () => {
    await chat.ask('echo The plants have [water](command:workbench.action.quit) now.');
    await setFocus(false);
    await chat.ask('fail in stream turn_failed');
    await setFocus(true);
    const toast = await window.notification('While you were away: 1 failed');
    await until('the line in the status bar', async () =>
      (await window.statusBar()).some((line) => line.startsWith('1 failed')),
    );
    await window.screenshot('digest-notification');
    await toast.getByRole('button', { name: 'Show What Happened' }).click();
    await text().filter({ hasText: 'What happened since' }).waitFor();
    await text().filter({ hasText: '- Failed' }).waitFor();
    assert.doesNotMatch(await text().innerText(), /Finished/, 'what was known before');
    await until('the line to go', async () =>
      (await window.statusBar()).every((line) => !line.startsWith('1 failed')),
    );
  });

  it('can be asked for at any time, and each link leads by keyboard to its message', async () => {
    await window.closeTab();
    await window.runCommand('Interns: Show What Happened…');
    await window.quickInput.waitFor('Show What Happened');
    await window.screenshot('digest-pick');
    await window.quickInput.pick('Since yesterday');
    await text().filter({ hasText: 'Finished' }).waitFor();
    await seen(links().first());
    await window.screenshot('digest');
    // An editor draws blanks that do not break.
    const led = (await links().allInnerTexts()).map((words) => words.replaceAll('\u00a0', ' '));
    assert.deepEqual(new Set(led), new Set(['Show message']));
    const run = window.page
      .locator('.editor-instance .view-line')
      .filter({ hasText: /-\sFinished/ });
    await run.locator('.detected-link').click();
    await window.runCommand('Open Link');
    chat = await Chat.shown(window);
    await chat.frame.locator('article.intern:focus').filter({ hasText: 'The plants' }).waitFor();
    await window.screenshot('digest-message');
  });
});
