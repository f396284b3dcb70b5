import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { temporaryFolder, type TemporaryFolder } from '../harness/paths.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { scriptedBrain } from '../service/scripts/prompts.ts';
import { say } from '../service/scripts/text.ts';
import { Chat } from '../harness/chat.ts';

const diff =
  '```diff\n--- a/main.ts\n+++ b/main.ts\n@@ -1 +1 @@\n-export const answer = 42;\n+export const answer = 43;\n```\n';

/** How long one Enter in the file box may take, in milliseconds. */
const acceptMs = 1_000;

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

let folder: TemporaryFolder;
let window: VSCodeWindow;
let service: Service;

describe('conversations and questions, in the installed VSIX', () => {
  const closing = useClosing();

  before(async () => {
    folder = closing.use(await temporaryFolder());
    await writeFile(path.join(folder.path, 'main.ts'), 'export const answer = 42;\n');
    ({ window, service } = closing.use(
      await openSignedIn({
        folder: folder.path,
        service: { brain: (turn) => (turn.prompt === 'diff' ? say(diff) : scriptedBrain(turn)) },
        settings: {
          'files.simpleDialog.enable': true,
          // On a busy machine, a suggestion could open just before a typed Enter.
          'editor.wordBasedSuggestions': 'off',
        },
      }),
    ));
  });

  describe('conversations', conversations);
  describe('questions of interns', questions);
});

