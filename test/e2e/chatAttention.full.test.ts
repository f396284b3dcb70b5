import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from '../harness/chat.ts';

describe('chat status, in the installed VSIX', () => {
  let window: VSCodeWindow;
  let chat: Chat;

  const settings = { 'interns.notifyAfterSeconds': 1, 'interns.digestAfterMinutes': 0.001 };
  useSignedIn({ settings, service: { keepaliveMs: 500 } }, async (opened) => {
    ({ window } = opened);
    chat = await Chat.start(window);
  });

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

  it('a window notifies the user when a long run ends in a hidden chat', async () => {
    const tab = (title: RegExp) => window.page.locator('.tabs-container .tab', { hasText: title });
    await window.runCommand('File: New Untitled Text File');
    await tab(/^ada/).click();
    chat = await Chat.shown(window);
    await chat.send('slow 3');
    await chat.streaming();
    // The palette could take longer than the run.
    await tab(/^Untitled/)
      .first()
      .click();
    const toast = await window.notification('finished');
    const badge = window.page.locator('.activitybar .action-item', {
      has: window.page.locator('[aria-label*="Interns"]'),
    });
    assert.equal(await badge.locator('.badge-content').innerText(), '1');
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
});
