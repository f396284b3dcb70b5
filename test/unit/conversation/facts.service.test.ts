/** A conversation against the local service: the user is told what the service said, and no more. */
import assert from 'node:assert/strict';
import { eventually } from '../../harness/until.ts';
import { shellView } from '../../../src/features/chatPanel/present/messageView.ts';
import { clientOf, start } from '../api/support/localService.ts';
import { Stage } from './conversationStage.ts';

/** A conversation with the running intern of a service. */
function talkingTo(service: Parameters<typeof clientOf>[0]): Stage {
  const stage = new Stage([
    { type: 'opened', id: 'e0', at: 0, intern: 'intern_ada', mode: 'manual' },
  ]);
  stage.client = clientOf(service);
  return stage;
}

/** Sends a prompt, and waits until its run has ended. */
async function ask(stage: Stage, text: string): Promise<void> {
  stage.submit(text);
  await eventually(() => stage.phase === 'idle');
}

const failureOf = ({ reply }: Stage) =>
  shellView(reply, {
    author: 'Ada',
    askedQuestion: null,
    editablePrompt: null,
    whenUnanswered: 'expire',
  }).failure;

describe('a conversation with the local service', () => {
  // Rule 18.17
  it('does not say that a prompt may be running which the intern rejected', async () => {
    const stage = talkingTo(await start());
    await ask(stage, 'fail intern_rejected');
    assert.match(failureOf(stage)?.title ?? '', /rejected the request/);
    assert.doesNotMatch(failureOf(stage)?.detail ?? '', /may be working/);
    assert.equal(stage.state.leftAt, null, 'the next prompt need not wait');
  });
});
