import assert from 'node:assert/strict';
import { Chat, storeSecret } from '../../harness/chat.ts';
import { seen } from '../../harness/seen.ts';
import { until } from '../../harness/until.ts';
import type { ServedWindow, VSCodeWindow } from '../../harness/window.ts';
import type { QuickInput } from '../../harness/quickInput.ts';
import type { Service } from '../../service/service.ts';

/** Defines the tests of the steps of every user. They leave a chat open, and take a screenshot with this name. */
export function tellMainStory(opened: () => ServedWindow, screenshot: string): void {
  let window: VSCodeWindow;
  let service: Service;
  let quickInput: QuickInput;
  let chat: Chat;

  before(() => {
    ({ window, service } = opened());
    ({ quickInput } = window);
  });

  it('the user signs in with a pasted key', async () => {
    await signIn(opened());
    await window.showViews('Interns');
    await window.statusShows('Orchard');
  });

  it('the user creates an intern that runs', async () => {
    await window.runCommand('Interns: Create Intern…');
    await quickInput.fill('(1/4)', 'grace');
    await quickInput.waitFor('(2/4)');
    await quickInput.accept();
    await quickInput.choose('(3/4)', 'No instructions');
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await window.treeShows('Interns', 'grace', 'Running');
    assert.ok(service.state.interns().some(({ name }) => name === 'grace'));
  });

  it('the chat shows a formatted reply', async () => {
    chat = await Chat.start(window);
    await chat.ask('markdown');
    await chat.frame.getByRole('table').first().waitFor();
    const copy = chat.button('Copy code').first();
    await copy.hover();
    await seen(copy);
  });

  it('the reply continues in the same message after a permission', async () => {
    const before = await chat.articles.count();
    await chat.send('ask permission');
    await quickInput.waitFor('run_shell');
    const rows = await quickInput.rows();
    assert.ok(
      rows.every(({ active }) => !active),
      'no row is active',
    );
    await quickInput.pick('Allow once');
    await chat.text('Allowed once').first().waitFor();
    await chat.idle();
    assert.equal(await chat.articles.count(), before + 2);
  });

  it('the user answers a form with one field', async () => {
    await chat.send('ask name');
    await seen(chat.button('Answer').last());
    await quickInput.fill(/name/, 'Ada Lovelace');
    await until('the review', async () =>
      (await quickInput.rows()).some(({ label }) => label === 'Accept'),
    );
    await quickInput.pick('Accept');
    await chat.frame.getByRole('cell', { name: 'string' }).waitFor();
    await chat.idle();
  });

  it('the user stores a secret with two hosts', async () => {
    await storeSecret(window, 'demo_token', 'API.example.com., www.example.com');
    await window.treeShows('Vault Secrets', 'demo_token');
    const stored = service.state.secrets('ws_orchard').find(({ name }) => name === 'demo_token');
    assert.deepEqual(stored?.hosts, ['api.example.com', 'www.example.com']);
  });

  it('the user answers a question that waited during a reload', async () => {
    await chat.send('ask permission');
    await quickInput.waitFor('run_shell');
    await quickInput.close();
    await window.reload();
    chat = await Chat.shown(window);
    await seen(chat.button('Answer').last());
    await window.runCommand('Interns: Answer Pending Question…');
    await quickInput.choose('run_shell', 'Reject once');
    await chat.text('Rejected once').first().waitFor();
    await chat.idle();
    await until('the earlier messages', async () => (await chat.articles.count()) > 4);
    await window.screenshot(screenshot);
  });
}

/** Signs in by the dialog, with a key as users paste it. */
export async function signIn({ window, service }: ServedWindow): Promise<void> {
  await window.runCommand('Interns: Sign In…');
  await window.quickInput.fill('Sign In', service.url);
  await window.quickInput.fillMasked('"Bearer test-key-owner" ');
  await window.quickInput.waitForClosed();
}
