import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import {
  conversationStatus,
  type RequestAttempt,
  type Phase,
  type ConversationStatus,
} from '../../../src/conversation/machine/state.ts';
import type { ReplyMessage, ReplyState } from '../../../src/conversation/messages.ts';

describe('where a conversation stands', () => {
  const attempt = { run: 'r' } as RequestAttempt;
  const under = (phase: Phase, last?: ReplyState): ConversationStatus => {
    const lastReply = last === undefined ? undefined : ({ state: last } as ReplyMessage);
    return conversationStatus({ state: { phase }, transcript: { lastReply } });
  };

  it('is at work while a prompt is held back, so that its tab and the lists say the same', () => {
    assert.equal(under({ kind: 'holding', until: 1 }, 'stopped'), 'working');
  });

  it('is at work through a back-off and while another window reads', () => {
    const backingOff = {
      kind: 'backing-off',
      attempt,
      until: 1,
      because: new ApiError({ kind: 'network', route: 'chat', message: '' }),
    } as const;
    assert.equal(under(backingOff, 'failed'), 'working');
    assert.equal(under({ kind: 'elsewhere', run: 'r' }), 'working');
    assert.equal(under({ kind: 'requesting', attempt }), 'working');
  });

  it('waits while the intern asks, whatever happened before', () => {
    const paused = { kind: 'paused', run: 'r', mode: 'manual', stopping: false } as const;
    assert.equal(under(paused, 'failed'), 'waiting');
  });

  it('has failed only where its last run did', () => {
    const idle = { kind: 'idle' } as const;
    assert.deepEqual(
      (['done', 'stopped', 'failed', 'cut'] as const).map((last) => under(idle, last)),
      ['idle', 'idle', 'failed', 'failed'],
    );
    assert.equal(under(idle), 'idle');
  });
});
