import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { openVSCode, type OpenOptions, type VSCodeWindow } from '../harness/window.ts';
import { startService, type Service } from '../service/service.ts';
import type { Chat } from './support/chat.ts';
import { MainStory } from './support/mainStory.ts';

/** The windows in which the main story is told; the newest VS Code with trust is that of story.test.ts. */
const windows: Readonly<Record<string, OpenOptions>> = {
  'the oldest VS Code': { release: 'oldest' },
  'an untrusted folder': { trust: false, settings: { 'interns.approvalMode': 'self-drive' } },
};

for (const [where, options] of Object.entries(windows)) {
  describe(`the main story in ${where}`, () => {
    let service: Service;
    let window: VSCodeWindow;
    let story: MainStory;
    let chat: Chat;

    before(async () => {
      service = await startService({ provisioningMs: 300 });
      window = await openVSCode(options);
      story = new MainStory(window, service);
    });

    after(async () => {
      await window.close();
      await service.close();
    });

    it('signs in, creates an intern and chats', async () => {
      await story.signIn();
      await story.create('grace');
      chat = await story.chat();
      await window.screenshot(`ends-${options.release ?? 'untrusted'}-chat`);
    });

    it('is asked for a permission and for an answer', async () => {
      await story.allow(chat);
      await story.answer(chat);
    });

    it('stores a secret', () => story.storeSecret('demo_token'));

    if (options.trust === false) {
      it('refuses self-drive, and says why', async () => {
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

    it('keeps the conversation and its question through a reload', async () => {
      chat = await story.reload(chat);
      await until('the reply of before', async () => (await chat.articles.count()) > 4);
      await window.screenshot(`ends-${options.release ?? 'untrusted'}-reloaded`);
    });
  });
}
