import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { KeyInfoPanel } from '../../../../src/features/keyInfo/keyInfoPanel.ts';
import { AccountWindow } from '../../support/accountWindow.ts';
import { keyInfoOf } from '../../support/fakeService.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the tab of the key information', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let window: AccountWindow;
  let panel: KeyInfoPanel;
  let registrar: CommandRegistrar;
  /** Every page that was drawn. */
  let pages: string[];
  let copied: string[];
  let told: string[];

  beforeEach(async () => {
    pages = [];
    copied = [];
    told = [];
    const webview = {
      set html(page: string) {
        pages.push(page);
      },
    };
    stub(vscode.window, {
      createWebviewPanel: () => ({
        webview,
        onDidDispose: () => undefined,
        reveal: () => undefined,
        dispose: () => undefined,
      }),
      setStatusBarMessage: () => undefined,
      showErrorMessage: (message: string) => Promise.resolve(void told.push(message)),
    });
    stub(vscode.env, {
      clipboard: { writeText: (text: string) => Promise.resolve(copied.push(text)) },
    });
    window = new AccountWindow(folder.path);
    await window.accounts.start();
    await window.signIn();
    registrar = new CommandRegistrar(window.log, window.accounts);
    panel = new KeyInfoPanel(window.accounts, registrar, window.log, () =>
      Promise.resolve({ today: 0.25, week: 0.5, all: 2 }),
    );
  });

  afterEach(() => {
    panel.dispose();
    window.dispose();
  });

  const run = (id: string): Promise<void> => registrar.run(id, []);
  const page = (): string => pages.at(-1) ?? '';

  /** The service refuses the key, and the page says so. */
  async function fail(): Promise<void> {
    window.service.keys.delete('test-key-owner');
    await run('interns.showKeyInfo');
    await eventually(() => window.accounts.active?.state === 'refused');
  }

  it('asks no second time because of what a failed reading did to the account', async () => {
    await fail();
    assert.equal(window.service.seen.length, 2, 'the sign-in and one reading');
    assert.equal(pages.length, 2);
  });

  it('says why it could not be read, in the service’s own sentence too, and signs in to just that account', async () => {
    await fail();
    assert.match(page(), /The service says: “No such key”/);
    const target = encodeURIComponent(JSON.stringify({ account: window.accounts.active?.id }));
    assert.ok(page().includes(`href="command:interns.signIn?${target}"`));
  });

  it('shows the key again once somebody signed in', async () => {
    await fail();
    window.service.keys.set('test-key-rotated', keyInfoOf({ label: 'Rotated' }));
    await window.signIn('test-key-rotated');
    await eventually(() => page().includes('Rotated') && page().includes('Copy as JSON'));
  });

  it('shows the account that was switched to, also after a failure', async () => {
    window.service.keys.set(
      'test-key-second',
      keyInfoOf({ label: 'Second', workspaceId: 'workspace-2' }),
    );
    const first = window.accounts.active!.id;
    const second = await window.signIn('test-key-second');
    await window.accounts.activate(first);
    await fail();
    await window.accounts.activate(second);
    await eventually(() => /workspace-2[\s\S]*Copy as JSON/.test(page()));
  });

  it('sums up what the conversations of the account have cost in this editor', async () => {
    await run('interns.showKeyInfo');
    assert.match(page(), /Today<.*\$0\.25<.*In seven days<.*\$0\.50<.*In all<.*\$2\.00</);
  });

  it('copies what it shows, and says so where that is nothing', async () => {
    await run('interns.showKeyInfo');
    await run('interns.copyKeyInfo');
    assert.equal((JSON.parse(copied[0] ?? '') as { label: string }).label, 'Owner');
    window.service.failures.push('network');
    await run('interns.refreshKeyInfo');
    await run('interns.copyKeyInfo');
    assert.equal(copied.length, 1);
    assert.match(told.join(), /no API key information to copy/);
  });
});
