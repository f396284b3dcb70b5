import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import { messageView } from '../../../src/features/chatPanel/present/messageView.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import {
  endEvent,
  interaction,
  permissionCall,
  Stage,
  statusContext,
} from './conversationStage.ts';

const context = {
  author: 'Ada',
  askedQuestion: null,
  editablePrompt: null,
  whenUnanswered: 'expire' as const,
};

describe('what a conversation tells of a response', () => {
  it('says once more after a reload that a question in it could not be read', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say({ kind: 'malformed', problem: 'not-json' });
    await stage.last.say({ kind: 'malformed', problem: 'tool-call' }).finish().taken();
    stage.reload();
    const told = stage.conversation.transcript.messages
      .map((message) => messageView(message, context))
      .flatMap((view) => (view.kind === 'notice' ? view.text : []));
    assert.equal(told.length, 1);
    assert.match(told[0]!, /can’t display the question/);
  });

  it('leaves the run of a response with too many tool calls, and says why', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say({ kind: 'text', text: 'Hm' });
    await stage.fail({ kind: 'too-many-calls', inStream: true });
    const view = messageView(stage.reply, context);
    assert.ok(view.kind === 'intern');
    assert.match(view.failure?.title ?? '', /too many questions at once/);
    assert.deepEqual([stage.text, stage.phase], ['Hm', 'idle']);
  });

  it('leaves that run all the same where the response had said already that it waits', async () => {
    const stage = Stage.asked('One');
    await stage.finish('session-1');
    stage.submit('Two');
    stage.last.open().say(interaction(permissionCall('call-1')));
    stage.last.say({ kind: 'finish', reason: 'tool_calls' });
    await stage.fail({ kind: 'too-many-calls', inStream: true });
    assert.deepEqual([stage.phase, stage.asked.length, stage.reply.state], ['idle', 0, 'failed']);
    stage.reload();
    assert.deepEqual([stage.phase, stage.reply.state], ['idle', 'failed']);
    const [question] = stage.reply.parts;
    assert.ok(question?.kind === 'question');
    assert.equal(question.ending, 'run-ended');
  });

  it('says of a run that waits for what nobody could read that it waits, and what Retry may do', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say({ kind: 'malformed', problem: 'tool-call' });
    await stage.last
      .say({ kind: 'finish', reason: 'tool_calls' }, endEvent('session-1'))
      .done()
      .taken();
    assert.deepEqual([stage.phase, stage.runs], ['idle', [false]]);
    stage.reload();
    const view = messageView(stage.reply, context);
    assert.ok(view.kind === 'intern' && view.state === 'failed');
    assert.match(view.failure?.title ?? '', /waits for an answer that cannot be given/);
    assert.match(
      view.failure?.detail ?? '',
      /probably cancel the run.*Retry may then do the work twice/,
    );
    assert.equal(view.failure?.actions.filter(({ id }) => id === 'retry').length, 1);
    assert.notEqual(stage.state.leftAt, null, 'the next prompt waits for the run that was left');
  });

  it('calls a run stopped that its user stopped while nobody could read what it asked', async () => {
    const stage = await Stage.paused('Hello');
    await stage.stopped();
    stage.last.open().say({ kind: 'malformed', problem: 'tool-call' });
    await stage.last.say({ kind: 'finish', reason: 'tool_calls' }, endEvent(null)).done().taken();
    assert.deepEqual([stage.phase, stage.reply.state], ['idle', 'stopped']);
  });

  it('tells until when the service asks to wait, after a reload too', async () => {
    const stage = Stage.asked('Hello');
    await stage.fail({ kind: 'rate-limited', status: 429, retryAfterMs: 600_000 });
    stage.reload();
    const view = messageView(stage.reply, context);
    assert.ok(view.kind === 'intern');
    assert.match(view.failure?.detail ?? '', /asks to wait until/);
  });

  it('keeps what the service calls the response, the latest where a run has several', async () => {
    const stage = Stage.asked('Hello');
    const end = { ...endEvent('session-1'), completionId: 'chatcmpl-1' };
    await stage.last.open().say({ kind: 'finish', reason: 'stop' }, end).done().taken();
    stage.reload();
    assert.equal(stage.reply.completion, 'chatcmpl-1');
  });
});

