import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import { startAccounts } from '../../../../src/features/accounts/environment.ts';
import { eventually } from '../../../harness/until.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { start } from '../../api/support/localService.ts';
import { accountOptions } from '../../support/accountWindow.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('startAccounts', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let accounts: AccountManager;
  let trust: Emitter<void>;
  let requests: number;
  let url: string;

  beforeEach(async () => {
    requests = 0;
    const service = await start({ observer: { onRequest: () => (requests += 1) } });
    ({ url } = service);
    stub(process.env, { INTERNS_BASE_URL: url, INTERNS_API_KEY: 'test-key-owner' });
    trust = new Emitter();
    stub(vscode.workspace, { isTrusted: false, onDidGrantWorkspaceTrust: trust.event });
    accounts = new AccountManager(accountOptions(folder.path));
  });

  afterEach(() => accounts.dispose());

  for (const [title, answer, label] of [
    ['trust signs in after the user left the question about its URL', 'left', 'Orchard'],
    ['trust signs in while the question about its URL is still open', 'open', 'Orchard'],
    ['trust sends no key to a URL that the user refused', 'refused', undefined],
  ] as const)
    it(title, async () => {
      let asked = 0;
      const showWarningMessage = (_message: string, _signIn: string, refuse: string) => {
        asked += 1;
        if (answer === 'open') return new Promise(() => undefined);
        return Promise.resolve(answer === 'refused' ? refuse : undefined);
      };
      stub(vscode.window, { showWarningMessage });
      const started = startAccounts(accounts, new RecordingLog());
      await eventually(() => asked === 1);
      // The answer arrives before the user trusts the folder.
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(requests, 0);
      trust.fire();
      await started;
      assert.deepEqual([accounts.active?.record.label, asked], [label, 1]);
    });

  it('a trusted folder signs in with the environment without a question', async () => {
    stub(vscode.workspace, { isTrusted: true });
    await startAccounts(accounts, new RecordingLog());
    assert.equal(accounts.active?.record.label, 'Orchard');
  });

  it('trust sends no key of the environment after the user signed in with another one', async () => {
    let asked = 0;
    stub(vscode.window, { showWarningMessage: () => Promise.resolve(void (asked += 1)) });
    const started = startAccounts(accounts, new RecordingLog());
    await eventually(() => asked === 1);
    await accounts.signIn(rootOf(url), 'test-key-second');
    const { active } = accounts;
    const before = requests;
    trust.fire();
    await started;
    assert.deepEqual([requests, accounts.active, accounts.all], [before, active, [active]]);
  });
});
