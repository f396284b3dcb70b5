import assert from 'node:assert/strict';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from './support/chat.ts';

describe('what a chat shows from afar, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;

  before(async () => {
    ({ window, service } = closing.use(
      await openSignedIn({
        settings: { 'interns.notifyAfterSeconds': 1, 'interns.digestAfterMinutes': 0.001 },
        service: { keepaliveMs: 500 },
      }),
    ));
    chat = await Chat.start(window);
  });

  /** The address of the icon on the active tab. */
  async function tabIcon(): Promise<string> {
    const icon = window.page.locator('.tabs-container .tab.active .monaco-icon-label-iconpath');
    return (await icon.getAttribute('style')) ?? '';
  }

  it('the tab says that the intern works, waits, or failed', async () => {
    await chat.ask('echo hello');
    await until('the icon at rest', async () => (await tabIcon()).includes('idle'));
    await chat.send('slow 30');
    await until('the icon at work', async () => (await tabIcon()).includes('working'));
    await until('the title at work', async () =>
      (await window.tabs()).some((title) => title.endsWith('(working)')),
    );
    await chat.streaming();
    await chat.stop.click();
    await chat.idle();
    await chat.send('ask permission');
    await seen(chat.button('Answer').last());
    await until('the icon of a question', async () => (await tabIcon()).includes('waiting'));
    await until('the title of a question', async () =>
      (await window.tabs()).some((title) => title.endsWith('(asks you)')),
    );
    await window.quickInput.waitFor(/./);
    await window.quickInput.escape();
    await window.screenshot('chat-waiting');
    await chat.stop.click();
    await chat.idle();
    await chat.ask('fail in stream turn_failed');
    await until('the icon of a failure', async () => (await tabIcon()).includes('failed'));
    await until('the title of a failure', async () =>
      (await window.tabs()).some((title) => title.endsWith('(failed)')),
    );
  });

  it('a run that ends out of sight raises a badge and, when it was long, a notification that leads back', async () => {
    const tab = (title: RegExp) => window.page.locator('.tabs-container .tab', { hasText: title });
    await window.runCommand('File: New Untitled Text File');
    await tab(/^ada/).click();
    chat = await Chat.shown(window);
    await chat.send('slow 3');
    await chat.streaming();
    // One click: the palette could take longer than the run.
    await tab(/^Untitled/)
      .first()
      .click();
    const toast = await window.notification('finished');
    await window.screenshot('chat-notification');
    const badge = window.page.locator('.activitybar .action-item', {
      has: window.page.locator('[aria-label*="Interns"]'),
    });
    assert.equal(await badge.locator('.badge-content').innerText(), '1');
    await toast.getByRole('button', { name: 'Show Conversation' }).click();
    chat = await Chat.shown(window);
    await chat.composer.waitFor();
    await until('the badge to go', async () => !(await badge.locator('.badge').isVisible()));
  });

  it('what the service says is shown as words, whatever it says', async () => {
    const hostile = '$(zap) [x](command:workbench.action.quit) <img src=x onerror=alert(1)> **b**';
    service.faults.next('chat', {
      kind: 'respond',
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { code: 400, message: hostile } }),
    });
    await chat.ask(`echo ${hostile}`);
    const failure = chat.frame.locator('.failure').last();
    assert.match(await failure.innerText(), /<img src=x onerror=alert\(1\)> \*\*b\*\*/);
    assert.equal(await failure.locator('img, a, strong').count(), 0);
    await window.screenshot('chat-hostile');
  });

  it('self-drive is agreed to each time and for how long, is in sight while on, and one click leads back', async () => {
    const mode = chat.frame.getByRole('combobox', { name: 'Approval mode' });
    const band = chat.frame.getByRole('group', { name: 'Self-drive' });
    await mode.selectOption('self-drive');
    const dialog = await window.modal();
    await dialog.getByText(/without a sandbox/).waitFor();
    await window.screenshot('chat-self-drive-modal');
    await dialog.getByRole('button', { name: 'Stay with Manual' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await mode.inputValue(), 'manual');
    const chooseFor = async (how: string): Promise<void> => {
      await mode.selectOption('self-drive');
      const asked = await window.modal();
      await asked.getByRole('button', { name: how }).click();
      await asked.waitFor({ state: 'hidden' });
      await seen(band);
    };
    await chooseFor('This Prompt Only');
    await chat.ask('echo once');
    await band.waitFor({ state: 'hidden' });
    assert.equal(await mode.inputValue(), 'manual');
    await chooseFor('Until Switched Off');
    await mode.selectOption('manual');
    await chooseFor('30 Minutes');
    assert.match(await band.innerText(), /(30:00|29:\d\d) left/);
    await chat.send('slow 30');
    await chat.streaming();
    await window.screenshot('chat-self-drive');
    await band.getByRole('button', { name: 'Switch to Manual' }).click();
    await until('the next prompt to be manual', async () => (await mode.inputValue()) === 'manual');
    assert.ok(await isSeen(band), 'the run that goes on is still under self-drive');
    await band.getByRole('button', { name: 'Stop' }).click();
    await band.waitFor({ state: 'hidden' });
  });

  it('a conversation whose cost limit is reached sends nothing without a word', async () => {
    const cost = chat.frame.locator('.cost');
    await until('what was spent', async () => /^Cost: \$0\.0\d+/u.test(await cost.innerText()));
    await chat.composer.click();
    await window.runCommand('Interns: Limit Cost of Conversation…');
    await window.quickInput.fill('Limit Cost of Conversation', '0.0001');
    await seen(chat.banner('The cost limit of $0.0001 is reached'));
    await window.screenshot('chat-cost-limit');
    const before = await chat.articles.count();
    await chat.send('echo more');
    const dialog = await window.modal();
    await dialog.getByText(/of \$0\.0001.*known only when a run ends/u).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await until('the prompt back', async () => (await chat.composer.inputValue()) === 'echo more');
    assert.equal(await chat.articles.count(), before);
    await chat.composer.press('Enter');
    await (await window.modal()).getByRole('button', { name: 'Send Anyway' }).click();
    await until('the reply', async () => (await chat.articles.count()) === before + 2);
    await chat.idle();
    await chat.button('Change Cost Limit…').click();
    await window.quickInput.enter('');
    await chat.banner('The cost limit').waitFor({ state: 'hidden' });
  });

  it('follows the theme of the editor while it is open, and fits a narrow window', async () => {
    await chat.ask('markdown');
    await chat.ask('think');
    await chat.ask('fail in stream turn_failed');
    const seen = new Set<string>();
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Light High Contrast']) {
      await useTheme(theme);
      const id = await until('the theme on the page', async () => {
        const now = await chat.frame.locator('body').getAttribute('data-vscode-theme-id');
        return now !== null && !seen.has(now) && now;
      });
      seen.add(id);
      await window.screenshot(`chat-theme-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await useTheme('Dark Modern');
    await window.page.setViewportSize({ width: 420, height: 800 });
    await window.screenshot('chat-narrow');
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('the activity summary appears in the status bar and in a notification when the user comes back', async () => {
    chat = await Chat.start(window);
    await chat.ask('echo The plants have water now.');
    await setFocus(false);
    await chat.ask('fail in stream turn_failed');
    await setFocus(true);
    const toast = await window.notification('While you were away: 1 failed');
    await until('the line in the status bar', async () =>
      (await window.statusBar()).some((line) => line.startsWith('1 failed')),
    );
    await window.screenshot('digest-notification');
    await toast.getByRole('button', { name: 'Show Activity Summary' }).click();
    await window.quickInput.waitFor('Activity Summary');
    assert.match((await window.quickInput.rows())[0]?.description ?? '', /Failed/);
    await until('the line to go', async () =>
      (await window.statusBar()).every((line) => !line.startsWith('1 failed')),
    );
    await window.page.keyboard.press('Escape');
  });

  it('the activity summary lists the conversations at any time and opens the chat of the selected one', async () => {
    await window.closeTab();
    await window.runCommand('Interns: Show Activity Summary');
    await window.quickInput.waitFor('Activity Summary');
    await window.screenshot('digest-pick');
    await window.quickInput.pick('echo The plants have water now.');
    chat = await Chat.shown(window);
    await chat.frame.locator('article.intern').filter({ hasText: 'The plants' }).waitFor();
  });

  /** The window loses the focus, or gets it, as far as VS Code can tell. */
  async function setFocus(focused: boolean): Promise<void> {
    await window.page.evaluate(
      `document.hasFocus = () => ${String(focused)}; document.dispatchEvent(new Event('visibilitychange'))`,
    );
  }

  async function useTheme(theme: string): Promise<void> {
    await window.runCommand('Preferences: Color Theme');
    await window.quickInput.type(theme);
    await window.quickInput.pick(theme);
  }
});
