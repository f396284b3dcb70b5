import assert from 'node:assert/strict';
import { costDays, sumCosts } from '../../../../src/features/conversations/heads.ts';

/** Noon of a day in November by the user's clock, epoch ms. */
const noon = (day: number): number => new Date(2026, 10, day, 12).getTime();

function conversation(...costs: readonly (readonly [day: number, usd: number])[]) {
  const spent = costs.reduce((sum, [, usd]) => sum + usd, 0);
  return costDays({ spent, costs: costs.map(([day, usd]) => ({ at: noon(day), usd })) });
}

describe('costs of conversations', () => {
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
