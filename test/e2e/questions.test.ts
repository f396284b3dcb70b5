import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';

/**
 * Milliseconds between opening a dialog and a stray key. A busy machine delivers keys later, so these are well below
 * 500. test/vscode/dialogs.test.ts tries 50 moments.
 */
const strayKeyTimings = [0, 50];

/**
 * How long the dialog may take to open for a user who watches, in milliseconds. A busy machine is slower.
 */
const watchedMs = 10_000;

const permissionRows = [
  'Allow once',
  'Allow always',
  'Reject once',
  'Reject and say why…',
  'Reject always',
  'Cancel the question',
];

describe('questions of interns, in the installed VSIX', () => {
  let window: VSCodeWindow;
  let service: Service;
  /** The chat of the last question. */
  let chat: Chat;

  // On a busy machine, a suggestion could open just before a typed Enter.
  const settings = { 'editor.wordBasedSuggestions': 'off' };
  useSignedIn({ settings }, async (opened) => {
    ({ window, service } = opened);
    chat = await Chat.start(window);
  });

  /** Sends a prompt in the visible chat, which may have a new page. */
  async function ask(prompt: string): Promise<void> {
    chat = await Chat.shown(window);
    await chat.send(prompt);
  }

  /** The text in the status bar, such as `2 questions · 3:41`, if a question waits. */
  async function countdown(): Promise<string | undefined> {
    return (await window.statusBar()).find((text) => /questions? ·/.test(text));
  }

  /** Waits until the composer has the focus again: that would close another dialog. */
  async function focusIsBack(): Promise<void> {
    await until('the focus in the composer', () =>
      chat.frame.locator('textarea:focus, [role=textbox]:focus').isVisible(),
    );
  }

  async function noQuestions(): Promise<void> {
    await until('no question to wait', async () => (await countdown()) === undefined);
  }

  it('the dialog of a question opens for a user who watches the chat', async () => {
    await ask('ask permission');
    // From here on, only the question can open the dialog.
    await until('the question', () => service.state.sessions().some(({ run }) => run === 'paused'));
    await until('its dialog', () => window.quickInput.isOpen(), watchedMs);
    const title = await window.quickInput.waitFor('run_shell');
    await chat.text('I would like to use').first().waitFor();
    assert.match(title, /intern_ada|ada/);
    assert.match(title, /“run_shell” · less than [45] minutes left$/);
    const rows = await window.quickInput.rows();
    const [said = '', ...choices] = rows.map(({ label }) => label);
    assert.match(said, /ada said: “I would like to use run_shell\.”$/);
    assert.deepEqual(choices, permissionRows);
    assert.ok(rows.every(({ active }) => !active));
    await window.quickInput.pick('Allow once');
    await chat.lastReply.getByText('Allowed once').waitFor();
    await focusIsBack();
    await noQuestions();
  });

  it('a question shows in badge, tree, tab and status bar under Do Not Disturb', async () => {
    await window.runCommand('Notifications: Toggle Do Not Disturb Mode');
    await ask('ask permission');
    const announced = chat.frame.locator('[aria-live=assertive]');
    await announced.filter({ hasText: 'Allow “run_shell”?' }).waitFor({ state: 'attached' });
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.close();
    await window.runCommand('File: New Untitled Text File');
    const icon = window.page.locator('.activitybar .action-item').filter({
      has: window.page.locator('[aria-label*="Interns"]'),
    });
    const badge = icon.locator('.badge-content');
    await until('the badge', async () => (await badge.innerText()) === '1');
    await window.showViews('Interns');
    await until('the intern to wait in the tree', async () =>
      (await window.treeRows('Interns')).some(({ description }) =>
        description.startsWith('1 waiting'),
      ),
    );
    assert.ok((await window.tabs()).some((title) => title.endsWith('(waiting for you)')));
    assert.match((await countdown()) ?? '', /^1 question · \d:\d\d$/);
    assert.deepEqual(await window.notifications(), []);
    await window.runCommand('Notifications: Toggle Do Not Disturb Mode');
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.choose('run_shell', 'Cancel the question');
    await noQuestions();
    await window.closeTab();
  });

  it('a permission dialog ignores keys in its first half second', async () => {
    await ask('ask permission');
    await window.quickInput.waitFor('run_shell');
    for (const timing of strayKeyTimings) {
      await window.quickInput.close();
      await (await seen(chat.button('Answer').last())).click();
      await window.page.waitForTimeout(timing);
      // Both at once: waiting would delay the second key until it counts.
      const { keyboard } = window.page;
      await Promise.all([keyboard.press('ArrowDown'), keyboard.press('Enter')]);
      await window.quickInput.waitFor('run_shell');
      assert.ok(await countdown(), `answered by a key after ${timing} ms`);
    }
    await window.quickInput.choose('run_shell', 'Reject once');
    await noQuestions();
  });

  it('a question stays pending after Escape', async () => {
    await ask('ask permission');
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.close();
    const before = await countdown();
    const passed = (seconds: number) =>
      until('time to pass', async () => secondsOf(before) - secondsOf(await countdown()) > seconds);
    // Users may press Escape more often than needed.
    await chat.composer.press('Escape');
    await chat.composer.press('Escape');
    await passed(3);
    assert.equal(await window.quickInput.isOpen(), false);
    assert.ok(service.state.sessions().some(({ run }) => run === 'paused'));
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.choose('run_shell', 'Allow always');
    await chat.lastReply.getByText('Allowed always').waitFor();
    await noQuestions();
    await focusIsBack();
    await window.runCommand('Interns: Show Permissions You Always Allowed');
    await window.quickInput.waitFor('Permissions you always allowed');
    assert.deepEqual(
      (await window.quickInput.rows()).map(({ label }) => label),
      ['run_shell'],
    );
    await window.quickInput.escape();
  });

  it('no dialog of a question opens while the user types elsewhere', async () => {
    await ask('ask permission');
    await window.runCommand('File: New Untitled Text File');
    const typed = 'typing goes on';
    for (const letter of typed) {
      await window.page.keyboard.type(letter, { delay: 40 });
      await window.page.keyboard.press('Enter');
    }
    assert.equal(await window.quickInput.isOpen(), false);
    assert.ok(await countdown());
    const toast = window.page.locator('.notification-toast').filter({ hasText: 'run_shell' });
    await toast.getByText('Answer', { exact: true }).click();
    await window.quickInput.choose('run_shell', 'Cancel the question');
    await noQuestions();
    await toast.waitFor({ state: 'detached' });
    await window.runCommand('View: Revert and Close Editor');
  });
});

/** The seconds of a text such as `1 question · 4:59`. */
function secondsOf(countdown: string | undefined): number {
  const [, minutes = '0', seconds = '0'] = /(\d+):(\d\d)/.exec(countdown ?? '') ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