describe('a reply that ends for a reason which the interface does not list', () => {
  const error = new ApiError({
    kind: 'unlisted-finish',
    route: 'chat',
    message: 'not listed',
    reason: 'content_filter',
    inStream: true,
  });
  const finish = { kind: 'finish', reason: 'unlisted', error } as const;

  const titleOf = ({ reply }: Stage) => {
    const view = messageView(reply, context);
    return view.kind === 'intern' ? view.failure?.title : undefined;
  };

  it('is shown by that reason and not as completed, after a reload too', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say({ kind: 'text', text: 'Hm' }, finish, endEvent('session-1'));
    await stage.last.done().taken();
    for (const reload of [false, true]) {
      if (reload) stage.reload();
      assert.deepEqual([stage.reply.state, stage.text], ['failed', 'Hm']);
      assert.equal(titleOf(stage), 'The reply ended with “content_filter”');
    }
  });

  it('is over: the next prompt goes out at once, and queued ones wait for the user', async () => {
    const stage = Stage.asked('One');
    stage.submit('Two');
    await stage.last.open().say(finish, endEvent(null)).done().taken();
    assert.deepEqual([stage.runs, stage.queued, stage.state.queueHeld], [[false], ['Two'], true]);
    assert.equal(stage.state.leftAt, null);
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.prompted, 'Two');
  });

  it('is over though the stream breaks before its final chunk', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say(finish);
    await stage.fail({ kind: 'severed', inStream: true });
    assert.equal(titleOf(stage), 'The reply ended with “content_filter”');
  });

  it('leaves open whether the answer before it was received', async () => {
    const stage = await Stage.paused('Hello');
    const { outcome } = await stage.answering();
    await stage.last.open().say(finish, endEvent(null)).done().taken();
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: false };
    assert.deepEqual(await outcome, received);
    await stage.settle();
    assert.equal(titleOf(stage), 'The reply ended with “content_filter”');
    assert.equal(stage.state.leftAt, null);
  });

  it('is recorded as stopped if the user was stopping the run', async () => {
    const stage = await Stage.paused('Hello');
    await stage.stopped();
    await stage.last.open().say(finish, endEvent(null)).done().taken();
    assert.equal(stage.reply.state, 'stopped');
  });
});

describe('a stream that may be dead', () => {
  const bannersOf = (stage: Stage) =>
    statusView(stage.state, { ...statusContext, now: stage.clock.now() }).banners.map(
      ({ tone, text, actions }) => [tone, text, actions.map(({ id }) => id)],
    );
  const warning = [
    'warning',
    'Nothing has arrived for over a minute. The connection may be lost.',
    ['stop'],
  ];

  it('is told of in the panel and in the log', () => {
    const stage = Stage.asked('Hello');
    stage.last.open().quiet(90_000);
    assert.deepEqual(bannersOf(stage), [warning]);
    assert.deepEqual(stage.silences, [90_000]);
  });

  it('is told of no more once bytes come again, whatever they say', () => {
    const stage = Stage.asked('Hello');
    stage.last.open().quiet(90_000).quiet(180_000);
    assert.deepEqual(bannersOf(stage), [warning]);
    stage.last.sound();
    assert.deepEqual(bannersOf(stage), []);
    stage.last.quiet(90_000);
    assert.deepEqual(bannersOf(stage), [warning]);
  });

  it('is told of no more once its run has ended', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().quiet(90_000);
    await stage.finish();
    assert.deepEqual(bannersOf(stage), []);
  });

  it('changes nothing of the next run', async () => {
    const stage = Stage.asked('One');
    const first = stage.last.open();
    await stage.stopped();
    stage.submit('Two');
    first.quiet(90_000);
    assert.deepEqual(bannersOf(stage), []);
    assert.equal(stage.phase, 'requesting');
  });

  it('gives way to the word that the run is being stopped', async () => {
    const stage = await Stage.paused('Hello');
    await stage.stopped();
    stage.last.open().quiet(90_000);
    assert.match(String(bannersOf(stage)[0]?.[1]), /Canceling the question/);
  });
});
