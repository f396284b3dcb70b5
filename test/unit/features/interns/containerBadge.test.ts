import assert from 'node:assert/strict';
import { ContainerBadge } from '../../../../src/features/interns/containerBadge.ts';

describe('ContainerBadge', () => {
  it('the badge counts runs that ended unseen until they are seen', () => {
    const badge = new ContainerBadge();
    const shown: (number | undefined)[] = [];
    badge.onDidChange((now) => shown.push(now?.value));
    badge.addEndedRun('a');
    badge.addEndedRun('b');
    badge.keepOnly(new Set(['b', 'never ran']));
    badge.keepOnly(new Set(['b']));
    badge.keepOnly(new Set());
    assert.deepEqual(shown, [1, 2, 1, undefined]);
  });
});
