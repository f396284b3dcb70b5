import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import { failureDetails, storedFailure } from '../../../src/conversation/machine/failures.ts';
import { headerView } from '../../../src/features/chatPanel/present/messageView.ts';
import type { Stage } from './conversationStage.ts';
import { play } from './plays.ts';
import { messageContext } from './viewContexts.ts';

describe('failureDetails', () => {
  it('the record of a failure keeps every field', () => {
    const facts = {
      kind: 'busy',
      route: 'chat',
      status: 409,
      reason: 'busy',
      message: 'said the service',
      inStream: true,
      code: 'ECONNRESET',
      retryAfterMs: 5,
    } as const;
    assert.deepEqual(failureDetails(storedFailure(new ApiError(facts))), facts);
    const least = new ApiError({ kind: 'network', route: 'chat', message: '' });
    const { status, reason, code, retryAfterMs } = failureDetails(storedFailure(least));
    assert.deepEqual([status, reason, code, retryAfterMs], [null, null, null, null]);
  });
});

describe('a failed prompt', () => {
  /** Failures after which the run may continue. */
  const unknown = `fail network, fail network ECONNRESET, fail timeout, fail timeout 504,
    fail unreachable 502, fail severed 502, fail server-error 502, fail server-error 504,
    open | fail severed, refuse severed 502, refuse timeout 504`.split(/,\s+/);
  const known = `fail network ECONNREFUSED, fail network ENOTFOUND, fail turn-failed 502,
    fail timeout UND_ERR_CONNECT_TIMEOUT, fail rejected 502, fail tls CERT_HAS_EXPIRED,
    fail server-error 500, fail not-ready, refuse turn-failed 502, refuse run-ended 410`.split(
    /,\s+/,
  );
  const mayRun = ({ reply }: Stage): boolean =>
    (headerView(reply, messageContext).failure?.detail ?? '').includes(
      'may already be working on it',
    );

  for (const failure of unknown) {
    it(`the next prompt waits, since the run may continue, after "${failure}"`, async () => {
      const stage = await play(`submit One | ${failure}`);
      assert.deepEqual([stage.exchanges.length, stage.clock.waiting, mayRun(stage)], [1, 0, true]);
      stage.reload();
      assert.equal(mayRun(stage), true);
      stage.submit('Two');
      assert.equal(stage.phase, 'holding');
      stage.conversation.send({ type: 'send-now' });
      assert.equal(stage.phase, 'requesting');
    });

    it(`the next prompt is repeated while the session is busy after "${failure}"`, async () => {
      const stage = await play(`submit Before | finish | submit One | ${failure} | submit Two`);
      for (let tries = 0; tries < 5; tries++) {
        await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
        assert.equal(stage.phase, 'backing-off');
        await stage.advance(9_000);
      }
      await stage.finish();
      assert.equal(stage.reply.state, 'done');
    });
  }

  for (const failure of known)
    it(`the next prompt goes out at once after "${failure}"`, async () => {
      const stage = await play(`submit One | ${failure}`);
      assert.equal(mayRun(stage), false);
      stage.reload();
      assert.equal(mayRun(stage), false);
      stage.submit('Two');
      assert.equal(stage.phase, 'requesting');
    });

  for (const [failure, title, detail] of [
    [
      'fail network ECONNRESET',
      'The connection was lost',
      'Check your network, the proxy settings and the service URL, then try again.',
    ],
    [
      'open | fail severed',
      'The connection was lost',
      'The reply so far is kept. Send the prompt again to start over.',
    ],
    [
      'fail severed 502',
      'The connection to the intern was lost, probably before the run started',
      'Try again later. The service says: “said the service”',
    ],
  ] as const)
    it(`the text after "${failure}" says once that the intern may be working`, async () => {
      const { reply } = await play(`submit One | ${failure}`);
      const shown = headerView(reply, messageContext).failure;
      const again = 'The intern may already be working on it. Retry may do the work twice.';
      assert.deepEqual([shown?.title, shown?.detail], [title, `${detail} ${again}`]);
    });
});
