import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../harness/paths.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type OpenOptions, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { MainStory } from './support/mainStory.ts';

/** The windows of the main story. story.test.ts has the newest VS Code in a trusted folder. */
const windows: Readonly<Record<string, OpenOptions>> = {
  'the oldest VS Code': { release: 'oldest' },
  'an untrusted folder': { trust: false, settings: { 'interns.approvalMode': 'self-drive' } },
};

for (const [where, options] of Object.entries(windows)) {
  describe(`the main story in ${where}`, () => {
    /** The paths of all requests. */
    const asked: string[] = [];
    const closing = useClosing();
    let service: Service;
    let window: VSCodeWindow;
    let story: MainStory;
    let chat: Chat;

    before(async () => {
      const folder = closing.use(await temporaryFolder());
      const prompts = path.join(folder.path, '.github', 'prompts');
      await mkdir(prompts, { recursive: true });
      await writeFile(path.join(prompts, 'review.prompt.md'), 'Review it.');
      const observer = { onRequest: ({ path }: { path: string }) => asked.push(path) };
      const signIn = ({ url }: Service) => ({
        env: { INTERNS_BASE_URL: url, INTERNS_API_KEY: 'test-key-second' },
      });
      const opened = closing.use(
        await openServed(
          { ...options, folder: folder.path, service: { provisioningMs: 300, observer } },
          options.trust === false ? signIn : undefined,
        ),
      );
      ({ window, service } = opened);
      story = new MainStory(opened);
    });

    if (options.trust === false) {
      it('sends the key of the environment only after the user agrees', async () => {
        const question = await window.notification('This untrusted folder sets');
        await window.screenshot('ends-untrusted-root');
        assert.ok((await question.innerText()).includes(service.url));
        assert.deepEqual(asked, []);
        await question.getByRole('button', { name: 'Don’t Send' }).click();
        await window.reload();
        await window.showViews('Interns');
        await until('the view of those who are not signed in', async () =>
          (await window.view('Interns').innerText()).includes('Sign In'),
        );
        assert.deepEqual(await window.notifications(), []);
        assert.deepEqual(asked, []);
      });
    }

    it('signs in, creates an intern and chats', async () => {
      await story.signIn();
      await story.create('grace');
      chat = await story.chat();
      await window.screenshot(`ends-${options.release ?? 'untrusted'}-chat`);
    });

    it('answers a permission and a form', async () => {
      await story.allow(chat);
      await story.answer(chat);
    });

    it('stores a secret in the vault', () => story.storeSecret('demo_token'));

    if (options.trust === false) {
      it('disables self-drive in an untrusted folder', async () => {
        const mode = chat.frame.getByRole('combobox', { name: 'Approval mode' });
        assert.equal(await mode.inputValue(), 'manual');
        const selfDrive = mode.getByRole('option', { name: /^Self-drive/ });
        assert.ok(await selfDrive.isDisabled());
        const told = `${(await mode.getAttribute('title')) ?? ''} ${await mode.innerText()}`;
        assert.match(told, /untrusted/);
        await chat.ask('echo still manual');
        await window.screenshot('ends-untrusted-mode');
      });
    }

    it('restores a conversation with its question after a reload', async () => {
      chat = await story.reload(chat);
      await until('the reply of before', async () => (await chat.articles.count()) > 4);
      await window.screenshot(`ends-${options.release ?? 'untrusted'}-reloaded`);
    });

    if (options.trust === false) {
      it('lists prompt files as soon as the folder is trusted', async () => {
        const row = chat.frame.getByRole('option');
        await chat.composer.pressSequentially('/');
        await seen(row.filter({ hasText: 'Restricted Mode' }));
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
        await seen(row.filter({ hasText: 'review' }));
        await chat.composer.fill('');
      });
    }
  });
}
