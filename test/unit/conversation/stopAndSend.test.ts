import assert from 'node:assert/strict';
import { factsOf, play, playAll } from './plays.ts';

describe('Stop and Send', () => {
  playAll(`
    Stop and Send stops the run and sends the prompt in its session
      submit One | finish | submit Two | say Some | stop-and-send Three =>
      sent One, Two, Three; sessions none, session-1, session-1; state working; queued none
    Stop and Send shows how long the session stays busy, and repeats the prompt by itself
      submit One | finish | submit Two | say Some | stop-and-send Three | fail busy =>
      phase backing-off; offers sendNow; canStop true
    Stop and Send repeats a prompt until the service has settled the stopped run
      submit One | finish | submit Two | say Some | stop-and-send Three | fail busy | wait 9000 | finish =>
      sent One, Two, Three, Three; phase idle; state done
    Stop and Send starts a new session if the ID of the stopped one is unknown
      submit One | say Some | stop-and-send Two => sent One, Two; sessions none, none; notices 1
    Stop and Send waits for the end of a self-drive run without a session
      mode self-drive | submit One | say Some | stop-and-send Two =>
      phase holding; sent One; queued Two; offers sendNow
    Stop and Send sends the waiting prompt once the self-drive run is over
      mode self-drive | submit One | say Some | stop-and-send Two | wait 30000 => sent One, Two; phase requesting
    Stop and Send sends a queued prompt before the others, which stay queued
      submit One | say Some | submit Two | submit Three | stop-and-send => sent One, Three; queued Two; isHeld false
    Stop and Send keeps a held queue held
      submit One | submit Two | stop | submit Three | stop-and-send Four => sent One, Three, Four; queued Two; isHeld true
    Stop and Send cancels a pending question first
      submit One | open | ask | stop-and-send Two => sent One, cancel; queued Two
    Stop and Send sends the prompt when the service has accepted the cancel
      submit One | open | ask | stop-and-send Two | finish => sent One, cancel, Two; state working
    Stop and Send lets a cancel that is on its way finish
      submit One | open | ask | stop | stop-and-send Two | finish => sent One, cancel, Two
    Stop and Send replaces a prompt that is about to be repeated
      submit One | fail rate-limited | stop-and-send Two | wait 9000 => sent One, Two; queued none
    Stop and Send stops a run of another window, and then sends the prompt
      submit One | say Some | reload elsewhere | stop-and-send Two | owner nobody | other stopped end =>
      sent One, Two; queued none
    Stop and Send sends at once without a run
      stop-and-send One => sent One; phase requesting
    Stop and Send holds the prompt if the cost limit is reached
      limit 1 | submit One | finish session-1 1 | stop-and-send Two => sent One; queued Two; isHeld true
    Stop and Send puts its prompt before one that is held back, which keeps its time
      mode self-drive | submit One | open | stop | submit Two | stop-and-send Three =>
      phase holding; sent One; queued Three, Two
    Stop and Send sends its prompt first when the held-back one would have been sent
      mode self-drive | submit One | open | stop | submit Two | stop-and-send Three | wait 30000 => sent One, Three
  `);

  const two = { text: 'Two', sent: 'Two', attachments: [] };

  it('Stop and Send leaves the run alone if its prompt was sent or removed meanwhile', async () => {
    const stage = await play('submit One | say Some');
    const { state } = stage;
    stage.conversation.send({ type: 'stop-and-send', prompt: 'gone' });
    assert.equal(stage.state, state);
    assert.equal(stage.last.aborted, false);
    assert.equal(factsOf(stage).notices, 0);
  });

  it('Stop and Send exceeds the cost limit only for its prompt, and only if the user agreed', async () => {
    const stage = await play('limit 1 | submit One | finish session-1 1');
    stage.conversation.send({ type: 'stop-and-send', prompt: two, overrideCostLimit: true });
    await stage.settle();
    assert.deepEqual(factsOf(stage).sent, ['One', 'Two']);
    stage.submit('Three');
    await stage.finish();
    assert.deepEqual(factsOf(stage).sent, ['One', 'Two']);
  });
});
