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

describe('conversations, in the installed VSIX', () => {
  let folder: TemporaryFolder;
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;

  before(async () => {
    folder = closing.use(await temporaryFolder());
    await writeFile(path.join(folder.path, 'main.ts'), 'export const answer = 42;\n');
    ({ window, service } = closing.use(
      await openSignedIn({
        folder: folder.path,
        service: { brain: (turn) => (turn.prompt === 'diff' ? say(diff) : scriptedBrain(turn)) },
        settings: { 'files.simpleDialog.enable': true },
      }),
    ));
    await window.showViews('Interns');
    chat = await Chat.start(window);
  });

  const labels = async (): Promise<readonly string[]> =>
    (await window.treeRows('Conversations')).map(({ label }) => label);

  it('the list shows a conversation by its first words', async () => {
    await chat.ask('echo Water the plants');
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
    await window.runCommand('Interns: Focus on Conversations View');
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
    const has = async () => (await labels()).some((label) => label.includes('Garden'));
    const { keyboard } = window.page;
    const remove = async () => {
      await window.runCommand('Interns: Focus on Conversations View');
      await keyboard.press('Home');
      await keyboard.press('Delete');
      const toast = await window.notification('Deleted “');
      await until('it to leave the list', async () => !(await has()));
      return toast;
    };
    const toast = await remove();
    await until('its tab to close', async () =>
      (await window.tabs()).every((title) => !title.includes('Garden')),
    );
    await toast.getByRole('button', { name: 'Undo' }).click();
    await until('it to be back', has);
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
});
