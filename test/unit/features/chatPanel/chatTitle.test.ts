import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { titleOf } from '../../../../src/features/chatPanel/surfaces/surface.ts';

describe('the title of a chat', () => {
  const title = (kind: string, words: string, queued: readonly string[] = []) => {
    const state = { phase: { kind }, queue: queued.map((text) => ({ text })) };
    const transcript = { title: words, lastReply: undefined };
    return titleOf('bea', { state, transcript } as unknown as Conversation);
  };

  it('a first prompt that is not recorded yet names its chat, as VS Code may miss a later title', () => {
    assert.equal(title('claiming', '', ['Which is\nbetter?']), 'bea: Which is better? (working)');
  });

  it('a queued prompt does not rename a chat', () => {
    assert.equal(title('paused', 'First', ['Second']), 'bea: First (waiting for you)');
    assert.equal(title('idle', ''), 'bea');
  });
});
