import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CostSums } from '../../../../src/platform/text/costs.ts';
import {
  startIn,
  submit,
  talk,
  useConversationWindows,
} from '../../support/conversationWindows.ts';

describe('the costs of conversations', () => {
  const { folder, openWindow, startWindow } = useConversationWindows();

  it('summing up costs completes the heads of earlier versions once', async () => {
    const { window, conversation } = startWindow();
    await talk(conversation, 'echo One', window.conversations);
    const { spent } = conversation.transcript.cost;
    assert.ok(spent > 0);
    const file = join(folder.path, 'conversations', 'heads', `${conversation.id}.json`);
    const head = JSON.parse(await readFile(file, 'utf8')) as { at: number; cost: { at: number } };
    assert.equal(head.cost.at, head.at);
    for (const cost of [undefined, { ...head.cost, at: 1, spent: 7 }]) {
      await writeFile(file, JSON.stringify({ ...head, cost }));
      const { conversations, account } = openWindow('b');
      const sums = { today: spent, week: spent, all: spent };
      assert.deepEqual(await conversations.costs.sum(account, 'intern_ada'), sums);
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), head);
    }
    const { conversations, account } = openWindow('c');
    assert.equal((await conversations.costs.sum(account, 'intern_other')).all, 0);
  });

  it('the costs at the end of a run include it', async () => {
    const { window, conversation } = startWindow();
    const { conversations, account } = window;
    const sums = new Promise<CostSums>((resolve) =>
      conversations.onDidEndRun(() => resolve(conversations.costs.sum(account, 'intern_ada'))),
    );
    submit(conversation, 'echo One');
    const { today } = await sums;
    assert.ok(today > 0);
    assert.equal(today, conversation.transcript.spent);
  });

  it('the cost of the day is known as far as possible if the disk fails', async () => {
    await mkdir(join(folder.path, 'conversations'));
    await writeFile(join(folder.path, 'conversations', 'heads'), 'not a folder');
    const settings = { approvalMode: 'manual', costLimit: 0, dailyCostLimit: 1 } as const;
    const { conversations, account } = openWindow('b', settings);
    await assert.rejects(conversations.costs.sum(account));
    const today = await conversations.costs.readToday(account);
    assert.deepEqual(today, { spent: 0, limit: 1 });
  });

  it('a new conversation has the cost limit of the settings, and the day that of all', async () => {
    const window = openWindow('a');
    const settings = { approvalMode: 'manual', costLimit: 2, dailyCostLimit: 1 } as const;
    const other = openWindow('b', settings);
    const { conversations } = other;
    const conversation = startIn(other);
    assert.equal(conversation.transcript.cost.limit, 2);
    assert.deepEqual(conversations.costs.today(other.account), { spent: 0, limit: 1 });
    const [here, there] = [startIn(window), conversation];
    await talk(here, 'echo Here', window.conversations);
    await talk(there, 'echo There', conversations);
    await conversations.costs.sum(other.account);
    const spent = here.transcript.spent + there.transcript.spent;
    assert.ok(here.transcript.spent > 0);
    const today = () => conversations.costs.today(other.account).spent.toFixed(9);
    assert.equal(today(), spent.toFixed(9));
    const restore = await conversations.delete(other.account, there.id);
    assert.equal(today(), spent.toFixed(9), 'deleting does not lower it');
    await restore();
    assert.equal(today(), spent.toFixed(9), 'restoring does not raise it');
  });
});
