import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/api/index.ts';
import type { JournalEntry } from '../../../src/conversation/journal.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { allowOnce, Stage } from './conversationStage.ts';
import { endEvent, interaction, permissionCall } from './fakeExchange.ts';

const text = (words: string): ChatEvent => ({ kind: 'text', text: words });
const reasoning = (words: string): ChatEvent => ({ kind: 'reasoning', text: words });

const spoken: readonly ChatEvent[] = [
  { kind: 'role' },
  reasoning('Let me '),
  reasoning('think. '),
  text('One '),
  text('two '),
  { kind: 'malformed', problem: 'tool-call' },
  text('three.'),
];
const asking: readonly ChatEvent[] = [
  ...spoken,
  interaction(permissionCall('call-1')),
  interaction(permissionCall('call-2')),
  { kind: 'finish', reason: 'tool_calls' },
  endEvent('session-1'),
];
const ending: readonly ChatEvent[] = [
  ...spoken,
  { kind: 'finish', reason: 'stop' },
  endEvent('session-1'),
];

/** The messages without what differs between windows: IDs and times. */
function said(entries: readonly JournalEntry[]) {
  const { messages, session, openQuestions } = Transcript.fold(entries);
  return {
    session,
    open: openQuestions.map(({ call }) => call.id),
    messages: messages.map((message) => {
      if (message.kind === 'notice') return message.notice;
      if (message.kind === 'prompt') return message.text;
      const parts = message.parts.map((part) =>
        part.kind === 'question' ? [part.call.id, part.stage, part.how] : [part.kind, part.text],
      );
      return [message.state, ...parts];
    }),
  };
}

/** Plays a response to its end, `batch` events at a time, and returns the window. */
async function play(stage: Stage, events: readonly ChatEvent[], batch: number): Promise<Stage> {
  stage.last.open();
  for (let from = 0; from < events.length; from += batch) {
    stage.last.say(...events.slice(from, from + batch));
    await stage.advance(50);
  }
  stage.last.done();
  await stage.settle();
  return stage;
}

function responseOf(entries: readonly JournalEntry[]): string {
  const requested = entries.findLast((entry) => entry.type === 'requested');
  assert.ok(requested, 'Nothing was requested');
  return requested.response;
}

/** A window that takes over and finds the response of the first one. */
function takeOver(first: Stage): Promise<Stage> {
  return Stage.opened(first.journal, [responseOf(first.journal)]);
}

/** A window that follows the run of another one. */
async function following(owner: Stage): Promise<Stage> {
  const follower = new Stage(owner.journal);
  follower.isOwnedElsewhere = true;
  follower.kept.add(responseOf(owner.journal));
  await follower.conversation.resume();
  return follower;
}

/** Takes over after each entry that the first window recorded, and expects the same conversation at the end. */
async function takeOverAnywhere(
  first: Stage,
  since: number,
  events: readonly ChatEvent[],
): Promise<void> {
  const whole = said(first.journal);
  for (let length = since; length <= first.journal.length; length++)
    for (const batch of [1, 3, 100]) {
      const recorded = first.journal.slice(0, length);
      const next = await Stage.opened(recorded, [responseOf(recorded)]);
      await play(next, events, batch);
      assert.deepEqual(said(next.journal), whole, `after ${length} entries, ${batch} at a time`);
      assert.equal(next.kept.size, 0, 'the response is on record, but is still kept');
    }
}

