import assert from 'node:assert/strict';
import { eventually } from '../../harness/until.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import type { Service } from '../../service/service.ts';
import { clientOf, start } from '../api/support/localService.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { Stage } from './conversationStage.ts';
import { statusContext } from './viewContexts.ts';

/** A conversation with the running intern of a service. */
function talkingTo(service: Service, clock = new FakeClock()): Stage {
  const opened = { type: 'opened', id: 'e0', at: 0, intern: 'intern_ada', mode: 'manual' } as const;
  const stage = new Stage([opened]);
  stage.client = clientOf(service, 'test-key-owner', { clock });
  return stage;
}

describe('a conversation with the local service', () => {
  // Rules 6.12, 8.17
  it('a conversation echoes the index of a tool call that was recorded before a reload', async () => {
    const stage = talkingTo(await start());
    stage.submit('ask at index 3');
    await eventually(() => stage.phase === 'paused');
    stage.reload();
    await stage.answering();
    await eventually(() => stage.phase === 'idle');
    assert.equal(stage.reply.state, 'done');
    assert.match(stage.text, /You chose `allow_once`/);
  });

  // Rule 17.8
  it('a conversation stops a stream that died before its first keepalive', async () => {
    const service = await start();
    const clock = new FakeClock();
    const stage = talkingTo(service, clock);
    stage.submit('dead');
    await eventually(() => stage.text.endsWith('nothing at all.'));
    clock.advance(90_000);
    const { banners } = statusView(stage.conversation, statusContext);
    assert.match(banners[0]?.text ?? '', /The connection may be lost/);
    await stage.stopped();
    assert.equal(stage.reply.state, 'stopped');
    await eventually(() => service.state.openSockets === 0);
  });
});
