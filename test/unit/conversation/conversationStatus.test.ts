import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import {
  conversationStatus,
  type Phase,
  type RequestAttempt,
} from '../../../src/conversation/machine/state.ts';
import type { ReplyMessage } from '../../../src/conversation/messages.ts';
import type { ReplyState } from '../../../src/base/reply.ts';

const attempt = { run: 'r' } as RequestAttempt;
const error = new ApiError({ kind: 'network', route: 'chat', message: '' });

const rows: readonly (readonly [Phase, ReplyState | undefined, string])[] = [
  [{ kind: 'holding', until: 1 }, 'stopped', 'working'],
  [{ kind: 'backing-off', attempt, until: 1, error }, 'failed', 'working'],
  [{ kind: 'elsewhere', run: 'r' }, undefined, 'working'],
  [{ kind: 'requesting', attempt }, undefined, 'working'],
  [{ kind: 'paused', run: 'r', mode: 'manual', isStopping: false }, 'failed', 'waiting'],
  [{ kind: 'idle' }, 'done', 'idle'],
  [{ kind: 'idle' }, 'stopped', 'idle'],
  [{ kind: 'idle' }, 'failed', 'failed'],
  [{ kind: 'idle' }, 'cut', 'failed'],
  [{ kind: 'idle' }, undefined, 'idle'],
];

describe('conversationStatus', () => {
  for (const [phase, state, status] of rows)
    it(`a conversation is ${status} in phase ${phase.kind} after ${state === undefined ? 'no' : `a ${state}`} reply`, () => {
      const lastReply = state && ({ state } as ReplyMessage);
      assert.equal(conversationStatus({ state: { phase }, transcript: { lastReply } }), status);
    });
});
