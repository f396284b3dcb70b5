import assert from 'node:assert/strict';
import { Stage } from './conversationStage.ts';
import { factsOf, playAll } from './plays.ts';

const rejectOnce = { kind: 'permission', choice: 'reject_once' } as const;

describe('the reason for a rejection', () => {
  playAll(`
    the reason for a rejection is queued before other prompts and shown as a reason
      submit Go | open | ask | submit Later | reject Use the tests => queued Use the tests, Later;
      reasons Use the tests
    the conversation sends the reason for a rejection as the next prompt when the run succeeds
      submit Go | open | ask | submit Later | reject Use the tests | finish | finish =>
      sent Go, reject_once, Use the tests, Later
    the conversation sends an edited reason for a rejection
      submit Go | open | ask | reject Use the tests | edit Use them all | finish => sent Go, reject_once, Use them all
    the conversation sends a reason that is being edited when the run ends once its edit ends
      submit Go | open | ask | reject Use the tests | editing 0 | finish | edit Use them all | editing =>
      sent Go, reject_once, Use them all
    a reason keeps the approval mode it was given in
      submit Go | open | ask | mode self-drive | reject Use the tests | mode manual | finish => runMode self-drive
    the conversation sends a reason in self-drive for one prompt
      submit Go | open | ask | drive this-prompt | reject Use the tests | finish => mode manual; runMode self-drive
    the conversation holds the reason if the run fails on the rejection
      submit Go | open | ask | reject Use the tests | refuse run-ended => phase idle; queued Use the tests;
      isHeld true
    the conversation holds the reason until the user sends it if the stream breaks
      submit Go | open | ask | reject Use the tests | say Hm | fail severed | submit Later | finish => phase idle;
      sent Go, reject_once, Later; queued Use the tests; isHeld true
    the conversation holds the reason if the question is over
      submit Go | open | ask | reject Use the tests | fail not-pending => phase idle; queued Use the tests;
      isHeld true
    the conversation holds the reason if the run is stopped
      submit Go | open | ask | reject Use the tests | stop => phase idle; queued Use the tests; isHeld true
    the conversation sends a held reason when the user asks for it
      submit Go | open | ask | reject Use the tests | stop | send-now => sent Go, reject_once, Use the tests
    the conversation sends a reason alone if the rest of the queue is held
      submit Go | open | ask | requeue Held | reject Use the tests | finish | finish =>
      sent Go, reject_once, Use the tests; queued Held; isHeld true
    the conversation sends two reasons of a run in their order
      submit Go | open | ask | requeue Held | reject One | open | ask call-2 | reject Two | fail invalid-request |
      reject Three | finish | finish | finish => sent Go, reject_once, reject_once, reject_once, One, Three; queued Held
    the conversation holds the reason after a reload if the rejection may not have arrived
      submit Go | open | ask | reject Use the tests | reopen | answer allow_once | finish =>
      sent Go, reject_once, allow_once; queued Use the tests; isHeld true
    the conversation holds the reason after a reload even if the next answer rejects
      submit Go | open | ask | reject Use the tests | reopen | answer reject_once | finish =>
      sent Go, reject_once, reject_once; queued Use the tests; isHeld true
    the conversation holds the reason after a reload if the next answer is refused
      submit Go | open | ask | reject Use the tests | reopen | answer allow_once | fail invalid-request =>
      queued Use the tests; isHeld true
    a window sends the reason if it followed the next answer of another window
      submit Go | open | ask | reject Use the tests | open | ask call-2 | owner elsewhere | other answering |
      owner nobody | other answered finished => sent Go, reject_once, Use the tests; isHeld false
    a window holds the reason if it did not follow the next answer of another window
      submit Go | open | ask | reject Use the tests | open | ask call-2 | other answering answered finished =>
      sent Go, reject_once; isHeld true
    the reason for the next rejection replaces a held one
      submit Go | open | ask | reject Use the tests | reopen | answer allow_once | fail invalid-request |
      reject Use them all | submit Later | finish | finish =>
      sent Go, reject_once, allow_once, reject_once, Use them all, Later; queued none
  `);

  it('the composer gets the edited reason back if the rejection is refused', async () => {
    const stage = await Stage.paused('Go');
    const { outcome } = await stage.answering(rejectOnce, 'Use the tests');
    const prompt = { text: 'Use them all', sent: 'Use them all', attachments: [] };
    stage.conversation.send({ type: 'edit-queued', id: stage.state.queue[0]!.id, prompt });
    await stage.fail({ kind: 'invalid-request', status: 400 });
    const refused = await outcome;
    assert.ok(refused?.kind === 'refused');
    assert.equal(refused.reason, 'Use them all');
    assert.deepEqual(stage.queued, []);
    await stage.answering();
    await stage.finish();
    assert.deepEqual(factsOf(stage).sent, ['Go', 'reject_once', 'allow_once']);
  });

  it('the reason for a rejection is held if the question is unknown', async () => {
    const stage = new Stage();
    stage.conversation.send({
      ...{ type: 'answer', question: 'gone', answer: rejectOnce, reason: 'Use the tests' },
    });
    await stage.settle();
    assert.deepEqual([stage.queued, stage.state.queueHeld], [['Use the tests'], true]);
  });
});
