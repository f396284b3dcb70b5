import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Chat } from '../harness/chat.ts';
import { MainStory } from './support/mainStory.ts';

describe('the main story, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let story: MainStory;
  let chat: Chat;

  before(async () => {
    const opened = closing.use(await openServed({ service: { provisioningMs: 300 } }));
    ({ window } = opened);
    story = new MainStory(opened);
  });

  it('signs in, creates an intern and chats', async () => {
    await story.signIn();
    await story.create('grace');
    chat = await story.chat();
  });

  it('answers a permission and a form', async () => {
    await story.allow(chat);
    await story.answer(chat);
  });

  it('stores a secret in the vault', () => story.storeSecret('demo_token'));

  it('restores a conversation with its question after a reload', async () => {
    await story.reload(chat);
    await window.screenshot('story-reloaded');
  });
});
