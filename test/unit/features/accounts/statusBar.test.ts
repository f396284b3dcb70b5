import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Disposable, Emitter } from '../../../../src/base/disposable.ts';
import type { Account, Accounts } from '../../../../src/features/accounts/account.ts';
import { showAccountStatus } from '../../../../src/features/accounts/accountCommands.ts';
import type { CostSums } from '../../../../src/platform/text/costs.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('showAccountStatus', () => {
  const stub = useStubs();
  let focus: Emitter<void>;
  let sums: CostSums;
  let status: Disposable;

  beforeEach(() => {
    focus = new Emitter();
    sums = { today: 0.5, week: 2, all: 3 };
  });

  afterEach(() => status.dispose());

  function itemOf(active: Account) {
    const nothing = (): void => undefined;
    const item = {
      ...{ hide: nothing, show: nothing, dispose: nothing },
      ...{ text: '', tooltip: { value: '' }, accessibilityInformation: { label: '' } },
    };
    const onDidChangeWindowState = focus.event;
    stub(vscode.window, { createStatusBarItem: () => item, onDidChangeWindowState });
    const accounts = { active, onDidChange: new Emitter<void>().event } as unknown as Accounts;
    const costs = { of: () => Promise.resolve(sums), onDidChange: accounts.onDidChange };
    status = showAccountStatus(accounts, costs);
    return item;
  }

  it('the account status shows a small remaining limit exactly', () => {
    const account = accountOf('account-1');
    const limit = { limit: 1000.5, limitRemaining: 0.001234, keyReadAt: Date.now() };
    const item = itemOf({ ...account, record: { ...account.record, ...limit } });
    assert.match(item.tooltip.value, /Remaining limit: 0\.001234 of 1,000\.5/);
  });

  it('the account status shows the costs, and updates them when the user comes back', async () => {
    const item = itemOf(accountOf('account-1'));
    await new Promise(setImmediate);
    assert.match(item.tooltip.value, /Cost in VS Code: \$0\.50 today, \$2\.00 in seven days/);
    assert.match(item.tooltip.value, /didn’t report aren’t counted/);
    sums = { today: 0, week: 2.5, all: 3 };
    focus.fire();
    await new Promise(setImmediate);
    assert.match(item.tooltip.value, /\$0\.00 today, \$2\.50 in seven days/);
  });

  it('the account status names the server that gets the key of the environment', () => {
    const account = accountOf('account-1');
    const root = 'https://other.test:8443/api/v1';
    const item = itemOf({ ...account, record: { ...account.record, root, fromEnvironment: true } });
    assert.match(item.text, / · other\.test:8443$/);
    assert.match(item.tooltip.value, /^Service URL: https:\/\/other\.test:8443\/api\/v1$/m);
    assert.ok(item.accessibilityInformation.label.endsWith(root));
    assert.doesNotMatch(itemOf(account).text, /interns\.test/);
  });
});
