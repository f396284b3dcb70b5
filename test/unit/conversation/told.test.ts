import assert from 'node:assert/strict';
import { messageView } from '../../../src/features/chatPanel/present/messageView.ts';
import { endEvent, interaction, permissionCall, Stage } from './conversationStage.ts';

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
