import assert from 'node:assert/strict';
import { Stage } from './conversationStage.ts';
import { factsOf, play, playAll } from './plays.ts';
import {
  asking,
  following,
  playResponse,
  responseOf,
  spoken,
  takeOver,
  text,
} from './recordedRuns.ts';

describe('values that another window submitted', () => {
  it('the record has no words of the service that may quote an unknown value', async () => {
    const first = await playResponse(Stage.asked('Go'), asking, 100);
    await first.answering({ kind: 'elicitation', action: 'accept', content: { dsn: 'a-fact' } });
    const next = await takeOver(first);
    const refusal = { kind: 'invalid-request', status: 400, reason: 'bad_request' } as const;
    for (const dsn of ['b-fact', 'c-fact']) {
      await next.fail({ ...refusal, message: 'Bad: a-fact' });
      assert.ok(!JSON.stringify(next.journal).includes('a-fact'));
      assert.partialDeepStrictEqual(next.journal.at(-1), { type: 'refused', failure: refusal });
      const another = { kind: 'elicitation', action: 'accept', content: { dsn } } as const;
      void next.conversation.answer(next.question.id, another);
      await next.settle();
    }
  });
});

describe('a run of another window', () => {
  it('Stop removes the response of a window that does not stop by itself', async () => {
    const owner = Stage.asked('Go');
    owner.last.open();
    const follower = await following(owner);
    follower.stop();
    await follower.advance(1_999);
    assert.equal(follower.kept.size, 1);
    await follower.advance(1);
    assert.equal(follower.kept.size, 0);
  });

  it('the next window stops a run that its owner was asked to stop before it died', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    follower.stop();
    const next = await Stage.opened(follower.journal, [responseOf(owner.journal)]);
    assert.equal(next.reply.state, 'stopped');
  });

  it('a run counts as stopped if its window was gone when another one stopped it', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    follower.isOwnedElsewhere = false;
    follower.stop();
    await follower.advance(2_000);
    assert.equal(follower.kept.size, 0);
    await follower.advance(3_000);
    assert.equal(follower.reply.state, 'stopped');
  });

  it('a run stops when Stop is pressed in a window that follows it', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    const before = follower.journal.length;
    follower.stop();
    owner.conversation.follow(follower.journal.slice(before));
    await owner.settle();
    assert.equal(owner.reply.state, 'stopped');
    assert.ok(owner.last.aborted);
  });

  it('a run counts as stopped if its window learns of the Stop by the end of the response', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    const before = follower.journal.length;
    follower.stop();
    owner.elsewhere.push(...follower.journal.slice(before));
    await owner.fail({ kind: 'severed', inStream: true, code: 'ERR_RESPONSE_STOPPED' });
    assert.equal(owner.reply.state, 'stopped');
  });

  it('Stop in a window that follows a run counts although the run asks just before', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    follower.stop();
    const before = owner.journal.length;
    await owner.last.ask().taken();
    follower.isOwnedElsewhere = false;
    follower.kept.clear();
    follower.conversation.follow(owner.journal.slice(before));
    await follower.settle();
    await follower.advance(2_000);
    assert.deepEqual(follower.answered, { kind: 'permission', choice: 'cancel' });
  });

  playAll(`
    a run goes on when another window asks to stop an earlier one
      submit Go | say Working | other stopping-another => phase requesting; isAborted false
    a request to stop counts among other entries too
      submit Go | say Working | other renamed stopping => state stopped
  `);

  it('Stop leaves the response of the next run, which began meanwhile', async () => {
    const owner = Stage.asked('Go');
    owner.last.open();
    const follower = await following(owner);
    follower.stop();
    const before = owner.journal.length;
    await owner.stopped();
    owner.submit('And then');
    await owner.settle();
    follower.conversation.follow(owner.journal.slice(before));
    follower.kept.clear();
    follower.kept.add(responseOf(owner.journal));
    await follower.advance(2_000);
    assert.equal(follower.kept.size, 1);
    assert.equal(follower.phase, 'elsewhere');
  });

  for (const isRetried of [false, true])
    it(`a ${isRetried ? 'repeated ' : ''}run loses no text to one that another window began at once`, async () => {
      const here = Stage.asked('Go');
      const { id: own } = here.reply;
      const run = 'other-run';
      here.conversation.follow([
        { type: 'prompt', id: 'x0', at: 1, run, text: 'Go too', mode: 'manual' },
        { type: 'requested', id: 'x1', at: 1, run, response: 'other-response' },
      ]);
      if (isRetried) {
        await here.fail({ kind: 'rate-limited', status: 429 });
        await here.advance(1_000);
      }
      here.conversation.follow([{ type: 'text', id: 'x2', at: 1, run, text: 'Other', events: 40 }]);
      here.last.open().say(text('One '));
      await here.advance(50);
      here.last.say(text('two'));
      await here.finish();
      const { parts } = here.conversation.transcript.reply(own)!;
      assert.deepEqual(parts, [{ kind: 'text', text: 'One two' }]);
    });

  it('a change of the mode in another window counts at once, and text changes nothing', async () => {
    const stage = Stage.asked('Go');
    await stage.finish();
    const { recordReads, state } = stage;
    const run = stage.reply.id;
    stage.conversation.follow([
      { type: 'reasoning', id: 'x0', at: 1, run, text: 'So' },
      { type: 'text', id: 'x1', at: 1, run, text: 'One' },
    ]);
    assert.equal(stage.state, state);
    await stage.settle();
    assert.equal(stage.recordReads, recordReads);
    stage.conversation.follow([
      { type: 'text', id: 'x2', at: 1, run, text: 'Two' },
      { type: 'mode', id: 'x3', at: 1, mode: 'self-drive', limit: 'this-prompt' },
    ]);
    assert.equal(stage.state.mode, 'self-drive');
    await stage.settle();
    assert.equal(stage.recordReads, recordReads + 1);
  });

  it('a window continues a run within five seconds after its owner has died', async () => {
    const owner = await playResponse(Stage.asked('Go'), spoken, 100);
    const follower = await following(owner);
    await follower.advance(5_000);
    assert.equal(follower.phase, 'elsewhere');
    follower.isOwnedElsewhere = false;
    await follower.advance(4_999);
    assert.equal(follower.phase, 'elsewhere');
    await follower.advance(1);
    assert.equal(follower.phase, 'requesting');
    assert.equal(follower.last.request, null);
    const { claims } = follower;
    await follower.advance(20_000);
    assert.equal(follower.claims, claims);
  });

  it('a prompt that two windows of a workspace wait to send is sent by one of them', async () => {
    const owner = await play('submit Go | say Working');
    const follower = await following(owner);
    follower.submit('And then');
    const before = owner.journal.length;
    await owner.finish();
    follower.kept.clear();
    follower.conversation.follow(owner.journal.slice(before));
    await follower.settle();
    Object.assign(follower, { isOwnedElsewhere: false, isTooLate: true });
    await follower.advance(250);
    assert.equal(follower.phase, 'elsewhere');
    const [{ id: run } = { id: '' }] = follower.state.queue;
    follower.conversation.follow([
      { type: 'prompt', id: 'x0', at: 1, run, text: 'And then', mode: 'manual' },
      { type: 'requested', id: 'x1', at: 1, run, response: 'other-response' },
    ]);
    assert.deepEqual([follower.queued, follower.exchanges.length], [[], 0]);
  });

  it('a prompt waits for the run of another window that took the conversation first', async () => {
    const owner = await play('submit Go | say One | finish');
    const late = await Stage.opened(owner.journal);
    late.isTooLate = true;
    const before = owner.journal.length;
    late.submit('Here');
    owner.submit('There');
    await Promise.all([late.settle(), owner.settle()]);
    assert.deepEqual([late.exchanges.length, late.journal.length], [0, before]);
    assert.deepEqual([late.phase, late.queued], ['elsewhere', ['Here']]);
    const entries = owner.journal.slice(before);
    late.conversation.follow(entries);
    await owner.finish();
    Object.assign(late, { isTooLate: false, isOwnedElsewhere: false });
    late.elsewhere.push(...owner.journal.slice(before + entries.length));
    await late.advance(5_000);
    assert.deepEqual(factsOf(late).sent, ['Here']);
    assert.deepEqual(factsOf(late).sessions, ['session-1']);
  });

  it('a prompt is not shown as queued while its window takes ownership', async () => {
    const stage = await play('submit One | finish');
    stage.submit('Two');
    const { phase, shown, banner, canStop } = factsOf(stage);
    assert.deepEqual([phase, shown, banner, canStop], ['claiming', [], '', true]);
    await stage.settle();
    assert.deepEqual(factsOf(stage).sent, ['One', 'Two']);
  });

  for (const [what, queued] of [
    ['stop', ['Two']],
    ['remove-queued', []],
  ] as const)
    it(`a prompt is not sent if ${what} comes while its window takes ownership`, async () => {
      const stage = await play('submit One | finish');
      stage.submit('Two');
      stage.conversation.send({ type: what, id: stage.state.queue[0]!.id });
      await stage.settle();
      assert.deepEqual([factsOf(stage).sent, stage.queued], [['One'], queued]);
      assert.deepEqual([stage.phase, stage.isOwnedHere], ['idle', false]);
    });

  it('a prompt that was held in two windows starts one run', async () => {
    const owner = await play('mode self-drive | submit Go | open | stop');
    const late = await Stage.opened(owner.journal);
    late.submit('Here');
    assert.equal(late.phase, 'holding');
    late.isTooLate = true;
    await late.advance(30_000);
    assert.deepEqual([late.exchanges.length, late.queued], [0, ['Here']]);
    assert.equal(late.phase, 'elsewhere');
  });

  it('a window reads what the last owner recorded before it judges the run', async () => {
    const owner = await play('submit Go | say One');
    const before = owner.journal.length;
    await owner.finish();
    const next = new Stage(owner.journal.slice(0, before));
    next.elsewhere.push(...owner.journal.slice(before));
    await next.conversation.resume();
    assert.equal(next.reply.state, 'done');
    assert.equal(next.phase, 'idle');
  });

  it('a window takes over nothing while it reads a run, or if no run is left', async () => {
    const stage = Stage.asked('Go');
    stage.last.open();
    stage.kept.add(responseOf(stage.journal));
    await stage.conversation.resume();
    assert.equal(stage.exchanges.length, 1);
    await stage.finish();
    const next = new Stage(stage.journal);
    next.isTooLate = true;
    await next.conversation.resume();
    assert.equal(next.phase, 'idle');
    assert.equal(next.isOwnedElsewhere, false, 'it did not try to own the conversation');
  });

  it('a run whose request its window sent itself counts as interrupted without it', async () => {
    const owner = Stage.asked('Go');
    owner.conversation.record({ type: 'in-window', run: owner.reply.id });
    const next = new Stage(owner.journal);
    next.sentUnseen.add(responseOf(owner.journal));
    await next.conversation.resume();
    assert.equal(next.reply.state, 'cut');
  });

  it('the response of a run that failed or was interrupted is not read again', async () => {
    const failing = Stage.asked('Go');
    await failing.fail({ kind: 'turn-failed', status: 502 });
    const afterFailure = await takeOver(failing);
    assert.equal(afterFailure.reply.state, 'failed');
    assert.deepEqual([afterFailure.kept.size, afterFailure.exchanges.length], [0, 0]);
    const cut = await Stage.opened((await playResponse(Stage.asked('Go'), spoken, 100)).journal);
    const afterCut = await takeOver(cut);
    assert.deepEqual([afterCut.kept.size, afterCut.exchanges.length], [1, 0]);
  });

  it('a window owns the conversation until its record is on disk', async () => {
    const stage = Stage.asked('Go');
    assert.equal(stage.isOwnedHere, true);
    stage.recorded = Promise.resolve(false);
    await stage.finish();
    await stage.advance(4_999);
    stage.recorded = Promise.resolve(true);
    assert.equal(stage.isOwnedHere, true);
    await stage.advance(1);
    assert.equal(stage.isOwnedHere, false);
  });
});
