import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { KeyInfoPanel } from '../../../../src/features/keyInfo/keyInfoPanel.ts';
import { start } from '../../api/support/localService.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import { accountOptions, AccountWindow } from '../../support/accountWindow.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

describe('KeyInfoPanel', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let window: AccountWindow;
  let panel: KeyInfoPanel;
  let registrar: CommandRegistrar;
  let surface: FakeSurface;
  let clipboard: { text: string };
  let errors: string[];
  let requests: number;

  beforeEach(async () => {
    surface = new FakeSurface();
    errors = [];
    stub(vscode.window, {
      createWebviewPanel: () => surface,
      setStatusBarMessage: () => undefined,
      showErrorMessage: (message: string) => Promise.resolve(void errors.push(message)),
    });
    clipboard = stubClipboard(stub);
    requests = 0;
    const service = await start({ observer: { onRequest: () => (requests += 1) } });
    window = await AccountWindow.signedIn(folder.path, service);
    registrar = new CommandRegistrar(window.log, window.accounts);
    panel = new KeyInfoPanel({ ...window.ports, registrar }, () =>
      Promise.resolve({ today: 0.25, week: 0.5, all: 2 }),
    );
  });

  afterEach(() => {
    panel.dispose();
    window.dispose();
  });

  const run = (id: string): Promise<void> => registrar.run(id, []);
  const page = (): string => surface.webview.html;

  async function fail(): Promise<void> {
    window.service.state.keys.revoke('test-key-owner');
    await run('interns.showKeyInfo');
    await eventually(() => window.accounts.active?.state === 'refused');
  }

  it('the key panel does not ask again when a failed reading changes the account', async () => {
    await fail();
    assert.equal(requests, 2, 'the sign-in and one reading');
    assert.equal(surface.loaded.length, 2);
  });

  it('the key panel explains a failure and links to the sign-in', async () => {
    await fail();
    assert.match(page(), /The service says: “No valid API key was given/);
    const target = encodeURIComponent(JSON.stringify({ account: window.accounts.active?.id }));
    assert.ok(page().includes(`href="command:interns.signIn?${target}"`));
  });

  it('the key panel shows the key after a new sign-in', async () => {
    await fail();
    await window.signIn('test-key-rotated');
    await eventually(() => page().includes('Orchard, rotated') && page().includes('Copy as JSON'));
  });

  it('the key panel shows a refused key after a new sign-in with the same key', async () => {
    await run('interns.showKeyInfo');
    window.service.faults.next('key', {
      kind: 'respond',
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { code: 401, message: 'Not now' } }),
    });
    await run('interns.refreshKeyInfo');
    await eventually(() => window.accounts.active?.state === 'refused');
    assert.match(page(), /Not now/);
    await window.signIn('test-key-owner');
    await eventually(() => page().includes('Copy as JSON'));
  });

  it('the key panel opens only with an account', async () => {
    const { id } = window.accounts.active!;
    await window.accounts.signOut(id, { forgetData: false });
    await run('interns.showKeyInfo');
    assert.deepEqual([surface.loaded, errors], [[], ['Sign in first.']]);
  });

  it('the key panel shows the key that another window signed in with', async () => {
    await run('interns.showKeyInfo');
    assert.doesNotMatch(page(), /Orchard, rotated/);
    const secrets = new FakeSecrets(window.secrets.values);
    secrets.onDidChange(({ key }) => window.secrets.tell(key));
    const other = new AccountManager({ ...accountOptions(folder.path), secrets });
    await other.start();
    await other.signIn(rootOf(window.service.url), 'test-key-rotated');
    await eventually(() => page().includes('Label</dt><dd>Orchard, rotated<'));
    other.dispose();
  });

  it('the key panel shows another account after a switch, even after a failure', async () => {
    const first = window.accounts.active!.id;
    const second = await window.signIn('test-key-second');
    await window.accounts.activate(first);
    await fail();
    await window.accounts.activate(second);
    await eventually(() => /ws_harbour[\s\S]*Copy as JSON/.test(page()));
  });

  it('the key panel shows the cost of the account’s conversations', async () => {
    await run('interns.showKeyInfo');
    assert.match(page(), /Today<.*\$0\.25<.*Last seven days<.*\$0\.50<.*Total<.*\$2\.00</);
  });

  it('the key panel copies its information only while it shows some', async () => {
    await run('interns.showKeyInfo');
    await run('interns.copyKeyInfo');
    assert.equal((JSON.parse(clipboard.text) as { label: string }).label, 'Orchard');
    // One try and three more.
    const cut = { kind: 'cut', afterBytes: 0 } as const;
    window.service.faults.next('key', cut, cut, cut, cut);
    await run('interns.refreshKeyInfo');
    clipboard.text = '';
    await run('interns.copyKeyInfo');
    assert.equal(clipboard.text, '');
    assert.match(errors.join(), /Open the API key information first/);
  });
});
