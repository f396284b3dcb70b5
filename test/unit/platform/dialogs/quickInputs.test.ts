import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../../../../src/platform/dialogs/quickInputs.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('a page that gets the focus', () => {
  const stub = useStubs();
  const focusDialog = 'workbench.action.focusQuickOpen';

  it('a page gives the focus back to a dialog that opened less than half a second ago', async () => {
    const commands: string[] = [];
    stub(vscode.commands, { executeCommand: (id: string) => Promise.resolve(commands.push(id)) });
    const clock = new FakeClock();
    const inputs = new QuickInputs(clock);
    inputs.handlePageFocus();
    assert.deepEqual(commands, [], 'no dialog was open');
    let close: (() => void) | undefined;
    const dialog = inputs.during(() => new Promise<void>((resolve) => (close = resolve)));
    clock.advance(499);
    inputs.handlePageFocus();
    assert.deepEqual(commands, [focusDialog]);
    clock.advance(1);
    inputs.handlePageFocus();
    assert.deepEqual(commands, [focusDialog], 'the user moved the focus');
    close?.();
    await dialog;
    await inputs.during(() => Promise.resolve());
    inputs.handlePageFocus();
    assert.deepEqual(commands, [focusDialog], 'the dialog was closed');
  });
});
