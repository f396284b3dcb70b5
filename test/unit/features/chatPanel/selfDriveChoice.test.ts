import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { selecting, SenderFixture } from '../../support/senderFixture.ts';

describe('choosing how long self-drive lasts', () => {
  for (const [choice, mode] of [
    ['This Prompt Only', 'self-drive'],
    ['Keep Manual', 'manual'],
    ['Cancel', undefined],
  ] as const)
    it(`a prompt that the user sends before choosing “${choice}” waits for that choice`, async () => {
      const { stage, sender, composed } = new SenderFixture();
      let select = (_button: string | undefined): void => undefined;
      selecting();
      const showWarningMessage = () => new Promise((resolve) => (select = resolve));
      Object.assign(vscode.window, { showWarningMessage });
      await sender.submit('failed');
      await stage.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
      for (const send of [() => sender.submit('next'), () => sender.retry(undefined)]) {
        const { length: before } = stage.exchanges;
        const done = [sender.setMode('self-drive'), send()];
        await stage.settle();
        assert.equal(stage.exchanges.length, before, 'it waits');
        select(mode === undefined ? undefined : choice);
        await Promise.all(done);
        assert.equal(stage.state.mode, 'manual', 'the choice is used up');
        if (mode === undefined) assert.equal(stage.exchanges.length, before);
        else {
          assert.equal(stage.reply.mode, mode);
          await stage.fail({ kind: 'turn-failed', status: 502 });
        }
      }
      assert.deepEqual(composed, mode === undefined ? ['next'] : []);
    });

  it('canceling the choice of self-drive returns every prompt that waits for it', async () => {
    const { stage, sender, composed, requests } = new SenderFixture();
    const asked = selecting();
    stage.setMode('self-drive');
    await Promise.all([sender.submit('one'), sender.submit('two')]);
    assert.deepEqual([composed, asked.length, requests()], [['one', 'two'], 1, 0]);
  });
});
