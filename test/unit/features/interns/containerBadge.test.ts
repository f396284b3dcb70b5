import assert from 'node:assert/strict';
import { ContainerBadge } from '../../../../src/features/interns/containerBadge.ts';

describe('ContainerBadge', () => {
  it('the badge adds up questions and unread conversations', () => {
    const badge = new ContainerBadge();
    const shown: unknown[] = [];
    badge.onDidChange((now) => shown.push(now && [now.value, now.tooltip]));
    badge.setUnread(1);
    badge.setQuestions({ value: 2, tooltip: '2 questions' });
    badge.setUnread(0);
    badge.setQuestions(undefined);
    assert.deepEqual(shown, [
      [1, '1 unread conversation'],
      [3, '2 questions\n1 unread conversation'],
      [2, '2 questions'],
      undefined,
    ]);
  });
});
