import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, type ServedWindow, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';

/**
 * Milliseconds after a dialog was asked for at which keys come that were meant for elsewhere. Well below the half second:
 * a busy machine delivers them later. The suites in the extension host try 200 moments by their own clock.
 */
const strayKeyTimings = [0, 50];

/**
 * How long after a question its dialog may open before a user who watches, in milliseconds: two seconds (issue), and what a
 * machine that is busy with something else takes on top.
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

describe('questions of interns', () => {
  let signedIn: ServedWindow | undefined;
  let window: VSCodeWindow;
  let service: Service;
  /** The chat in which was asked last: that of the first conversation, unless a test needs another one. */
  let chat: Chat;

  const open = async () => {
    // On a busy machine a suggestion may open just before the Enter that is typed as a line break.
    signedIn = await openSignedIn({ settings: { 'editor.wordBasedSuggestions': 'off' } });
    ({ window, service } = signedIn);
    chat = await Chat.start(window);
  };

  let hasFailed = false;

  before(open);

  // Before the next test rather than after the failed one, whose window is still to be shown.
  beforeEach(async () => {
    if (!hasFailed) return;
    // What a failed test leaves open would be asked in the next one.
    await signedIn?.[Symbol.asyncDispose]();
    await open();
    hasFailed = false;
  });

  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });

  after(() => signedIn?.[Symbol.asyncDispose]());

  /** Sends a prompt in the chat in sight, whose page is another one where an editor was shown in its place. */
  async function ask(prompt: string): Promise<void> {
    chat = await Chat.shown(window);
    await chat.send(prompt);
  }

  /** Sends a prompt, waits until its question's dialog is there, and leaves that. */
  async function askAndEscape(prompt: string, title: string): Promise<void> {
    await ask(prompt);
    await window.quickInput.waitFor(title);
    await window.quickInput.escape();
    await window.quickInput.waitForClosed();
  }

  /** `2 questions · 3:41`, or undefined where no question waits. */
  async function countdown(): Promise<string | undefined> {
    return (await window.statusBar()).find((text) => /questions? ·/.test(text));
  }

  /** Waits until the composer has the focus again, as it does after an answer: that would close another dialog. */
  async function focusIsBack(): Promise<void> {
    await until('the focus in the composer', () =>
      chat.frame.locator('textarea:focus, [role=textbox]:focus').isVisible(),
    );
  }

  async function noQuestions(): Promise<void> {
    await until('no question to wait', async () => (await countdown()) === undefined);
  }

  it('open by themselves before a user who watches, with nothing chosen for them', async () => {
    await ask('ask permission');
    // Nothing else happens from here on: what opens the dialog is the question alone.
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
    await window.screenshot('question-permission');
    await window.quickInput.pick('Allow once');
    await chat.lastReply.getByText('Allowed once').waitFor();
    await focusIsBack();
    await noQuestions();
  });

  it('are told of under Do Not Disturb too: to a screen reader, on the icon, in the tree, the tab and the status bar', async () => {
    await window.runCommand('Notifications: Toggle Do Not Disturb Mode');
    await ask('ask permission');
    const announced = chat.frame.locator('[aria-live=assertive]');
    await announced.filter({ hasText: 'May “run_shell” run?' }).waitFor({ state: 'attached' });
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.escape();
    await window.quickInput.waitForClosed();
    await window.runCommand('File: New Untitled Text File');
    const icon = window.page.locator('.activitybar .action-item').filter({
      has: window.page.locator('[aria-label*="Interns"]'),
    });
    const badge = icon.locator('.badge-content');
    await until('the badge', async () => (await badge.innerText()) === '1');
    await window.showViews('Interns');
    await until('the intern to wait in the tree', async () =>
      (await window.treeRows('Interns')).some(({ description }) =>
        description.includes('question'),
      ),
    );
    assert.ok((await window.tabs()).some((title) => title.endsWith('(asks you)')));
    assert.match((await countdown()) ?? '', /^1 question · \d:\d\d$/);
    assert.deepEqual(await window.notifications(), []);
    await window.runCommand('Notifications: Toggle Do Not Disturb Mode');
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.choose('run_shell', 'Cancel the question');
    await noQuestions();
    await window.closeTab();
  });

  it('take no stray key in their first half second, whenever it comes', async () => {
    await ask('ask permission');
    await window.quickInput.waitFor('run_shell');
    for (const timing of strayKeyTimings) {
      await window.quickInput.escape();
      await window.quickInput.waitForClosed();
      await (await seen(chat.button('Answer').last())).click();
      await window.page.waitForTimeout(timing);
      // At once: waiting for the one would keep the other until it may count.
      const { keyboard } = window.page;
      await Promise.all([keyboard.press('ArrowDown'), keyboard.press('Enter')]);
      await window.quickInput.waitFor('run_shell');
      assert.ok(await countdown(), `answered by a key after ${timing} ms`);
    }
    await window.quickInput.choose('run_shell', 'Reject once');
    await noQuestions();
  });

  it('are rejected with a reason by the keyboard alone, which is the next prompt', async () => {
    await ask('ask permission');
    const { quickInput, page } = window;
    await quickInput.waitFor('run_shell');
    await page.waitForTimeout(600);
    for (let row = 0; row < 5; row += 1) await page.keyboard.press('ArrowDown');
    const rows = await quickInput.rows();
    assert.equal(rows.find(({ active }) => active)?.label, 'Reject and say why…');
    await page.keyboard.press('Enter');
    await quickInput.waitFor('Reject “run_shell” and say why');
    await page.keyboard.type('echo Use the tests');
    await window.screenshot('question-reason');
    await page.keyboard.press('Enter');
    await until('the reason to be a prompt', async () =>
      (await chat.lastReply.innerText()).includes('Use the tests'),
    );
    await chat.text('You chose reject_once').last().waitFor();
    await chat.idle();
    await noQuestions();
    await focusIsBack();
  });

  it('stay pending after Escape, do not come back by themselves, and do when asked for', async () => {
    await askAndEscape('ask permission', 'run_shell');
    const before = await countdown();
    const passed = (seconds: number) =>
      until('time to pass', async () => secondsOf(before) - secondsOf(await countdown()) > seconds);
    // Whoever only wants to leave the dialog may press it more often than it takes.
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
    await window.runCommand('Interns: Show What Was Allowed Always');
    await window.quickInput.waitFor('Allowed always');
    assert.deepEqual(
      (await window.quickInput.rows()).map(({ label }) => label),
      ['run_shell'],
    );
    await window.quickInput.escape();
  });

  it('leave a user alone who types elsewhere: the keys go where they were meant', async () => {
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

/** Seconds left, of `1 question · 4:59`. */
function secondsOf(countdown: string | undefined): number {
  const [, minutes = '0', seconds = '0'] = /(\d+):(\d\d)/.exec(countdown ?? '') ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
