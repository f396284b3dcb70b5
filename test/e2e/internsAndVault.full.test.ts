import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Chat, storeSecret } from '../harness/chat.ts';
import { temporaryFolder } from '../harness/paths.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';

const secretValue = 'test-value-not-real';

const env = `API_KEY=${secretValue}-1
DB_PASSWORD="${secretValue} 2"
api.key=${secretValue}-3
EMPTY=
`;

async function openWalkthrough(window: VSCodeWindow): Promise<void> {
  await window.runCommand('Welcome: Open Walkthrough...');
  await window.quickInput.pick('Work with Interns');
  await window.page.locator('.getting-started-step').first().waitFor();
}

/** Waits until exactly these steps are ticked, by their titles. */
async function ticked(window: VSCodeWindow, ...titles: readonly string[]): Promise<void> {
  const done = window.page.locator('.getting-started-step').filter({
    has: window.page.locator('.codicon.complete'),
  });
  await until(`ticks at ${titles.join(', ')}`, async () => {
    const texts = await done.locator('.step-title').allInnerTexts();
    return JSON.stringify(texts) === JSON.stringify(titles);
  });
}

describe('the walkthrough, in the installed VSIX', () => {
  let window: VSCodeWindow;
  useSignedIn({}, (opened) => ({ window } = opened));

  it('the walkthrough checks the steps that were done before it first opened', async () => {
    await window.showViews('Interns');
    await window.treeShows('Interns', 'ada', 'Running');
    await storeSecret(window, 'demo_token', 'api.example.com');
    // VS Code registers the steps now.
    await openWalkthrough(window);
    await ticked(window, 'Sign in', 'Create an intern', 'Store a secret in the vault');
  });
});

describe('the walkthrough, interns and the vault, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;

  before(async () => {
    const folder = closing.use(await temporaryFolder());
    const workspace = path.join(folder.path, 'workspace');
    await mkdir(workspace);
    await writeFile(path.join(workspace, '.env'), env);
    ({ window, service } = closing.use(
      await openSignedIn({
        folder: workspace,
        service: { provisioningMs: 1000 },
        interns: [
          ...['intern_ada', 'intern_carl', 'intern_dora', 'intern_emil', 'intern_fay'],
          ...['intern_gus', 'intern_hal', 'intern_ida'],
        ],
      }),
    ));
  });

  afterEach(() => window.quickInput.close());

  it('the walkthrough checks a step when the user has done it in any way', async () => {
    await openWalkthrough(window);
    await ticked(window, 'Sign in');
    await window.showViews('Interns');
    await ticked(window, 'Sign in', 'Create an intern');
    await until('the interns', async () => (await window.treeRows('Interns')).length === 8);
    await window.runCommand('Interns: New Conversation…');
    await window.quickInput.pick('ada');
    const chat = await Chat.shown(window, ({ composer }) => composer.isVisible());
    await chat.send('ask permission');
    await window.quickInput.choose('run_shell', 'Allow once');
    await chat.idle();
    await openWalkthrough(window);
    const first = ['Sign in', 'Create an intern', 'Give it a task', 'Answer its first question'];
    await ticked(window, ...first);
    // Hides the views that would show the secret.
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
    await storeSecret(window, 'demo_token', 'api.example.com');
    await ticked(window, ...first, 'Store a secret in the vault');
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
    await window.runCommand('View: Close All Editors');
  });

  it('the create dialog takes the instructions from an editor', async () => {
    const { quickInput, page } = window;
    await window.runCommand('Interns: Create Intern…');
    await quickInput.fill('(1/4)', 'lovelace');
    await quickInput.fill('(2/4)', 'Reviews pull requests');
    await quickInput.choose('(3/4)', 'Write in an editor…');
    const use = page.getByRole('button', { name: 'Use This Text' });
    await use.waitFor();
    await window.editorHasFocus();
    await page.keyboard.type('# Be kind');
    await window.statusShows('9 of 100,000 characters');
    await use.click();
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await window.treeShows('Interns', 'lovelace', 'Running');
    const created = service.state.interns().find(({ name }) => name === 'lovelace');
    assert.equal(created?.instructions, '# Be kind');
  });

  it('the import of a .env file shows none of its values', async () => {
    const { quickInput, page } = window;
    await page.keyboard.press('Control+P');
    await quickInput.type('.env');
    await until('.env', async () => (await quickInput.rows())[0]?.label === '.env');
    await quickInput.accept();
    await page.locator('.view-line').first().click();
    // Before the bulb shows, VS Code may ignore the key.
    await page.locator('[class*="lightbulb" i]:visible').first().waitFor();
    await page.keyboard.press('Control+.');
    await page.getByText('Store in the vault…').first().waitFor();
    await page.keyboard.press('Enter');
    await quickInput.fill('Hosts for API_KEY', 'a.example.com');
    await quickInput.pick('Store 1 secret');
    await window.notification('Stored api_key');
    await window.runCommand('Interns: Import Vault Secrets from .env…');
    await quickInput.pick('.env');
    const entries = await until('the entries', async () => {
      const rows = await quickInput.rows();
      return rows.length === 3 && rows[0]?.label === 'API_KEY' && rows;
    });
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(secretValue));
    await quickInput.accept();
    await quickInput.fill('Name for api.key', 'other_key');
    await quickInput.fill('Hosts for 2 Secrets', 'a.example.com');
    await until(
      'the preview',
      async () => (await quickInput.rows())[0]?.label === 'Store 3 secrets',
    );
    await quickInput.pick('Store 3 secrets');
    await until('the results', async () => (await quickInput.rows())[0]?.label === 'Done');
    await quickInput.pick('Done');
    const names = service.state.secrets('ws_orchard').map(({ name }) => name);
    for (const name of ['api_key', 'db_password', 'other_key'])
      assert.ok(names.includes(name), name);
  });
});
