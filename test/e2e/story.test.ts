import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Chat } from '../harness/chat.ts';
import { MainStory } from './support/mainStory.ts';

describe('the whole story of a new user, in the installed VSIX', () => {
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
    await window.screenshot('story-chat');
  });

  it('is asked for a permission and for an answer', async () => {
    await story.allow(chat);
    await story.answer(chat);
    await window.screenshot('story-answered');
  });

  it('stores a secret', () => story.storeSecret('demo_token'));

  it('keeps the conversation and its question through a reload', async () => {
    await story.reload(chat);
    await window.screenshot('story-reloaded');
  });
});
