import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import { Chat, storeSecret } from '../harness/chat.ts';

describe('the first run, in the installed VSIX', () => {
  let window: VSCodeWindow;

  useSignedIn({}, (opened) => ({ window } = opened));

  async function openWalkthrough(): Promise<void> {
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.quickInput.pick('Work with Interns');
    await window.page.locator('.getting-started-step').first().waitFor();
  }

  /** Waits until exactly these steps are ticked, by their titles. */
  async function ticked(...titles: readonly string[]): Promise<void> {
    const done = window.page.locator('.getting-started-step').filter({
      has: window.page.locator('.codicon.complete'),
    });
    await until(`ticks at ${titles.join(', ')}`, async () => {
      const texts = await done.locator('.step-title').allInnerTexts();
      return JSON.stringify(texts) === JSON.stringify(titles);
    });
  }

  it('the walkthrough checks a step when the user has done it in any way', async () => {
    await openWalkthrough();
    await ticked('Sign in');
    await window.showViews('Interns');
    await ticked('Sign in', 'Create an intern');
    const chat = await Chat.start(window);
    await chat.send('ask permission');
    await window.quickInput.choose('run_shell', 'Allow once');
    await chat.idle();
    await openWalkthrough();
    const first = ['Sign in', 'Create an intern', 'Give it a task', 'Answer its first question'];
    await ticked(...first);
    // Hides the views that would show the secret.
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
    await storeSecret(window, 'demo_token', 'api.example.com');
    await ticked(...first, 'Store a secret in the vault');
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
  });
});
