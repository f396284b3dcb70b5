import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/api/index.ts';
import type { JournalEntry } from '../../../src/conversation/journal.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { allowOnce, Stage } from './conversationStage.ts';
import { endEvent } from './fakeExchange.ts';
import { play } from './plays.ts';
import {
  asking,
  ending,
  following,
  playResponse,
  responseOf,
  spoken,
  takeOver,
  text,
} from './recordedRuns.ts';

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
        part.kind === 'question'
          ? [part.call.id, part.stage, part.answer?.how]
          : [part.kind, part.text],
      );
      return [message.state, ...parts];
    }),
  };
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
      await playResponse(next, events, batch);
      assert.deepEqual(said(next.journal), whole, `after ${length} entries, ${batch} at a time`);
      assert.equal(next.kept.size, 0, 'the response is on record, but is still kept');
    }
}

describe('a window that takes over a run', () => {
  for (const batch of [1, 2, 100]) {
    it(`the next window reads a reply to its end once, after ${batch} events at a time were recorded`, async () => {
      const first = await playResponse(Stage.asked('Go'), ending, batch);
      await takeOverAnywhere(first, 3, ending);
    });

    it(`the next window asks each question once, after ${batch} events at a time were recorded`, async () => {
      const first = await playResponse(Stage.asked('Go'), asking, batch);
      await takeOverAnywhere(first, 3, asking);
    });

    it(`the next window records an accepted answer once, after ${batch} events at a time`, async () => {
      const first = await playResponse(Stage.asked('Go'), asking, 100);
      const since = first.journal.length;
      await first.answering(allowOnce);
      await playResponse(first, ending, batch);
      await takeOverAnywhere(first, since + 2, ending);
    });
  }

  it('each entry records the number of events up to it, also of events without an entry', async () => {
    const events: readonly ChatEvent[] = [
      ...[{ kind: 'role' } as const, text('One')],
      { kind: 'malformed', problem: 'not-json' },
      ...[{ kind: 'finish', reason: 'stop' } as const, endEvent('session-1')],
    ];
    const { journal } = await playResponse(Stage.asked('Go'), events, 100);
    assert.deepEqual(journal.map((entry) => [entry.type, entry.events]).slice(-4), [
      ['requested', undefined],
      ['text', 2],
      ['finished', 4],
      ['end', 5],
    ]);
  });

  it('the next window sends no second request for the reply that it continues to read', async () => {
    const next = await takeOver(await playResponse(Stage.asked('Go'), spoken, 100));
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

  for (const [what, because] of [
    ['of a window that still owns the conversation', 'isOwnedElsewhere'],
    ['that another window has taken over just before', 'isTooLate'],
    ['of another version', 'isForeign'],
  ] as const)
    it(`the next window leaves a response ${what} alone`, async () => {
      const next = await following(await playResponse(Stage.asked('Go'), spoken, 100), because);
      assert.equal(next.phase, 'elsewhere');
      assert.deepEqual([next.exchanges.length, next.kept.size], [0, 1]);
    });

  it('the next window records a run as interrupted if none of its responses is left', async () => {
    const first = await playResponse(Stage.asked('Go'), spoken, 100);
    const next = await Stage.opened(first.journal);
    assert.equal(next.reply.state, 'cut');
  });

  it('the next window records a run as interrupted if its keeper ended it', async () => {
    const next = await takeOver(await playResponse(Stage.asked('Go'), spoken, 100));
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
    next.conversation.send({ type: 'requeue', queue: first.state.queue, isHeld: false });
    await playResponse(next, ending, 100);
    assert.deepEqual(next.queued, []);
    assert.equal(next.last.chat.kind === 'prompt' && next.last.chat.text, 'And then');
  });

  it('the next window sends the queue when the run ends in a window that took it over', async () => {
    const owner = await play('submit Go | say Working');
    owner.submit('And then');
    const next = await following(owner);
    next.conversation.send({ type: 'requeue', queue: owner.state.queue, isHeld: false });
    assert.deepEqual([next.phase, next.queued], ['elsewhere', ['And then']]);
    // The window of another workspace that took the run over has no such prompt.
    owner.conversation.send({ type: 'remove-queued', id: owner.state.queue[0]!.id });
    const before = owner.journal.length;
    await owner.finish();
    next.isOwnedElsewhere = false;
    next.kept.clear();
    next.conversation.follow(owner.journal.slice(before));
    await next.settle();
    assert.equal(next.last.chat.kind === 'prompt' && next.last.chat.text, 'And then');
  });

  it('a prompt that waited for a run without a window has the time when it is sent', async () => {
    const first = Stage.asked('Go');
    first.last.open();
    first.submit('And then');
    const next = await takeOver(first);
    next.conversation.send({ type: 'requeue', queue: first.state.queue, isHeld: false });
    const endedAt = next.clock.now();
    await next.advance(8 * 3_600_000);
    next.last.open(() => endedAt).finish();
    await next.settle();
    const sentAt = next.clock.now();
    assert.equal(next.conversation.transcript.lastPrompt?.at, sentAt);
    assert.equal(next.conversation.transcript.lastResponse?.requestedAt, sentAt);
    await next.finish();
    assert.deepEqual(next.took, [0, 0]);
  });

  it('the next window reopens a question whose answer it cannot repeat', async () => {
    const first = await playResponse(Stage.asked('Go'), asking, 100);
    await first.answering(allowOnce);
    const next = await takeOver(first);
    await next.fail({ kind: 'server-error', status: 500 });
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
    const next = await takeOver(await playResponse(Stage.asked('Go'), ending, 100));
    await next.fail(lost);
    assert.equal(next.reply.state, 'done');
    assert.equal(next.phase, 'idle');
  });

  it('a question stays open if the response that asked it is gone when it is read again', async () => {
    const next = await takeOver(await playResponse(Stage.asked('Go'), asking, 100));
    await next.fail(lost);
    assert.equal(next.phase, 'paused');
    assert.equal(next.question.stage, 'open');
  });

  for (const [what, events] of [
    ['request', []],
    ['answer', asking],
  ] as const)
    it(`a run continues if a keeper sends its ${what} just before the run counts as interrupted`, async () => {
      const first = Stage.asked('Go');
      if (events.length > 0) await (await playResponse(first, events, 100)).answering(allowOnce);
      const next = new Stage(first.journal);
      next.sentUnseen.add(responseOf(first.journal));
      await next.conversation.resume();
      assert.equal(next.phase, 'requesting');
      assert.equal(next.last.request, null);
    });

  it('a window does not read a response again that it has just read', async () => {
    const stage = Stage.asked('Go');
    stage.kept.add(responseOf(stage.journal));
    stage.recorded = new Promise(() => undefined);
    await playResponse(stage, ending, 100);
    await stage.conversation.resume();
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.reply.state, 'done');
  });
});
