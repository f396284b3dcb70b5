import assert from 'node:assert/strict';
import { notificationMessage } from '../../../../src/features/questions/notifier.ts';
import { permission } from '../../conversation/questions/fakes.ts';

/** How VS Code finds links in notifications. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)\)/gi;

describe('notificationMessage', () => {
  it('the notification of a question has no words of the intern in its links', () => {
    const question = { ...permission('q1'), internName: 'Ada [from the docs' };
    const message = notificationMessage(question, 'soon', { others: 0, unanswered: undefined });
    const labels = Array.from(message.matchAll(LINK), ([, label]) => label);
    assert.deepEqual(labels, ['Answer', 'Show Conversation']);
  });
});