describe('a window that takes over a run', () => {
  for (const batch of [1, 2, 100]) {
    it(`the next window reads a reply to its end once, after ${batch} events at a time were recorded`, async () => {
      const first = await play(Stage.asked('Go'), ending, batch);
      await takeOverAnywhere(first, 3, ending);
    });

    it(`the next window asks each question once, after ${batch} events at a time were recorded`, async () => {
      const first = await play(Stage.asked('Go'), asking, batch);
      await takeOverAnywhere(first, 3, asking);
    });

    it(`the next window records an accepted answer once, after ${batch} events at a time`, async () => {
      const first = await play(Stage.asked('Go'), asking, 100);
      const since = first.journal.length;
      await first.answering(allowOnce);
      await play(first, ending, batch);
      await takeOverAnywhere(first, since + 2, ending);
    });
  }

  it('each entry tells the number of events up to it, and an event without an entry changes none', async () => {
    const events: readonly ChatEvent[] = [
      ...[{ kind: 'role' } as const, text('One')],
      { kind: 'malformed', problem: 'not-json' },
      ...[{ kind: 'finish', reason: 'stop' } as const, endEvent('session-1')],
    ];
    const { journal } = await play(Stage.asked('Go'), events, 100);
    assert.deepEqual(journal.map((entry) => [entry.type, entry.events]).slice(-4), [
      ['requested', undefined],
      ['text', 2],
      ['finished', 4],
      ['end', 5],
    ]);
  });

  it('the next window sends no second request for the reply that it continues to read', async () => {
    const next = await takeOver(await play(Stage.asked('Go'), spoken, 100));
    assert.equal(next.exchanges.length, 1);
    assert.equal(next.last.request, null);
  });

  it('the next window keeps the time at which the reply arrived', async () => {
    const first = Stage.asked('Go');
    const entries = first.journal.slice();
    const next = await Stage.opened(entries, [responseOf(entries)]);
    next.clock.advance(3_600_000);
    next.last
      .open(() => 20_000)
      .say(...asking)
      .done();
    await next.settle();
    assert.equal(next.question.askedAt, 20_000);
    assert.ok(next.journal.slice(entries.length).every(({ at }) => at === 20_000));
  });

  it('the next window leaves the reply to a window that still owns the conversation', async () => {
    const first = await play(Stage.asked('Go'), spoken, 100);
    const next = await following(first);
    assert.equal(next.phase, 'elsewhere');
    assert.equal(next.exchanges.length, 0);
  });

  it('the next window records a run as interrupted if none of its responses is left', async () => {
    const first = await play(Stage.asked('Go'), spoken, 100);
    const next = await Stage.opened(first.journal);
    assert.equal(next.reply.state, 'cut');
  });

  it('the next window records a run as interrupted if its keeper ended it', async () => {
    const next = await takeOver(await play(Stage.asked('Go'), spoken, 100));
    next.last
      .open()
      .say(...spoken)
      .fail({ kind: 'severed', inStream: true, code: 'ERR_RESPONSE_STOPPED' });
    await next.settle();
    assert.equal(next.reply.state, 'cut');
    assert.equal(next.text, 'One two three.');
  });

  it('the next window sends the queue of the earlier one when the run ends', async () => {
    const first = Stage.asked('Go');
    first.last.open();
    first.submit('And then');
    const next = await takeOver(first);
    next.conversation.send({ type: 'requeue', queue: first.state.queue });
    await play(next, ending, 100);
    assert.deepEqual(next.queued, []);
    assert.equal(next.last.chat.kind === 'prompt' && next.last.chat.text, 'And then');
  });

  it('the next window reopens a question whose answer it cannot repeat', async () => {
    const first = await play(Stage.asked('Go'), asking, 100);
    await first.answering(allowOnce);
    const next = await takeOver(first);
    next.last.fail({ kind: 'server-error', status: 500 });
    await next.settle();
    assert.equal(next.phase, 'paused');
    assert.equal(next.exchanges.length, 1);
    assert.deepEqual(next.question.maybeReceived, { how: 'allow_once' });
  });

  it('the next window removes the response of a run that was stopped', async () => {
    const first = Stage.asked('Go');
    first.last.open();
    await first.stopped();
    const next = await takeOver(first);
    assert.equal(next.kept.size, 0);
    assert.equal(next.phase, 'idle');
  });
});

