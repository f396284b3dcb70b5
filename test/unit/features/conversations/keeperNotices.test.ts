import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  createFullDiskWarning,
  showUnattendedRunNotice,
} from '../../../../src/features/conversations/keeperNotices.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the messages about the stream keeper', () => {
  const stub = useStubs();

  for (const [choice, set] of [
    ['Keep', []],
    ['Stop Runs When I Close VS Code', [['keepRuns', 'untilClosed', 1]]],
  ] as const)
    it(`the user hears once that a run continued, and may choose “${choice}”`, async () => {
      const shown: unknown[] = [];
      const updates: unknown[] = [];
      const update = (...given: unknown[]) => Promise.resolve(void updates.push(given));
      stub(vscode.workspace, { getConfiguration: () => ({ update }) });
      stub(vscode.window, {
        showInformationMessage: (...given: unknown[]) => {
          shown.push(given);
          return Promise.resolve(choice);
        },
      });
      const state = new FakeMemento();
      await showUnattendedRunNotice(state);
      await showUnattendedRunNotice(state);
      const buttons = ['Keep', 'Stop Runs When I Close VS Code'];
      assert.deepEqual(shown, [['A run continued while VS Code was closed.', ...buttons]]);
      assert.deepEqual(updates, set);
    });

  it('the user hears of a full disk again only after closing the warning', async () => {
    const closings: (() => void)[] = [];
    const showWarningMessage = () => new Promise<void>((resolve) => closings.push(resolve));
    stub(vscode.window, { showWarningMessage });
    const warn = createFullDiskWarning();
    warn();
    warn();
    assert.equal(closings.length, 1);
    closings[0]!();
    await new Promise(setImmediate);
    warn();
    assert.equal(closings.length, 2);
  });
});
