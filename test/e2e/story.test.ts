import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { until } from '../harness/until.ts';
import { openVSCode, type VSCodeWindow } from '../harness/window.ts';
import { startService, type Service } from '../service/service.ts';

/** A key of the local service's own, which is worth nothing anywhere else. */
const apiKey = 'test-key-owner';

describe('the whole story of a new user, in the installed VSIX', () => {
  let service: Service;
  let window: VSCodeWindow;
  let chat: Frame;

  before(async () => {
    service = await startService({ provisioningMs: 300 });
    window = await openVSCode();
  });

  after(async () => {
    await window.close();
    await service.close();
  });

  async function prompt(text: string): Promise<void> {
    const composer = chat.getByRole('textbox', { name: /^Message/ });
    await composer.fill(text);
    await composer.press('Enter');
  }

  async function idle(): Promise<void> {
    const stop = chat.getByRole('button', { name: 'Stop', exact: true });
    await until('the run to end', async () => (await stop.count()) === 0);
  }

  it('signs in with a key that is checked first, and says who it is', async () => {
    await window.runCommand('Interns: Sign In…');
    await window.quickInput.waitFor('Sign In');
    await window.quickInput.type(service.url);
    await window.quickInput.accept();
    await until('the key box', () => window.quickInput.isPassword());
    await window.quickInput.type('test-key-nobody');
    await window.quickInput.accept();
    await window.quickInput.waitForMessage(/does not know/);
    await window.quickInput.type(`"Bearer ${apiKey}" `);
    await window.quickInput.accept();
    await window.quickInput.waitForClosed();
    await window.showViews('Interns');
    await window.screenshot('story-signed-in');
  });

  it('creates an intern and sees it become running', async () => {
    await window.runCommand('Interns: Create Intern…');
    const { quickInput } = window;
    await quickInput.waitFor('Create Intern');
    await quickInput.type('Grace');
    await quickInput.waitForMessage(/lowercase|letter/i);
    await window.screenshot('story-create-name');
    await quickInput.type('grace');
    await quickInput.accept();
    await until('the description', async () => (await quickInput.value()) === '');
    await quickInput.accept();
    await quickInput.pick('No instructions');
    await quickInput.pick('Start provisioning now');
    const row = await until('grace in the view', async () =>
      (await window.treeRows('Interns')).find(({ label }) => label === 'grace'),
    );
    assert.equal(row.level, 1);
    await window.screenshot('story-created');
  });

  it('chats, and the reply streams in as formatted text', async () => {
    await window.runCommand('Interns: Add Intern by ID…');
    await window.quickInput.waitFor('Add Intern by ID');
    await window.quickInput.type('intern_ada');
    await window.quickInput.accept();
    await until('the added intern', async () => (await window.treeRows('Interns')).length > 1);
    await window.runCommand('Interns: New Conversation…');
    await window.quickInput.waitFor('New Conversation');
    await window.quickInput.pick('intern_ada');
    chat = await window.webview();
    await chat.getByRole('textbox', { name: /^Message/ }).fill('markdown');
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    await chat.getByRole('heading').first().waitFor();
    await chat.getByRole('table').first().waitFor();
    await chat.getByRole('button', { name: 'Copy code' }).first().waitFor();
    await window.screenshot('story-markdown');
  });

  it('is asked for a permission, allows it, and the run goes on in the same message', async () => {
    const before = await chat.getByRole('article').count();
    await prompt('ask permission');
    await window.quickInput.waitFor('intern_ada');
    await window.screenshot('story-permission');
    const rows = await window.quickInput.rows();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Allow once', 'Allow always', 'Reject once', 'Reject always', 'Cancel the question'],
    );
    assert.ok(rows.every(({ active }) => !active));
    await window.quickInput.pick('Allow once');
    await chat.getByText('Allowed once').first().waitFor();
    await idle();
    assert.equal(await chat.getByRole('article').count(), before + 2);
    await window.screenshot('story-permission-answered');
  });

  it('is asked a form, field by field, reviews it, and its answer goes out with JSON types', async () => {
    const { quickInput } = window;
    await prompt('ask name');
    await chat.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await quickInput.waitFor(/name/i);
    await window.screenshot('story-field');
    await quickInput.type('Ada Lovelace');
    await quickInput.accept();
    await until('the review', async () =>
      (await quickInput.rows()).some(({ label }) => label === 'Accept'),
    );
    await window.screenshot('story-review');
    assert.ok((await quickInput.rows()).every(({ active }) => !active));
    await quickInput.pick('Accept');
    await chat.getByRole('cell', { name: 'string' }).waitFor();
    await idle();
  });

  it('keeps a question through a reload of the window, and the answer goes on with the stream', async () => {
    await prompt('ask permission');
    await window.quickInput.waitFor('intern_ada');
    await window.quickInput.escape();
    await window.quickInput.waitForClosed();
    await window.reload();
    chat = await window.webview();
    await chat.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await window.screenshot('story-after-reload');
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.waitFor('intern_ada');
    await window.quickInput.pick('Reject once');
    await chat.getByText('Rejected once').first().waitFor();
    await idle();
  });

  it('stops a run, and says what that means', async () => {
    await prompt('slow 30');
    await chat.getByRole('button', { name: 'Stop', exact: true }).click();
    await chat.getByText(/notices within 30 seconds/).waitFor();
    await window.screenshot('story-stopped');
  });

  it('stores a vault secret whose value is nowhere in the editor', async () => {
    await window.runCommand('Interns: Set Vault Secret…');
    const { quickInput } = window;
    await quickInput.waitFor('Set Vault Secret');
    await quickInput.type('demo_token');
    await quickInput.accept();
    await until('hosts', async () => (await quickInput.value()) === '');
    await quickInput.type('API.example.com., www.example.com');
    await quickInput.accept();
    await quickInput.pick('Type the value');
    await until('the value box', () => quickInput.isPassword());
    await quickInput.type('placeholder-value');
    await quickInput.accept();
    await until('the secret in the view', async () =>
      (await window.treeRows('Vault Secrets')).some(({ label }) => label === 'demo_token'),
    );
    await window.screenshot('story-secret');
  });
});
