import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../harness/paths.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';

const secretValue = 'test-value-not-real';

const env = `API_KEY=${secretValue}-1
DB_PASSWORD="${secretValue} 2"
api.key=${secretValue}-3
EMPTY=
`;

const graceFile = {
  name: 'grace',
  description: 'Counts',
  instructions: 'Be brief',
  provision: true,
};

/** Its instructions are more than a row of a dialog can show. */
const heddaFile = {
  name: 'hedda',
  description: 'Reviews',
  instructions: `You review pull requests.\n\n${'Be brief, and kind. '.repeat(20)}`.trim(),
};

describe('interns and the vault, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;

  before(async () => {
    const folder = closing.use(await temporaryFolder());
    const workspace = path.join(folder.path, 'workspace');
    await mkdir(workspace);
    await writeFile(path.join(workspace, '.env'), env);
    await writeFile(path.join(workspace, 'grace.intern.json'), JSON.stringify(graceFile, null, 2));
    await writeFile(path.join(workspace, 'hedda.intern.json'), JSON.stringify(heddaFile));
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
    await window.showViews('Interns');
    await until('the interns', async () => (await window.treeRows('Interns')).length === 8);
  });

  afterEach(async () => {
    await window.quickInput.escape();
    await window.quickInput.waitForClosed();
  });

  /** Waits for a step of a dialog by its number, such as `2/4`. */
  async function step(number: string): Promise<void> {
    await window.quickInput.waitFor(`(${number})`);
  }

  async function enter(text: string): Promise<void> {
    await window.quickInput.enter(text);
  }

  async function intern(name: string, description: RegExp): Promise<void> {
    await until(`${name}: ${String(description)}`, async () =>
      (await window.treeRows('Interns')).some(
        (row) => row.label === name && description.test(row.description),
      ),
    );
  }

  async function openFile(name: string): Promise<void> {
    await window.page.keyboard.press('Control+P');
    await until('Go to File', () => window.quickInput.isOpen());
    await window.quickInput.type(name);
    await until(name, async () => (await window.quickInput.rows())[0]?.label === name);
    await window.quickInput.accept();
    await window.page.locator('.editor-container .view-line').first().waitFor();
  }

  it('shows every status in words, the failed ones with what the service said of it', async () => {
    await intern('dora', /^Failed · The machine image could not be started/);
    const rows = await window.treeRows('Interns');
    assert.deepEqual(
      rows.map(({ label, description }) => `${label}: ${description.split(' · ')[0] ?? ''}`),
      [
        'ada: Running',
        'emil: Queued',
        'fay: Provisioning',
        'gus: Awaiting Slack install',
        'dora: Failed',
        'ida: Destroying failed',
        'carl: Stopped',
        'hal: Being destroyed',
      ],
    );
    await window.screenshot('interns-statuses');
  });

  it('creates an intern with instructions from an editor, after a taken name, with all values kept', async () => {
    const { quickInput, page } = window;
    await window.runCommand('Interns: Create Intern…');
    await quickInput.fill('(1/4)', 'ada');
    await quickInput.fill('(2/4)', 'Reviews pull requests');
    await quickInput.choose('(3/4)', 'Write in an editor…');
    const use = page.getByRole('button', { name: 'Use This Text' });
    await use.waitFor();
    await page.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.type('# Be kind');
    await until('the count', async () =>
      (await window.statusBar()).includes('9 of 100,000 characters'),
    );
    await window.screenshot('interns-instructions');
    await use.click();
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await step('1/4');
    await quickInput.waitForMessage(/ada/);
    await window.screenshot('interns-taken-name');
    await enter('lovelace');
    await step('2/4');
    assert.equal(await quickInput.value(), 'Reviews pull requests');
    await quickInput.accept();
    await quickInput.choose('(3/4)', 'Write in an editor…');
    await use.waitFor();
    await page.locator('.view-line').getByText('# Be kind').waitFor();
    await use.click();
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await intern('lovelace', /^Running/);
    const created = service.state.interns().find(({ name }) => name === 'lovelace');
    assert.equal(created?.instructions, '# Be kind');
  });

  it('shows a create that was cut off, and resumes it into one intern', async () => {
    const { quickInput } = window;
    const cut = { kind: 'cut', afterBytes: 0 } as const;
    // The client tries a create four times by itself.
    service.faults.next('create', cut, cut, cut, cut);
    await window.runCommand('Interns: Create Intern…');
    await quickInput.fill('(1/4)', 'hopper');
    await quickInput.fill('(2/4)', '');
    await quickInput.choose('(3/4)', 'No instructions');
    await step('4/4');
    const later = window.page.locator('.monaco-list-row').filter({ hasText: 'Provision later' });
    await later.click();
    await until('the way to resume', async () =>
      (await quickInput.rows()).some(({ label }) => label === 'Resume the creation of hopper'),
    );
    await window.screenshot('interns-cut-off');
    await quickInput.escape();
    await intern('hopper', /Creation not finished/);
    await window.runCommand('Interns: Resume Creation…');
    await until('the resumed intern', async () =>
      (await window.treeRows('Interns')).some(
        ({ label, description }) => label === 'hopper' && !description.includes('Creation'),
      ),
    );
    const created = service.state.interns().filter(({ name }) => name === 'hopper');
    assert.equal(created.length, 1);
  });

  it('stores a secret whose hosts and value were told off first, and says what replacing it changes', async () => {
    const { quickInput } = window;
    await window.runCommand('Interns: Set Vault Secret…');
    await quickInput.fill('(1/4)', 'example_key');
    await step('2/4');
    await quickInput.type('https://a.example.com b.example.com:80');
    await quickInput.waitForMessage(/scheme.*port/);
    await quickInput.type('10.0.0.1 a_b.example.com');
    await quickInput.waitForMessage(/IP address.*underscore/);
    await window.screenshot('vault-unusual-hosts');
    await enter('A.example.com b.example.com');
    await quickInput.choose('(3/4)', 'Type the value');
    await until('the masked box', () => quickInput.isPassword());
    await quickInput.type('-----BEGIN');
    await quickInput.waitForMessage(/line breaks/);
    await enter(secretValue);
    await quickInput.waitForClosed();
    await until('the secret', async () =>
      (await window.treeRows('Vault Secrets')).some(({ label }) => label === 'example_key'),
    );
    const stored = service.state.secrets('ws_orchard');
    assert.deepEqual(stored.find(({ name }) => name === 'example_key')?.hosts, [
      'a.example.com',
      'b.example.com',
    ]);
    await window.page.evaluate(`navigator.clipboard.writeText('${secretValue}')`);
    await window.runCommand('Interns: Set Vault Secret…');
    await quickInput.fill('(1/4)', 'example_key');
    await quickInput.waitFor('(2/');
    await enter('b.example.com c.example.com');
    await quickInput.waitFor('(3/');
    await quickInput.pick('From the clipboard');
    const [row] = await until('the question', async () => {
      const rows = await quickInput.rows();
      return rows[0]?.label === 'Replace example_key' && rows;
    });
    assert.equal(row?.detail, 'Added hosts: c.example.com. Removed hosts: a.example.com.');
    await window.screenshot('vault-replace');
    await quickInput.pick('Replace example_key');
    const told = await window.notification('Replaced example_key. The value is unchanged.');
    await told.getByRole('button', { name: 'Clear Clipboard' }).click();
    await until('an empty clipboard', async () => {
      const text = await window.page.evaluate<string>('navigator.clipboard.readText()');
      return text === '';
    });
  });

  it('imports a .env file without showing a value, and the lightbulb stores one line', async () => {
    const { quickInput, page } = window;
    await openFile('.env');
    await page.locator('.view-line').first().click();
    await page.keyboard.press('Control+.');
    await page.getByText('Store in the vault…').first().waitFor();
    await page.keyboard.press('Enter');
    await quickInput.waitFor('Store API_KEY in the Vault');
    assert.equal(await quickInput.value(), 'api_key');
    await quickInput.accept();
    await quickInput.fill('(2/2)', 'a.example.com');
    await quickInput.waitForClosed();
    await window.runCommand('Interns: Import Vault Secrets from .env…');
    await quickInput.pick('.env');
    const entries = await until('the entries', async () => {
      const rows = await quickInput.rows();
      return rows.length === 3 && rows[0]?.label === 'API_KEY' && rows;
    });
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(secretValue));
    await window.screenshot('vault-import-entries');
    await quickInput.accept();
    await quickInput.fill('Name of api.key', 'other_key');
    await quickInput.fill('Hosts of 2 Secrets', 'a.example.com');
    await until(
      'the preview',
      async () => (await quickInput.rows())[0]?.label === 'Store 3 secrets',
    );
    await window.screenshot('vault-import-preview');
    await quickInput.pick('Store 3 secrets');
    await until('the results', async () => (await quickInput.rows())[0]?.label === 'Done');
    await window.screenshot('vault-import-results');
    await quickInput.pick('Done');
    const names = service.state.secrets('ws_orchard').map(({ name }) => name);
    for (const name of ['api_key', 'db_password', 'other_key'])
      assert.ok(names.includes(name), name);
  });

  it('creates an intern from a file that is kept in git', async () => {
    const { quickInput, page } = window;
    await openFile('grace.intern.json');
    await page.getByRole('button', { name: 'Create Intern from This File' }).click();
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await intern('grace', /^Running/);
    const created = service.state.interns().find(({ name }) => name === 'grace');
    assert.equal(created?.description, 'Counts');
  });

  it('sends long instructions of a file only after all of them were in sight', async () => {
    const { quickInput, page } = window;
    await openFile('hedda.intern.json');
    await page.getByRole('button', { name: 'Create Intern from This File' }).click();
    await step('4/4');
    await window.screenshot('interns-file-review');
    await quickInput.pick('Provision later');
    await page.getByRole('tab', { name: /^Instructions of the new intern/ }).waitFor();
    await page.locator('.view-line').getByText('You review pull requests.').last().waitFor();
    await window.screenshot('interns-file-instructions');
    const created = () => service.state.interns().find(({ name }) => name === heddaFile.name);
    assert.equal(created(), undefined);
    await window.runCommand('Interns: Use This Text');
    await quickInput.choose('(4/4)', 'Provision later');
    await until('the intern', () => Promise.resolve(created()));
    assert.equal(created()?.instructions, heddaFile.instructions);
  });
});