describe('a response that cannot be read to its end', () => {
  const lost = { kind: 'network', code: 'ERR_NEVER_SENT' } as const;

  it('a finished run stays finished if its response is gone when it is read again', async () => {
    const next = await takeOver(await play(Stage.asked('Go'), ending, 100));
    next.last.fail(lost);
    await next.settle();
    assert.equal(next.reply.state, 'done');
    assert.equal(next.phase, 'idle');
  });

  it('a question stays open if the response that asked it is gone when it is read again', async () => {
    const next = await takeOver(await play(Stage.asked('Go'), asking, 100));
    next.last.fail(lost);
    await next.settle();
    assert.equal(next.phase, 'paused');
    assert.equal(next.question.stage, 'open');
  });

  for (const [what, events] of [
    ['request', []],
    ['answer', asking],
  ] as const)
    it(`a run continues if a keeper sends its ${what} just before the run counts as interrupted`, async () => {
      const first = Stage.asked('Go');
      if (events.length > 0) await (await play(first, events, 100)).answering(allowOnce);
      const next = new Stage(first.journal);
      next.sentUnseen.add(responseOf(first.journal));
      await next.conversation.resume();
      assert.equal(next.phase, 'requesting');
      assert.equal(next.last.request, null);
    });

  it('a window leaves a response of another version alone', async () => {
    const first = await play(Stage.asked('Go'), spoken, 100);
    const next = new Stage(first.journal);
    next.kept.add(responseOf(first.journal));
    next.isForeign = true;
    await next.conversation.resume();
    assert.equal(next.phase, 'elsewhere');
    assert.equal(next.exchanges.length, 0);
    assert.equal(next.kept.size, 1);
  });

  it('a window does not read a response again that it has just read', async () => {
    const stage = Stage.asked('Go');
    stage.kept.add(responseOf(stage.journal));
    stage.recorded = new Promise(() => undefined);
    await play(stage, ending, 100);
    await stage.conversation.resume();
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.reply.state, 'done');
  });
});

