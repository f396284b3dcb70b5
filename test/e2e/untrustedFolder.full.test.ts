import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../harness/paths.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type ServedWindow, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from '../harness/chat.ts';
import { signIn } from './support/mainStory.ts';

describe('an untrusted folder, in the installed VSIX', () => {
  /** The paths of all requests. */
  const asked: string[] = [];
  const closing = useClosing();
  let opened: ServedWindow;
  let window: VSCodeWindow;

  before(async () => {
    const folder = closing.use(await temporaryFolder());
    const prompts = path.join(folder.path, '.github', 'prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(path.join(prompts, 'review.prompt.md'), 'Review it.');
    const observer = { onRequest: ({ path }: { path: string }) => asked.push(path) };
    opened = closing.use(
      await openServed(
        {
          folder: folder.path,
          trust: false,
          settings: { 'interns.approvalMode': 'self-drive' },
          service: { observer },
        },
        ({ url }) => ({ env: { INTERNS_BASE_URL: url, INTERNS_API_KEY: 'test-key-second' } }),
      ),
    );
    ({ window } = opened);
  });

  it('an untrusted folder sends the key of the environment only after the user agrees', async () => {
    const question = await window.notification('This untrusted folder sets');
    await window.screenshot('untrusted-url');
    assert.ok((await question.innerText()).includes(opened.service.url));
    assert.deepEqual(asked, []);
    await question.getByRole('button', { name: 'Don’t Send or Ask Again' }).click();
    await window.reload();
    await window.showViews('Interns');
    await until('the view of those who are not signed in', async () =>
      (await window.view('Interns').innerText()).includes('Sign In'),
    );
    assert.deepEqual(await window.notifications(), []);
    assert.deepEqual(asked, []);
  });

  it('an untrusted folder disables self-drive', async () => {
    await signIn(opened);
    await window.runCommand('Interns: Add Intern by ID…');
    await window.quickInput.fill('Add Intern by ID', 'intern_ada');
    await window.treeShows('Interns', 'intern_ada');
    const chat = await Chat.start(window);
    const mode = chat.frame.getByRole('combobox', { name: 'Approval mode' });
    assert.equal(await mode.inputValue(), 'manual');
    const selfDrive = mode.getByRole('option', { name: /^Self-drive/ });
    assert.ok(await selfDrive.isDisabled());
    const told = `${(await mode.getAttribute('title')) ?? ''} ${await mode.innerText()}`;
    assert.match(told, /Restricted Mode/);
    await chat.ask('echo still manual');
    await window.screenshot('untrusted-mode');
  });

  it('the list of prompt files fills as soon as the folder is trusted', async () => {
    let chat = await Chat.shown(window);
    const listed = (text: string) => seen(chat.frame.getByRole('option').filter({ hasText: text }));
    await chat.composer.pressSequentially('/');
    await listed('Restricted Mode');
    await chat.composer.press('Enter');
    await window.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await window.page.getByText('You trust this folder').first().waitFor();
    const modal = window.page.locator('.monaco-modal-editor-block');
    await modal
      .getByRole('button', { name: /^Close/ })
      .first()
      .click();
    await modal.waitFor({ state: 'hidden' });
    chat = await Chat.shown(window);
    assert.equal(await chat.composer.inputValue(), '/');
    await chat.composer.press('End');
    await chat.composer.pressSequentially('r');
    await listed('review');
  });
});
