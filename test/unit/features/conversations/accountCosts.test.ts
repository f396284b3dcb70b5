import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { costDays, sumCosts } from '../../../../src/features/conversations/heads.ts';
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
    assert.equal((await conversations.costs.sum(account, 'intern_other'))?.all, 0);
  });

  it('the costs at the end of a run include it', async () => {
    const { window, conversation } = startWindow();
    const { conversations, account } = window;
    const sums = new Promise<CostSums | undefined>((resolve) =>
      conversations.onDidEndRun(() => resolve(conversations.costs.sum(account, 'intern_ada'))),
    );
    submit(conversation, 'echo One');
    const today = (await sums)?.today ?? 0;
    assert.ok(today > 0);
    assert.equal(today, conversation.transcript.spent);
  });

  it('the cost of the day is known as far as possible if the disk fails', async () => {
    await mkdir(join(folder.path, 'conversations'));
    await writeFile(join(folder.path, 'conversations', 'heads'), 'not a folder');
    const settings = { approvalMode: 'manual', costLimit: 0, dailyCostLimit: 1 } as const;
    const { conversations, account } = openWindow('b', { settings });
    assert.equal(await conversations.costs.sum(account), undefined);
    const today = await conversations.costs.readToday(account);
    assert.deepEqual(today, { spent: 0, limit: 1 });
  });

  it('a new conversation has the cost limit of the settings, and the day that of all', async () => {
    const window = openWindow('a');
    const settings = { approvalMode: 'manual', costLimit: 2, dailyCostLimit: 1 } as const;
    const other = openWindow('b', { settings });
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

/** Noon of a day in November by the user's clock, epoch ms. */
const noon = (day: number): number => new Date(2026, 10, day, 12).getTime();

function conversation(...costs: readonly (readonly [day: number, usd: number])[]) {
  const spent = costs.reduce((sum, [, usd]) => sum + usd, 0);
  return costDays({ spent, costs: costs.map(([day, usd]) => ({ at: noon(day), usd })) });
}

describe('sums of costs', () => {
  it('costs add up for today, for seven days and in all, by local days', () => {
    const both = [conversation([1, 8], [16, 4], [22, 1], [22, 0.5]), conversation([15, 2])];
    assert.deepEqual(sumCosts(both, noon(22)), { today: 1.5, week: 5.5, all: 15.5 });
    assert.deepEqual(sumCosts(both, noon(23)), { today: 0, week: 1.5, all: 15.5 });
    assert.deepEqual(sumCosts([], noon(23)), { today: 0, week: 0, all: 0 });
  });

  it('a conversation keeps the costs of at most seven days', () => {
    const many = Array.from({ length: 60 }, (_, index) => [index - 25, 1] as const);
    const { spent, days } = conversation(...many);
    assert.deepEqual([spent, Object.keys(days).length], [60, 7]);
    assert.ok('2026-12-04' in days);
  });
});
