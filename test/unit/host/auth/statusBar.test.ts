import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import type { Accounts } from '../../../../src/host/auth/account.ts';
import { AccountStatusBar } from '../../../../src/host/auth/statusBar.ts';
import { accountOf } from '../support/fakeAccounts.ts';
import { keyInfoOf } from '../support/fakeService.ts';
import { useStubs } from '../support/stubEditor.ts';

describe('the account in the status bar', () => {
  const stub = useStubs();

  it('rounds what is left of a limit no more than the page does, or a little would read as nothing', () => {
    const nothing = (): void => undefined;
    const item = { hide: nothing, show: nothing, dispose: nothing, tooltip: { value: '' } };
    stub(vscode.window, { createStatusBarItem: () => item });
    const keyInfo = keyInfoOf({ limit: 1000.5, limitRemaining: 0.001234 });
    const active = { ...accountOf('account-1'), keyInfo };
    const accounts = { active, onDidChange: new Emitter<void>().event } as unknown as Accounts;
    const statusBar = new AccountStatusBar(accounts);
    assert.match(item.tooltip.value, /Limit left: 0\.001234 of 1,000\.5/);
    statusBar.dispose();
  });
});