function conversations(): void {
  let chat: Chat;

  before(async () => {
    await window.showViews('Interns');
    chat = await Chat.start(window);
    await chat.ask('echo Water the plants');
  });

  const labels = async (): Promise<readonly string[]> =>
    (await window.treeRows('Conversations')).map(({ label }) => label);

  it('the list shows a conversation by its first words', async () => {
    await window.treeShows('Conversations', 'echo Water the plants', 'ada');
    await window.tabShows('echo Water the plants');
  });

  it('a command copies the session ID of a conversation', async () => {
    const [session] = service.state.sessions();
    const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()');
    await window.runFromMenu('Copy Session ID');
    await until('the session', async () => (await clipboard()) === session?.id);
    const row = window.view('Conversations').getByText('echo Water the plants').first();
    await row.hover();
    await window.page.locator('.monaco-hover').getByText(`Session ID: ${session?.id}`).waitFor();
  });

  it('F2 renames the focused conversation in the list and on the tab', async () => {
    await window.focusView('Conversations');
    await window.page.keyboard.press('Home');
    await window.page.keyboard.press('F2');
    await window.quickInput.fill(
      'Rename Conversation',
      '$(zap) Garden [x](command:workbench.action.quit)',
    );
    await until('the name in the list', async () =>
      (await labels()).some((label) => label.includes('Garden')),
    );
    await window.tabShows('Garden');
  });

  it('the user archives and pins a conversation', async () => {
    const description = async () => (await window.treeRows('Conversations'))[0]?.description;
    await window.runFromMenu('Archive Conversation');
    await until('no row', async () => (await description()) === undefined);
    await window.runFromMenu('Show Archived Conversations', 'Conversations');
    await until('the archived row', async () => (await description())?.includes('Archived'));
    await window.runFromMenu('Pin Conversation');
    await until('the pinned row', async () => (await description())?.includes('Pinned'));
    await window.runFromMenu('Hide Archived Conversations', 'Conversations');
  });

  it('the user exports a conversation without the API key', async () => {
    const { quickInput } = window;
    await window.runCommand('Interns: Export Conversation…');
    await until('the proposed name', async () => (await quickInput.value()).endsWith('.md'));
    await until('the box to take it', async () => {
      if (!(await quickInput.isOpen())) return true;
      await quickInput.accept(acceptMs);
      return false;
    });
    const text = await until('the file', async () => {
      const [name] = (await readdir(folder.path)).filter((each) => each.endsWith('.md'));
      return name !== undefined && (await readFile(path.join(folder.path, name), 'utf8'));
    });
    assert.ok(text.includes('Water the plants'));
    assert.ok(!text.includes('test-key-owner'));
    await window.page.getByRole('tab', { name: /\.md/ }).waitFor();
    await window.closeTab();
    chat = await Chat.shown(window);
  });

  it('Ctrl+F searches the chat only while the chat has the focus', async () => {
    const { page } = window;
    const find = chat.frame.getByRole('search');
    await chat.composer.focus();
    await window.runCommand('Output: Focus on Output View');
    await page.locator('.panel .monaco-editor .view-lines').click({ force: true });
    await page.locator('.panel .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+f');
    await page.locator('.panel .find-widget.visible').waitFor();
    await window.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list:focus').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Control+Alt+f');
    await page.locator('.explorer-folders-view .monaco-tree-type-filter').waitFor();
    assert.equal(await find.isVisible(), false);
    await window.runCommand('View: Toggle Panel Visibility');
    await chat.composer.click();
    await page.keyboard.press('Control+f');
    await find.waitFor();
    await page.keyboard.type('plants');
    await chat.frame.getByText('2 of 2', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'hidden' });
    await window.showViews('Interns');
  });

  it('the user opens replies as text and the accessibility help by key', async () => {
    const { page } = window;
    await chat.ask('echo And [feed](command:workbench.action.quit) the cat');
    const editor = page.locator('.editor-instance .view-lines');
    await page.keyboard.press('Alt+F2');
    await editor.filter({ hasText: 'the cat' }).waitFor();
    await page.getByRole('tab', { name: /ada 2\.md/ }).waitFor();
    const links = await page.locator('.editor-instance .detected-link').allInnerTexts();
    assert.ok(!links.join('').includes('command:'), 'a link that would run a command');
    await window.editorHasFocus();
    await page.keyboard.press('Shift+Alt+PageUp');
    await editor.filter({ hasText: 'Water the plants' }).waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('x');
    assert.doesNotMatch(await editor.innerText(), /x$/);
    await page.keyboard.press('Escape');
    chat = await Chat.shown(window);
    await seen(chat.frame.locator('article:focus', { hasText: 'Water the plants' }));
    await chat.composer.focus();
    // VS Code learns late that the chat has the focus, and then enables its keys.
    await until('a message to have the focus', async () => {
      await page.keyboard.press('Shift+Alt+PageUp');
      return isSeen(chat.frame.locator('article:focus'));
    });
    await page.keyboard.press('Alt+F1');
    await editor.filter({ hasText: 'Open the reply as text' }).waitFor();
    await page.locator('.detected-link').filter({ hasText: 'Keyboard' }).waitFor();
    await editor.click();
    await page.keyboard.press('Escape');
    chat = await Chat.shown(window);
    await seen(chat.frame.locator('article:focus'));
  });

  it('Delete removes the focused conversation with its tab, and Undo restores it', async () => {
    const isListed = async () => (await labels()).length > 0;
    const { keyboard } = window.page;
    const remove = async () => {
      await window.focusView('Conversations');
      await keyboard.press('Home');
      await keyboard.press('Delete');
      const toast = await window.notification('Deleted “');
      await until('it to leave the list', async () => !(await isListed()));
      return toast;
    };
    const toast = await remove();
    await until('its tab to close', async () =>
      (await window.tabs()).every((title) => !title.startsWith('ada')),
    );
    await toast.getByRole('button', { name: 'Undo' }).click();
    await until('it to be back', isListed);
    await remove();
  });

  it('the user applies a diff to a file after checking it in the preview', async () => {
    const file = path.join(folder.path, 'main.ts');
    chat = await Chat.start(window);
    await chat.ask('diff');
    await chat.button('Apply').click();
    const preview = window.page.locator('.bulk-edit-panel');
    const tick = preview.locator('.edit-checkbox').last();
    await tick.waitFor();
    assert.match(await readFile(file, 'utf8'), /42/, 'nothing is done unseen');
    await tick.click();
    await preview.locator('.edit-checkbox[aria-checked=true]').first().waitFor();
    await preview.getByRole('button', { name: 'Apply' }).click();
    // VS Code in a browser saves automatically.
    await until('the change', async () => (await readFile(file, 'utf8')).includes('43'));
  });
}

function questions(): void {
  /** The chat of the last question. */
  let chat: Chat;

  before(async () => {
    await window.runCommand('View: Close All Editors');
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
    await window.editorHasFocus();
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
}

/** The seconds of a text such as `1 question · 4:59`. */
function secondsOf(countdown: string | undefined): number {
  const [, minutes = '0', seconds = '0'] = /(\d+):(\d\d)/.exec(countdown ?? '') ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
