/** A conversation against the local service: the user is told what the service said, and no more. */
import assert from 'node:assert/strict';
import { eventually } from '../../harness/until.ts';
import { headerView } from '../../../src/features/chatPanel/present/messageView.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import type { Service } from '../../service/service.ts';
import { clientOf, start } from '../api/support/localService.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { messageContext, Stage, statusContext } from './conversationStage.ts';

/** A conversation with the running intern of a service. */
function talkingTo(service: Service, config?: Parameters<typeof clientOf>[2]): Stage {
  const stage = new Stage([
    { type: 'opened', id: 'e0', at: 0, intern: 'intern_ada', mode: 'manual' },
  ]);
  stage.client = clientOf(service, 'test-key-owner', config);
  return stage;
}

/** Sends a prompt, and waits until its run has ended. */
async function ask(stage: Stage, text: string): Promise<void> {
  stage.submit(text);
  await eventually(() => stage.phase === 'idle');
}

const failureOf = ({ reply }: Stage) => headerView(reply, messageContext).failure;

describe('a conversation with the local service', () => {
  // Rule 18.17
  it('does not say that a prompt may be running which the intern rejected', async () => {
    const stage = talkingTo(await start());
    await ask(stage, 'fail intern_rejected');
    assert.match(failureOf(stage)?.title ?? '', /refused the request/);
    assert.doesNotMatch(failureOf(stage)?.detail ?? '', /may already be working/);
    assert.equal(stage.state.leftAt, null, 'the next prompt need not wait');
  });

  // Rule 8.12
  it('shows an unlisted finish reason by its own name', async () => {
    const stage = talkingTo(await start());
    await ask(stage, 'finish content_filter');
    assert.equal(stage.reply.state, 'failed');
    assert.equal(failureOf(stage)?.title, 'The reply ended with “content_filter”');
  });

  // Rules 6.12, 8.17
  it('echoes the index of a tool call that was recorded before a reload', async () => {
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
  it('stops a stream that died before its first keepalive', async () => {
    const service = await start();
    const clock = new FakeClock();
    const stage = talkingTo(service, { clock });
    stage.submit('dead');
    await eventually(() => stage.text.endsWith('nothing at all.'));
    clock.advance(90_000);
    const { banners } = statusView(stage.conversation, statusContext);
    assert.match(banners[0]?.text ?? '', /The connection may be lost/);
    await stage.stopped();
    assert.equal(stage.reply.state, 'stopped');
    await eventually(() => service.state.openSockets === 0);
  });

  it('does not say that the creator of the key has left after an empty 403', async () => {
    const service = await start();
    const stage = talkingTo(service);
    service.faults.next('chat', { kind: 'respond', status: 403 });
    await ask(stage, 'hello');
    assert.equal(failureOf(stage)?.title, 'The service refused the request');
    assert.doesNotMatch(failureOf(stage)?.detail ?? '', /creator|message/);
  });
});
