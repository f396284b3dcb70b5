import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import { messageView } from '../../../src/features/chatPanel/present/messageView.ts';
import { endEvent, Stage } from './conversationStage.ts';
import { factsOf, playAll } from './plays.ts';

const context = {
  author: 'Ada',
  askedQuestion: null,
  editablePrompt: null,
  whenUnanswered: 'expire' as const,
};

describe('what a conversation tells of a response', () => {
  playAll(`
    leaves a run with too many tool calls, though the response had said that it waits
      submit One | finish session-1 | submit Two | asking | end tool_calls | fail too-many-calls => phase idle; asked 0;
      state failed
    leaves that run after a reload too
      submit One | finish session-1 | submit Two | asking | end tool_calls | fail too-many-calls | reload =>
      phase idle; state failed; endings run-ended
    calls a run stopped that its user stopped while nobody could read what it asked
      submit Hello | open | ask | stop | open | malformed | pause => phase idle; state stopped
  `);

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
});

describe('a stream that may be dead', () => {
  playAll(`
    is told of in the panel and in the log
      submit Hello | open | quiet 90000 => banner Nothing has arrived for over a minute. The connection may be lost.;
      offers stop; silences 90000
    is told of no more once bytes come again, whatever they say
      submit Hello | open | quiet 90000 | quiet 180000 | sound => banner none
    is told of again after that
      submit Hello | open | quiet 90000 | sound | quiet 90000 => offers stop
    is told of no more once its run has ended
      submit Hello | open | quiet 90000 | finish => banner none
    gives way to the word that the run is being stopped
      submit Hello | open | ask | stop | open | quiet 90000 => banner Canceling the question to stop the run.
  `);

  it('changes nothing of the next run', async () => {
    const stage = Stage.asked('One');
    const first = stage.last.open();
    await stage.stopped();
    stage.submit('Two');
    first.quiet(90_000);
    assert.equal(factsOf(stage).banner, undefined);
    assert.equal(stage.phase, 'requesting');
  });
});