describe('values that another window submitted', () => {
  it('the record has no words of the service that may quote an unknown value', async () => {
    const first = await play(Stage.asked('Go'), asking, 100);
    await first.answering({ kind: 'elicitation', action: 'accept', content: { dsn: 'a-fact' } });
    const next = await takeOver(first);
    const refusal = { kind: 'invalid-request', status: 400, reason: 'bad_request' } as const;
    for (const dsn of ['b-fact', 'c-fact']) {
      next.last.fail({ ...refusal, message: 'Bad: a-fact' });
      await next.settle();
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
    const owner = Stage.asked('Go');
    owner.last.open().say(text('Working'));
    await owner.settle();
    const follower = await following(owner);
    follower.stop();
    const next = await Stage.opened(follower.journal, [responseOf(owner.journal)]);
    assert.equal(next.reply.state, 'stopped');
  });

  it('a run stops when Stop is pressed in a window that follows it', async () => {
    const owner = Stage.asked('Go');
    owner.last.open().say(text('Working'));
    await owner.settle();
    const follower = await following(owner);
    const before = follower.journal.length;
    follower.stop();
    owner.conversation.follow(follower.journal.slice(before));
    await owner.settle();
    assert.equal(owner.reply.state, 'stopped');
    assert.ok(owner.last.aborted);
  });

  it('a run goes on when another window asks to stop an earlier one', async () => {
    const owner = Stage.asked('Go');
    owner.last.open().say(text('Working'));
    await owner.settle();
    owner.conversation.follow([{ type: 'stopping', id: 'x1', at: 1, run: 'another' }]);
    await owner.settle();
    assert.equal(owner.phase, 'requesting');
    assert.equal(owner.last.aborted, false);
  });

  it('a request to stop counts among other entries too', async () => {
    const owner = Stage.asked('Go');
    owner.last.open().say(text('Working'));
    await owner.settle();
    owner.conversation.follow([
      { type: 'renamed', id: 'x1', at: 1, title: 'A title' },
      { type: 'stopping', id: 'x2', at: 1, run: owner.reply.id },
    ]);
    await owner.settle();
    assert.equal(owner.reply.state, 'stopped');
  });

  it('Stop leaves the response of the next run, which began meanwhile', async () => {
    const owner = Stage.asked('Go');
    owner.last.open();
    const follower = await following(owner);
    follower.stop();
    const before = owner.journal.length;
    await owner.stopped();
    owner.submit('And then');
    follower.conversation.follow(owner.journal.slice(before));
    follower.kept.clear();
    follower.kept.add(responseOf(owner.journal));
    await follower.advance(2_000);
    assert.equal(follower.kept.size, 1);
    assert.equal(follower.phase, 'elsewhere');
  });

  it('a change of the mode in another window counts at once, and text changes nothing', async () => {
    const stage = Stage.asked('Go');
    await stage.finish();
    const { ownerChecks, state } = stage;
    const run = stage.reply.id;
    stage.conversation.follow([
      { type: 'reasoning', id: 'x0', at: 1, run, text: 'So' },
      { type: 'text', id: 'x1', at: 1, run, text: 'One' },
    ]);
    assert.equal(stage.state, state);
    await stage.settle();
    assert.equal(stage.ownerChecks, ownerChecks);
    stage.conversation.follow([
      { type: 'text', id: 'x2', at: 1, run, text: 'Two' },
      { type: 'mode', id: 'x3', at: 1, mode: 'self-drive', limit: 'this-prompt' },
    ]);
    assert.equal(stage.state.mode, 'self-drive');
    await stage.settle();
    assert.equal(stage.ownerChecks, ownerChecks + 1);
  });

  it('a window continues a run within five seconds after its owner has died', async () => {
    const owner = await play(Stage.asked('Go'), spoken, 100);
    const follower = await following(owner);
    await follower.advance(5_000);
    assert.equal(follower.phase, 'elsewhere');
    follower.isOwnedElsewhere = false;
    await follower.advance(4_999);
    assert.equal(follower.phase, 'elsewhere');
    await follower.advance(1);
    assert.equal(follower.phase, 'requesting');
    assert.equal(follower.last.request, null);
    const checks = follower.ownerChecks;
    await follower.advance(20_000);
    assert.equal(follower.ownerChecks, checks);
  });

  it('a window reads what the last owner recorded before it judges the run', async () => {
    const owner = Stage.asked('Go');
    owner.last.open().say(text('One'));
    await owner.settle();
    const before = owner.journal.length;
    await owner.finish();
    const next = new Stage(owner.journal.slice(0, before));
    next.elsewhere.push(...owner.journal.slice(before));
    await next.conversation.resume();
    assert.equal(next.reply.state, 'done');
    assert.equal(next.phase, 'idle');
  });

  it('a window follows a run that another one has taken over just before', async () => {
    const owner = await play(Stage.asked('Go'), spoken, 100);
    const next = new Stage(owner.journal);
    next.kept.add(responseOf(owner.journal));
    next.isTooLate = true;
    await next.conversation.resume();
    assert.equal(next.phase, 'elsewhere');
    assert.equal(next.exchanges.length, 0);
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
    const cut = await Stage.opened((await play(Stage.asked('Go'), spoken, 100)).journal);
    const afterCut = await takeOver(cut);
    assert.deepEqual([afterCut.kept.size, afterCut.exchanges.length], [1, 0]);
  });

  it('the questions of an interrupted run are over', async () => {
    const first = Stage.asked('Go');
    first.last.open().say(interaction(permissionCall('call-1')));
    await first.settle();
    const next = await Stage.opened(first.journal);
    assert.equal(next.reply.state, 'cut');
    assert.deepEqual([next.question.stage, next.question.ending], ['over', 'run-ended']);
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
