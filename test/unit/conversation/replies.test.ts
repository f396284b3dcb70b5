import assert from 'node:assert/strict';
import type { Answer, ApiErrorInit, ChatEvent } from '../../../src/api/index.ts';
import { leavePatienceMs } from '../../../src/conversation/machine/state.ts';
import type { AnswerOutcome } from '../../../src/conversation/questions/types.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import {
  Stage,
  allowOnce,
  endEvent,
  interaction,
  permissionCall,
  statusContext,
} from './conversationStage.ts';

const paused = () => Stage.paused('Go', 'Before. ');

/** A run whose question was answered, and that is on its way. */
async function sending(answer: Answer = allowOnce) {
  const stage = await paused();
  return { stage, ...(await stage.answering(answer)) };
}

describe('a question', () => {
  it('is asked only after the final chunk and [DONE], when the session is known', async () => {
    const stage = Stage.asked('Go');
    stage.last.open().say(interaction(permissionCall('call-1')));
    await stage.last.say({ kind: 'finish', reason: 'tool_calls' }).taken();
    assert.equal(stage.asked.length, 0);
    await stage.last.say(endEvent('session-1')).done().taken();
    assert.equal(stage.asked.length, 1);
    assert.equal(stage.asked[0]?.deadline, stage.clock.now() + 300_000);
    assert.equal(stage.phase, 'paused');
  });

  it('is answered with the echo, the same session and the tool message, and the reply goes on in the same message', async () => {
    const { stage, outcome } = await sending();
    assert.deepEqual(stage.last.chat, {
      kind: 'reply',
      sessionId: 'session-1',
      call: permissionCall('call-1'),
      answer: allowOnce,
    });
    stage.last.open().say({ kind: 'text', text: 'After.' }).finish();
    assert.deepEqual(await outcome, { kind: 'answered', how: 'allow_once' });
    await stage.settle();
    const replies = stage.conversation.transcript.messages.filter(({ kind }) => kind === 'reply');
    assert.equal(replies.length, 1);
    assert.equal(stage.text, 'Before. After.');
    assert.equal(stage.reply.state, 'done');
  });

  it('is answered once the record says so on disk: after a crash nobody may take it for unanswered', async () => {
    const stage = await paused();
    let written: () => void = () => undefined;
    stage.recorded = new Promise<void>((resolve) => (written = resolve));
    await stage.answering();
    assert.equal(stage.journal.at(-1)?.type, 'answering');
    assert.equal(stage.last.chat.kind, 'prompt');
    written();
    await stage.settle();
    assert.equal(stage.last.chat.kind, 'reply');
  });

  it('is not answered where Stop comes before the record is on disk', async () => {
    const stage = await paused();
    let written: () => void = () => undefined;
    stage.recorded = new Promise<void>((resolve) => (written = resolve));
    const { outcome } = await stage.answering();
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
    written();
    await stage.settle();
    assert.ok(stage.exchanges.every(({ chat }) => chat.kind === 'prompt'));
  });

  it('is answered by the owner of its conversation alone, and has none while it waits', async () => {
    const stage = await paused();
    assert.equal(stage.isOwnedHere, false);
    stage.isOwnedElsewhere = true;
    assert.equal(await stage.conversation.answer(stage.asked[0]!.id, allowOnce), undefined);
    assert.equal(stage.exchanges.length, 1);
    stage.isOwnedElsewhere = false;
    const { outcome } = await stage.answering();
    assert.equal(stage.isOwnedHere, true);
    stage.last.fail({ kind: 'invalid-request' });
    assert.equal((await outcome)?.kind, 'refused');
    await stage.settle();
    assert.equal(stage.isOwnedHere, false);
  });

  it('is not answered where another window has closed it, as the record says by then', async () => {
    const stage = await paused();
    const [{ id } = {}] = stage.asked;
    const stamp = { id: 'closed elsewhere', at: stage.clock.now() };
    stage.elsewhere.push({ ...stamp, type: 'closed', question: id!, why: 'gone' });
    assert.equal(await stage.conversation.answer(id!, allowOnce), undefined);
    await stage.settle();
    assert.equal(stage.exchanges.length, 1);
    assert.deepEqual([stage.ended, stage.isOwnedHere], [[id], false]);
  });

  it('is not answered where its window went away meanwhile', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    stage.conversation.dispose();
    assert.equal(await outcome, undefined);
    assert.equal(stage.exchanges.length, 1);
  });

  for (const isKnown of [false, true])
    it(`is ${isKnown ? '' : 'not '}asked when the stream was cut after tool_calls and the session was ${isKnown ? '' : 'not '}known before`, async () => {
      const stage = Stage.asked('One');
      if (isKnown) await stage.finish('session-1');
      if (isKnown) stage.submit('Go');
      const asks = interaction(permissionCall('call-1'));
      stage.last.open().say(asks, { kind: 'finish', reason: 'tool_calls' });
      await stage.fail({ kind: 'severed', inStream: true });
      assert.deepEqual([stage.asked.length, stage.phase], isKnown ? [1, 'paused'] : [0, 'idle']);
    });

  describe('that cannot be read', () => {
    const unreadable = (text: string, id = 'call-1'): ChatEvent => ({
      kind: 'interaction',
      call: { ...permissionCall(id), arguments: text },
      question: { kind: 'unreadable', problem: 'shape' },
    });
    const pause = (stage: Stage, ...events: readonly ChatEvent[]) =>
      stage.last
        .say(...events, { kind: 'finish', reason: 'tool_calls' }, endEvent('session-1'))
        .done();

    async function asked(text: string): Promise<Stage> {
      const stage = Stage.asked('Go');
      stage.last.open();
      pause(stage, unreadable(text));
      await stage.settle();
      return stage;
    }

    it('is shown and cancelled by itself, in the way of its kind, and says so; the run goes on', async () => {
      for (const [text, answer] of [
        ['not json', { kind: 'permission', choice: 'cancel' }],
        ['{ "kind" : "elicitation", "fields": 1', { kind: 'elicitation', action: 'cancel' }],
      ] as const) {
        const stage = await asked(text);
        assert.equal(stage.asked.length, 0);
        const { chat } = stage.last;
        assert.deepEqual(chat.kind === 'reply' && chat.answer, answer);
        assert.deepEqual(chat.kind === 'reply' && chat.call.arguments, text);
        await stage.last.open().say({ kind: 'text', text: 'Then not.' }).taken();
        assert.equal(stage.question.ending, 'answered');
        assert.match(questionView(stage.question, false).stateText, /^Cancelled by this editor/);
        await stage.last.say({ kind: 'finish', reason: 'stop' }).done().taken();
        assert.equal(stage.reply.state, 'done');
      }
    });

    it('runs out on the service where not even that is taken, and the run is left as one that waits', async () => {
      const stage = await asked('not json');
      stage.clock.advance(500);
      await stage.fail({ kind: 'invalid-request' });
      assert.deepEqual([stage.runs, stage.took], [[false], [500]]);
      assert.equal(stage.question.ending, 'unanswerable');
      assert.match(questionView(stage.question, false).stateText, /expire on the service/);
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.failure?.kind, 'unanswerable');
    });

    it('gives way to the next question, which is asked', async () => {
      const stage = Stage.asked('Go');
      stage.last.open();
      pause(stage, unreadable('not json'), interaction(permissionCall('call-2')));
      await stage.settle();
      await stage.fail({ kind: 'invalid-request' });
      assert.equal(stage.asked.length, 1);
      assert.equal(stage.phase, 'paused');
    });

    it('in a run that is being stopped is no end of the run’s own where its cancel is refused', async () => {
      const stage = await paused();
      await stage.stopped();
      stage.last.open();
      pause(stage, unreadable('not json', 'call-2'));
      await stage.settle();
      await stage.fail({ kind: 'invalid-request' });
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.state, 'stopped');
      assert.deepEqual(stage.runs, []);
    });

    it('in a run that is being stopped is cancelled to stop it', async () => {
      const stage = await paused();
      await stage.stopped();
      stage.last.open();
      pause(stage, unreadable('not json', 'call-2'));
      await stage.settle();
      const { chat } = stage.last;
      assert.equal(chat.kind === 'reply' && chat.call.id, 'call-2');
      await stage.finish();
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.state, 'stopped');
    });
  });

  /** A run that waits for answers to two questions at once. */
  async function twice(): Promise<Stage> {
    const stage = Stage.asked('Go');
    stage.last.open();
    await stage.last
      .say(interaction(permissionCall('call-1')))
      .ask(permissionCall('call-2'))
      .taken();
    return stage;
  }

  it('that comes with another one is asked after it', async () => {
    const stage = await twice();
    assert.deepEqual(
      stage.asked.map(({ call }) => call.id),
      ['call-1'],
    );
    await stage.answering();
    await stage.last
      .open()
      .say({ kind: 'finish', reason: 'tool_calls' }, endEvent(null))
      .done()
      .taken();
    assert.deepEqual(
      stage.asked.map(({ call }) => call.id),
      ['call-1', 'call-2'],
    );
  });

  it('is asked where the one before it is gone', async () => {
    const stage = await twice();
    const { outcome } = await stage.answering();
    stage.last.open().refuse({ kind: 'interaction-not-pending', status: 409 });
    assert.equal((await outcome)?.kind, 'gone');
    await stage.settle();
    assert.equal(stage.state.phase.kind === 'paused' && stage.state.phase.stopping, false);
    assert.equal(stage.phase, 'paused');
    assert.equal(stage.asked.at(-1)?.call.id, 'call-2');
    assert.equal(stage.reply.failure, null);
    const { outcome: next } = await stage.answering();
    stage.last.open().finish();
    assert.equal((await next)?.kind, 'answered');
  });

  it('has nothing of the answer to another one, whose response was lost', async () => {
    const stage = await twice();
    const { outcome: first } = await stage.answering();
    stage.last.open().fail({ kind: 'broken-stream', inStream: true });
    assert.equal((await first)?.kind, 'refused');
    assert.deepEqual(
      stage.state.questions.map(({ maybeReceived }) => maybeReceived?.how ?? null),
      ['allow_once', null],
    );
  });

  it('is asked no more where Stop finds the one before it gone', async () => {
    const stage = await twice();
    await stage.stopped();
    await stage.last.open().refuse({ kind: 'interaction-not-pending', status: 409 }).taken();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.asked.length, 1);
    const states = stage.reply.parts.map((part) => part.kind === 'question' && part.ending);
    assert.deepEqual(states, ['gone', 'run-ended']);
  });
});

describe('the record of an answer', () => {
  const DSN = 'postgres://admin:hunter2@db';
  const withheld = '(withheld: it repeats what was sent)';
  const given: Answer = { kind: 'elicitation', action: 'accept', content: { dsn: DSN } };
  const answered = async () => {
    const stage = await paused();
    await stage.answering(given);
    return stage;
  };
  const messages = (stage: Stage) =>
    stage.journal.flatMap((entry) =>
      'failure' in entry && entry.failure !== undefined ? [entry.failure.message] : [],
    );

  it('never has a value of it', async () => {
    const stage = await answered();
    await stage.finish();
    assert.ok(!JSON.stringify(stage.journal).includes('hunter2'));
  });

  for (const quotation of [DSN, `“${DSN.slice(0, 12)}…”`, `…${DSN.slice(-8)}`]) {
    it(`withholds a refusal that quotes ${quotation}, which its user reads all the same`, async () => {
      const stage = await paused();
      const { outcome } = await stage.answering(given);
      const message = `Not a URL: ${quotation}`;
      await stage.fail({ kind: 'invalid-request', status: 400, reason: 'bad_request', message });
      const told = await outcome;
      assert.ok(told?.kind === 'refused');
      assert.equal(told.error.message, message);
      const refused = stage.journal.at(-1);
      assert.ok(refused?.type === 'refused');
      assert.deepEqual(refused.failure, {
        ...{ kind: 'invalid-request', status: 400, reason: 'bad_request' },
        ...{ message: withheld, inStream: false },
      });
    });
  }

  it('withholds an unlisted reason that quotes a value, and keeps the sentence', async () => {
    const stage = await answered();
    const reason = 'not_postgres_url';
    await stage.fail({ kind: 'invalid-request', status: 400, reason, message: 'Not a URL' });
    const refused = stage.journal.at(-1);
    assert.ok(refused?.type === 'refused');
    assert.deepEqual([refused.failure.reason, refused.failure.message], [withheld, 'Not a URL']);
  });

  it('keeps a listed reason that a value is a part of', async () => {
    const stage = await paused();
    await stage.answering({ ...given, content: { dsn: 'bad_request' } });
    await stage.fail({ kind: 'invalid-request', status: 400, reason: 'bad_request' });
    const refused = stage.journal.at(-1);
    assert.ok(refused?.type === 'refused');
    assert.equal(refused.failure.reason, 'bad_request');
  });

  it('withholds a failure that quotes a value after the answer was taken', async () => {
    const stage = await answered();
    stage.last.open().say({ kind: 'text', text: 'I connect. ' });
    stage.last.refuse({ kind: 'turn-failed', message: `No such host: ${DSN}` });
    await stage.settle();
    assert.deepEqual(messages(stage), [withheld]);
    assert.deepEqual(stage.state.submitted, [], 'the run is over');
  });

  it('withholds a value of a refused answer that the service quotes later in the run', async () => {
    const stage = await answered();
    await stage.fail({ kind: 'invalid-request', status: 400, message: 'Not a URL' });
    await stage.answering({ ...given, content: { dsn: 'sqlite://db' } });
    assert.deepEqual(stage.state.submitted, [DSN, 'sqlite://db']);
    stage.last.open().say({ kind: 'text', text: 'I connect. ' }).ask(permissionCall('call-2'));
    await stage.settle();
    await stage.answering();
    await stage.fail({ kind: 'run-ended', status: 410, message: `Was given ${DSN} first` });
    assert.deepEqual(messages(stage), ['Not a URL', withheld]);
  });

  it('repeats what the service says in the next run', async () => {
    const stage = await answered();
    await stage.finish();
    assert.deepEqual(stage.state.submitted, []);
    stage.submit('Again');
    await stage.fail({ kind: 'refused', status: 400, message: `Say no ${DSN}` });
    assert.deepEqual(messages(stage), [`Say no ${DSN}`]);
  });

  it('forgets the values when another window ended the run', async () => {
    const stage = await answered();
    await stage.fail({ kind: 'invalid-request', status: 400 });
    assert.deepEqual(stage.state.submitted, [DSN]);
    stage.conversation.follow([{ type: 'stopped', id: 'x1', at: 0, run: stage.reply.id }]);
    await stage.settle();
    assert.deepEqual([stage.phase, stage.state.submitted], ['idle', []]);
  });

  it('remembers the values when another window goes on with the run', async () => {
    const stage = await answered();
    await stage.fail({ kind: 'invalid-request', status: 400 });
    stage.isOwnedElsewhere = true;
    stage.conversation.restore(false);
    assert.deepEqual([stage.phase, stage.state.submitted], ['paused', [DSN]]);
  });
});

describe('an answer that was refused', () => {
  const gone = [
    { kind: 'interaction-unknown', status: 404, reason: 'interaction_unknown' },
    { kind: 'interaction-not-pending', status: 409, reason: 'interaction_not_pending' },
    { kind: 'run-output-lost', status: 410, reason: 'attachment_failed' },
    { kind: 'intern-not-found', status: 404, reason: 'not_found' },
  ] as const;
  for (const failure of gone) {
    it(`is the end of the question after ${failure.kind}`, async () => {
      const { stage, outcome } = await sending();
      stage.clock.advance(700);
      stage.last.fail(failure);
      assert.equal((await outcome)?.kind, 'gone');
      await stage.settle();
      assert.deepEqual(stage.took, [700]);
      assert.equal(stage.state.leftAt, stage.clock.now(), 'the run may go on');
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.state, 'failed');
    });
  }

  const kept = [
    { kind: 'invalid-request', status: 400, reason: 'bad_request' },
    { kind: 'rejected', status: 502, reason: 'intern_rejected' },
    { kind: 'signed-out', status: 401 },
    { kind: 'not-ready', status: 409, reason: 'intern_not_ready' },
  ] as const;
  for (const failure of kept) {
    it(`leaves the question pending after ${failure.kind}`, async () => {
      const { stage, outcome } = await sending();
      stage.last.fail(failure);
      assert.equal((await outcome)?.kind, 'refused');
      assert.equal(stage.phase, 'paused');
      const { outcome: again } = await stage.answering();
      stage.last.open().finish();
      assert.equal((await again)?.kind, 'answered');
    });
  }

  it('was not received, also when the question is gone at the next try, and after a reload', async () => {
    for (const reloads of [false, true]) {
      const stage = await paused();
      const { outcome: refused } = await stage.answering();
      stage.last.fail({ kind: 'invalid-request', status: 400 });
      assert.equal((await refused)?.kind, 'refused');
      if (reloads) stage.reload();
      const { outcome: again } = await stage.answering();
      stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
      assert.equal((await again)?.kind, 'gone');
      assert.deepEqual(stage.runs, [false]);
    }
  });

  it('because of too many turns is sent four times, then kept', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 10 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'rate-limited', status: 429 });
      await stage.advance(9_000);
    }
    assert.equal((await outcome)?.kind, 'refused');
    assert.equal(stage.exchanges.filter(({ chat }) => chat.kind === 'reply').length, 4);
  });

  it('because another request is attached is repeated for 30 s, then kept', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 40 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'attachment-failed', status: 409, reason: 'attachment_failed' });
      stage.clock.advance(9_000);
    }
    assert.equal((await outcome)?.kind, 'refused');
    assert.ok(stage.exchanges.length > 3);
  });

  it('by a lost connection is sent again unchanged, and a question that is no longer pending was probably answered', async () => {
    const { stage, outcome } = await sending();
    const sent = stage.last.chat;
    await stage.fail({ kind: 'network' });
    assert.equal(stage.phase, 'backing-off');
    assert.equal(stage.exchanges.length, 2, 'not at once');
    assert.ok((stage.clock.untilNext ?? 0) > 0);
    await stage.advance(20_000);
    assert.deepEqual(stage.last.chat, sent);
    stage.last.fail({
      kind: 'interaction-not-pending',
      status: 409,
      reason: 'interaction_not_pending',
    });
    assert.deepEqual(await outcome, {
      kind: 'maybe-answered',
      how: 'allow_once',
      isEarlier: false,
    });
  });

  it('tells an earlier answer, which was probably received, from a different one after it, which was not', async () => {
    const stage = await paused();
    const { id } = stage.asked[0]!;
    const first = stage.conversation.answer(id, allowOnce);
    await stage.settle();
    await stage.fail({ kind: 'network' });
    await stage.advance(20_000);
    stage.last.fail({ kind: 'invalid-request', status: 400 });
    assert.equal((await first)?.kind, 'refused');
    const second = stage.conversation.answer(id, { kind: 'permission', choice: 'reject_once' });
    await stage.settle();
    stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await second, received);
  });

  it('by a lost connection is not sent again after the deadline', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 200 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'network' });
      stage.clock.advance(9_000);
    }
    assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: false });
    assert.ok(stage.clock.now() - stage.asked[0]!.arrivedAt < 330_000);
  });
});

/** The answer that may have been received, by the outcome of the last one. */
function unclear(outcome: AnswerOutcome | undefined) {
  assert.equal(outcome?.kind, 'refused');
  return outcome.maybeReceived;
}

function banners(stage: Stage): string {
  const { banners: shown } = statusView(stage.state, { ...statusContext, now: stage.clock.now() });
  return shown.map(({ text }) => text).join('\n');
}

describe('an answer whose response has begun', () => {
  const inStream = true;

  function card(stage: Stage) {
    const { stateText, actions } = questionView(stage.question, stage.phase === 'paused');
    return { stateText, actions: actions.map(({ id }) => id) };
  }

  async function answering(answer: Answer = allowOnce) {
    const { stage, outcome } = await sending(answer);
    await stage.last.open().say({ kind: 'role' }).taken();
    return { stage, outcome };
  }

  const types = ({ journal }: Stage) => journal.map(({ type }) => type);

  it('is on its way, and nothing says that it counts', async () => {
    const { stage } = await answering();
    stage.last.say({ kind: 'malformed', problem: 'not-json' });
    await stage.advance(100);
    assert.deepEqual(card(stage), { stateText: 'Sending your answer', actions: [] });
    assert.equal(types(stage).includes('answered'), false);
  });

  const call = permissionCall('call-2');
  const question = { kind: 'permission', operation: 'shell', options: [] } as const;
  const proofs: readonly ChatEvent[] = [
    { kind: 'text', text: 'So' },
    { kind: 'reasoning', text: 'Hm' },
    { kind: 'interaction', call, question },
    { kind: 'finish', reason: 'stop' },
    { kind: 'finish', reason: 'tool_calls' },
  ];
  for (const proof of proofs)
    it(`is taken at the first sign of work: ${'reason' in proof ? proof.reason : proof.kind}`, async () => {
      const { stage, outcome } = await answering();
      await stage.last.say(proof).taken();
      stage.clock.advance(30);
      assert.deepEqual(await outcome, { kind: 'answered', how: 'allow_once' });
      await stage.settle();
      assert.equal(card(stage).stateText, 'Allowed once');
      assert.equal(types(stage).filter((type) => type === 'answered').length, 1);
    });

  it('is taken by a run that ends well without a word', async () => {
    const { stage, outcome } = await answering();
    stage.last.finish();
    assert.equal((await outcome)?.kind, 'answered');
    await stage.settle();
    assert.equal(stage.reply.state, 'done');
  });

  for (const [kind, reason, status] of [
    ['interaction-not-pending', 'interaction_not_pending', 409],
    ['interaction-unknown', 'interaction_unknown', 404],
    ['run-output-lost', 'attachment_failed', 410],
  ] as const)
    it(`does not count after ${kind}, and the intern may be asked to ask again`, async () => {
      const { stage, outcome } = await answering({ kind: 'permission', choice: 'allow_always' });
      stage.last.refuse({ kind, status, reason });
      assert.equal((await outcome)?.kind, 'gone');
      await stage.settle();
      assert.deepEqual(card(stage).actions, ['askAgain']);
      assert.equal(types(stage).includes('answered'), false);
      assert.equal(stage.reply.failure?.kind, kind);
      assert.equal(stage.phase, 'idle');
      assert.notEqual(stage.state.leftAt, null, 'the run may go on');
    });

  it('may have been received when the run ends after it', async () => {
    const { stage, outcome } = await answering({ kind: 'permission', choice: 'allow_always' });
    stage.last.refuse({ kind: 'run-ended', status: 410, reason: 'run_ended' });
    const received = { kind: 'maybe-answered', how: 'allow_always', isEarlier: false };
    assert.deepEqual(await outcome, received);
    await stage.settle();
    assert.match(card(stage).stateText, /may have been received/);
    assert.equal(stage.reply.failure?.kind, 'run-ended');
    assert.deepEqual([stage.phase, stage.state.leftAt], ['idle', null]);
  });

  it('that was lost may have been received, whatever a later try gets', async () => {
    for (const later of [
      { kind: 'run-output-lost', status: 410, reason: 'attachment_failed' },
      { kind: 'interaction-unknown', status: 404, reason: 'interaction_unknown' },
    ] as const) {
      const { stage, outcome } = await answering();
      await stage.fail({ kind: 'severed', inStream });
      await stage.advance(20_000);
      stage.last.fail(later);
      const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: false };
      assert.deepEqual(await outcome, received);
    }
  });

  it('may have been received when its stream breaks after the presumed deadline', async () => {
    const { stage, outcome } = await answering();
    await stage.advance(300_000);
    stage.last.fail({ kind: 'severed', inStream });
    assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: false });
    assert.match(
      card(stage).stateText,
      /^Your answer may have been received\. You can answer again/,
    );
    assert.deepEqual(card(stage).actions, ['answer']);
  });

  for (const [kind, reason] of [
    ['busy', 'busy'],
    ['attachment-failed', 'attachment_failed'],
  ] as const)
    it(`is sent again unchanged after ${kind}, and then waits for its user`, async () => {
      const { stage, outcome } = await answering();
      const sent = stage.last.chat;
      await stage.last.refuse({ kind, status: 409, reason }).taken();
      assert.match(banners(stage), /attached to the run\. Your answer goes out again/);
      assert.ok(stage.phase !== 'paused');
      assert.deepEqual(card(stage), { stateText: 'Sending your answer', actions: [] });
      for (let tries = 0; tries < 40 && stage.phase !== 'paused'; tries++) {
        await stage.advance(9_000);
        assert.deepEqual(stage.last.chat, sent);
        await stage.last.open().refuse({ kind, status: 409, reason }).taken();
      }
      assert.equal((await outcome)?.kind, 'refused');
      assert.deepEqual(card(stage).actions, ['answer']);
      const { outcome: again } = await stage.answering();
      stage.last.open().finish();
      assert.equal((await again)?.kind, 'answered');
    });

  const lost: readonly (Partial<ApiErrorInit> & Pick<ApiErrorInit, 'kind'>)[] = [
    { kind: 'severed' },
    { kind: 'severed', status: 502, reason: 'stream_severed' },
    { kind: 'timeout', status: 504, reason: 'timeout' },
  ];
  for (const failure of lost)
    it(`may have arrived where its stream broke off: ${failure.reason ?? 'the connection'}`, async () => {
      const { stage, outcome } = await answering();
      const sent = stage.last.chat;
      await stage.fail({ ...failure, inStream });
      assert.match(banners(stage), /may not have arrived/);
      await stage.advance(20_000);
      assert.deepEqual(stage.last.chat, sent);
      stage.last.open().refuse({ kind: 'interaction-not-pending', status: 409 });
      const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: false };
      assert.deepEqual(await outcome, received);
    });

  for (const kind of ['broken-stream', 'client-closed', 'server-error'] as const)
    it(`may have arrived after ${kind}: its user decides, and is told so at the next try`, async () => {
      const { stage, outcome } = await answering();
      stage.last.fail({ kind, inStream });
      assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: false });
      const reject: Answer = { kind: 'permission', choice: 'reject_once' };
      const { outcome: second } = await stage.answering(reject);
      stage.last.open().refuse({ kind: 'interaction-not-pending', status: 409 });
      const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
      assert.deepEqual(await second, received);
    });

  it('that cancelled counts where the intern ends the run on it', async () => {
    const { stage, outcome } = await answering({ kind: 'permission', choice: 'cancel' });
    stage.last.refuse({ kind: 'run-ended', status: 410, reason: 'run_ended' });
    assert.deepEqual(await outcome, { kind: 'answered', how: 'cancel' });
    await stage.settle();
    assert.equal(card(stage).stateText, 'Cancelled');
    assert.equal(stage.reply.failure?.kind, 'run-ended');
  });

  it('is given up by Stop before anything came of it: nobody can say whether it arrived', async () => {
    const { stage, outcome } = await answering();
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
    assert.equal(stage.last.aborted, true);
    assert.equal(stage.state.leftAt, stage.clock.now(), 'its run may go on');
    assert.match(card(stage).stateText, /^You stopped the run .* It may have been received\.$/);
  });
});

describe('an answer whose fate is unknown', () => {
  const notPending = {
    kind: 'interaction-not-pending',
    status: 409,
    reason: 'interaction_not_pending',
  } as const;
  const reject: Answer = { kind: 'permission', choice: 'reject_once' };

  /** A question whose first answer was lost, and then refused for another reason if there is one. */
  async function lost(then?: { kind: 'invalid-request'; status: number }): Promise<Stage> {
    const { stage, outcome } = await sending();
    if (then === undefined) await stage.fail({ kind: 'client-closed', status: 499 });
    else {
      await stage.fail({ kind: 'network' });
      await stage.advance(20_000);
      await stage.fail(then);
    }
    assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: false });
    return stage;
  }

  for (const then of [undefined, { kind: 'invalid-request', status: 400 }] as const)
    it(`is still unknown after a reload${then ? ', also if its last try was refused' : ''}`, async () => {
      const stage = await lost(then);
      stage.reload();
      assert.match(questionView(stage.question, true).stateText, /^Your answer may have been rec/);
      const { outcome } = await stage.answering(reject);
      stage.last.fail(notPending);
      const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
      assert.deepEqual(await outcome, received);
    });

  it('is still unknown after the window that sent a second answer was lost, too', async () => {
    const stage = await paused();
    await stage.answering();
    stage.reload();
    await stage.answering(reject);
    stage.reload();
    const { outcome } = await stage.answering(reject);
    stage.last.fail(notPending);
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await outcome, received);
  });

  it('is still unknown while a later answer is refused for a reason that proves nothing of it', async () => {
    const stage = await lost();
    const { outcome } = await stage.answering(reject);
    stage.last.fail({ kind: 'not-ready', status: 409, reason: 'intern_not_ready' });
    assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: true });
    assert.match(questionView(stage.question, true).stateText, /may have been received/);
  });

  for (const [kind, status, reason] of [
    ['timeout', 504, 'timeout'],
    ['server-error', 500, undefined],
    ['unreachable', 502, 'intern_unreachable'],
  ] as const)
    it(`keeps its question open when the tries of ${status} run out`, async () => {
      const { stage, outcome } = await sending();
      for (let tries = 0; tries < 10 && stage.phase !== 'paused'; tries++) {
        await stage.fail({ kind, status, ...(reason && { reason }) });
        await stage.advance(9_000);
      }
      assert.deepEqual(unclear(await outcome), { how: 'allow_once', isEarlier: false });
      const { stateText, actions } = questionView(stage.question, true);
      assert.match(stateText, /may have been received/);
      assert.deepEqual(
        actions.map(({ id }) => id),
        ['answer'],
      );
    });

  it('is known to be lost when nothing was sent at all', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 200 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'network', code: 'ECONNREFUSED' });
      stage.clock.advance(9_000);
    }
    assert.equal(unclear(await outcome), undefined);
    assert.match(questionView(stage.question, true).stateText, /did not take the answer/);
  });
});

describe('Stop while an answer waits to be sent again', () => {
  const refusals = [
    { kind: 'rate-limited', status: 429, reason: 'rate_limited' },
    { kind: 'no-capacity', status: 503, reason: 'busy' },
    { kind: 'busy', status: 409, reason: 'busy' },
    { kind: 'attachment-failed', status: 409, reason: 'attachment_failed' },
    { kind: 'network' },
    { kind: 'timeout', status: 504, reason: 'timeout' },
  ] as const;
  for (const refusal of refusals)
    it(`sends cancel in its place after ${refusal.kind}`, async () => {
      const { stage, outcome } = await sending({
        kind: 'permission',
        choice: 'allow_always',
      });
      await stage.fail(refusal);
      await stage.stopped();
      assert.deepEqual(stage.last.chat, {
        kind: 'reply',
        sessionId: 'session-1',
        call: permissionCall('call-1'),
        answer: { kind: 'permission', choice: 'cancel' },
      });
      stage.last.open().say({ kind: 'text', text: 'Very well' });
      assert.deepEqual(await outcome, { kind: 'answered', how: 'cancel' }, 'nothing was allowed');
      await stage.settle();
      assert.equal(stage.reply.state, 'stopped');
      assert.equal(stage.phase, 'idle');
    });

  it('sends cancel also while a lost answer is being sent again', async () => {
    const { stage, outcome } = await sending();
    await stage.fail({ kind: 'network' });
    await stage.advance(20_000);
    const repeated = stage.last;
    await stage.stopped();
    assert.equal(repeated.aborted, true);
    assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
    stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await outcome, received);
    await stage.settle();
    assert.deepEqual([stage.phase, stage.reply.state], ['idle', 'stopped']);
  });

  it('remembers a lost answer whose cancel was lost with its window', async () => {
    const { stage } = await sending();
    await stage.fail({ kind: 'network' });
    await stage.stopped();
    stage.reload();
    assert.equal(stage.state.questions[0]?.maybeReceived?.how, 'allow_once');
  });

  it('forgets a refused answer whose cancel was lost with its window', async () => {
    const { stage } = await sending();
    await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
    await stage.stopped();
    stage.reload();
    assert.equal(stage.state.questions[0]?.maybeReceived?.how, 'cancel');
  });

  it('leaves the run on a second Stop', async () => {
    const { stage, outcome } = await sending();
    await stage.fail({ kind: 'rate-limited', status: 429 });
    await stage.stopped();
    await stage.fail({ kind: 'rate-limited', status: 429 });
    assert.equal(stage.phase, 'backing-off');
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
    assert.equal(stage.phase, 'idle');
  });
});

describe('a paused run', () => {
  it('is stopped by cancelling its question, and left when that is taken', async () => {
    const stage = await paused();
    await stage.stopped();
    assert.deepEqual(stage.answered, {
      kind: 'permission',
      choice: 'cancel',
    });
    await stage.last.open().say({ kind: 'role' }).taken();
    assert.equal(stage.phase, 'requesting', 'headers take no cancel');
    await stage.last.say({ kind: 'text', text: 'As you wish' }).taken();
    stage.clock.advance(30);
    assert.equal(stage.last.aborted, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.phase, 'idle');
  });

  it('goes on waiting when the cancel of a Stop is refused', async () => {
    const stage = await paused();
    await stage.stopped();
    await stage.fail({ kind: 'unreachable', status: 502, reason: 'intern_unreachable' });
    for (let tries = 0; tries < 10 && stage.phase === 'backing-off'; tries++) {
      await stage.advance(30_000);
      await stage.fail({ kind: 'unreachable', status: 502, reason: 'intern_unreachable' });
    }
    assert.equal(stage.phase, 'paused');
  });

  it('goes on waiting when the cancel of a Stop is refused in its stream, and its card says so', async () => {
    const stage = await paused();
    await stage.stopped();
    await stage.last
      .open()
      .refuse({ kind: 'turn-failed', status: 502, reason: 'turn_failed' })
      .taken();
    assert.equal(stage.last.aborted, false);
    assert.equal(stage.phase, 'paused');
    assert.match(
      questionView(stage.question, true).stateText,
      /cancellation may have been received/,
    );
  });

  for (const way of ['fail', 'refuse'] as const)
    it(`is over when the cancel of a Stop comes too late: ${way}`, async () => {
      const stage = await paused();
      await stage.stopped();
      if (way === 'refuse') stage.last.open();
      stage.last[way]({ kind: 'interaction-not-pending', status: 409 });
      await stage.settle();
      assert.equal(stage.reply.state, 'stopped');
      assert.equal(stage.phase, 'idle');
    });

  for (const finish of ['stop', 'run-ended'] as const)
    it(`ends as stopped, and keeps its queue, when the cancel of a Stop brings its end: ${finish}`, async () => {
      const stage = await paused();
      stage.submit('Later');
      await stage.stopped();
      stage.last.open();
      if (finish === 'stop') stage.last.finish();
      else stage.last.refuse({ kind: 'run-ended', status: 410, reason: 'run_ended' });
      await stage.settle();
      assert.equal(stage.reply.state, 'stopped');
      assert.equal(stage.state.leftAt, null, 'the service knows that it is over');
      assert.equal(stage.state.queueHeld, true);
      assert.deepEqual(stage.runs, []);
    });

  it('is stopped though its intern asks once more when its question is cancelled', async () => {
    const stage = await paused();
    await stage.stopped();
    stage.last.open().say({ kind: 'role' });
    await stage.last.say({ kind: 'text', text: 'Then' }).ask(permissionCall('call-2')).taken();
    const { chat } = stage.last;
    assert.ok(chat.kind === 'reply');
    assert.equal(chat.call.id, 'call-2');
    assert.deepEqual(chat.answer, { kind: 'permission', choice: 'cancel' });
    await stage.finish();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.state, 'stopped');
  });

  it('is left for good only when the service took the cancel: until then its key and its record are needed', async () => {
    const stage = await paused();
    let isLeft = false;
    void stage.conversation.leave().then(() => (isLeft = true));
    await stage.settle();
    await stage.advance(leavePatienceMs - 1);
    assert.equal(isLeft, false);
    await stage.finish();
    assert.equal(isLeft, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.clock.waiting, 0);
  });

  it('is left for good without the service where that does not respond', async () => {
    const stage = await paused();
    const left = stage.conversation.leave();
    await stage.settle();
    stage.clock.advance(leavePatienceMs);
    await left;
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.last.aborted, true);
  });

  it('is left by Stop where nobody can answer its question any more: it would wait for ever', async () => {
    const stage = await paused();
    stage.deskRefuses = 'unknown';
    await stage.stopped();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.state, 'stopped');
    assert.deepEqual(stage.ended, [stage.asked[0]!.id]);
  });

  it('can be stopped again where Stop came while another answer was on its way', async () => {
    const stage = await paused();
    stage.deskRefuses = 'answering';
    await stage.stopped();
    assert.equal(stage.phase, 'paused');
    assert.equal(stage.state.phase.kind === 'paused' && stage.state.phase.stopping, false);
    stage.deskRefuses = undefined;
    await stage.stopped();
    await stage.finish();
    assert.equal(stage.phase, 'idle');
  });

  it('keeps its question while another window answers it, and asks on where the service refuses that answer', async () => {
    const stage = await paused();
    const { id } = stage.asked[0]!;
    const { conversation } = stage;
    const stamp = (n: number) => ({ id: `other-${n}`, at: stage.clock.now() });
    conversation.follow([{ type: 'answering', question: id, how: 'allow_once', ...stamp(1) }]);
    conversation.restore(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.deepEqual(stage.ended, []);
    const failure = { kind: 'timeout', status: 504, message: '', inStream: false };
    conversation.follow([{ type: 'refused', question: id, failure, ...stamp(2) }]);
    conversation.restore(false);
    assert.equal(stage.phase, 'paused');
    assert.deepEqual(stage.ended, []);
    conversation.follow([{ type: 'answering', question: id, how: 'allow_once', ...stamp(3) }]);
    conversation.restore(true);
    conversation.follow([{ type: 'answered', question: id, how: 'allow_once', ...stamp(4) }]);
    conversation.restore(true);
    assert.deepEqual(stage.ended, [id]);
  });

  it('keeps prompts back that were to go out where the answer before their cancel counts', async () => {
    const stage = await paused();
    stage.deskRefuses = 'answering';
    stage.submit('Later');
    stage.conversation.send({ type: 'cancel-and-send' });
    await stage.settle();
    assert.equal(stage.state.sendWhenLeft, false);
    stage.deskRefuses = undefined;
    await stage.stopped();
    await stage.finish();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.state.queueHeld, true);
  });

  it('takes no word to cancel and send where it waits for nothing', async () => {
    const stage = new Stage();
    stage.conversation.send({ type: 'cancel-and-send' });
    stage.submit('One');
    stage.submit('Two');
    stage.conversation.send({ type: 'cancel-and-send' });
    await stage.stopped();
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.state.queueHeld, true);
  });

  it('sends one prompt on the user’s word, and holds the next ones after a later Stop', async () => {
    const stage = await paused();
    stage.submit('Now');
    stage.conversation.send({ type: 'cancel-and-send' });
    await stage.settle();
    await stage.finish();
    stage.submit('Later');
    await stage.stopped();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.state.queueHeld, true);
  });

  it('cancels an elicitation as one, on Stop', async () => {
    const stage = Stage.asked('Go');
    const question = { kind: 'elicitation', message: 'Who?', fields: [] } as const;
    const call = { ...permissionCall('call-1'), arguments: JSON.stringify(question) };
    stage.last.open().say({ kind: 'interaction', call, question });
    await stage.last
      .say({ kind: 'finish', reason: 'tool_calls' }, endEvent('session-1'))
      .done()
      .taken();
    await stage.stopped();
    const cancel = { kind: 'elicitation', action: 'cancel' };
    assert.deepEqual(stage.answered, cancel);
  });

  it('queues a prompt, and cancels the question and sends it on the user’s word', async () => {
    const stage = await paused();
    stage.submit('Something else');
    assert.equal(stage.exchanges.length, 1);
    stage.conversation.send({ type: 'cancel-and-send' });
    await stage.settle();
    await stage.finish();
    assert.equal(stage.prompted, 'Something else');
  });

  describe('whose question has probably expired', () => {
    function actions(stage: Stage): readonly string[] {
      const { banners: shown } = statusView(stage.state, {
        ...statusContext,
        now: stage.clock.now(),
      });
      return shown.flatMap((each) => each.actions.map(({ id }) => id));
    }

    const questionOf = (stage: Stage) =>
      stage.conversation.transcript.question(stage.asked[0]!.id)!;

    /** A prompt was sent after the question's presumed deadline. */
    async function submitted(): Promise<Stage> {
      const stage = await paused();
      stage.clock.advance(300_000);
      stage.submit('Later');
      await stage.settle();
      return stage;
    }

    it('is not canceled by a prompt, because it may still be open', async () => {
      const stage = await submitted();
      assert.equal(stage.exchanges.length, 1);
      assert.deepEqual(stage.queued, ['Later']);
      assert.match(banners(stage), /probably expired/);
    });

    it('offers to give it up only after the presumed deadline', async () => {
      const stage = await paused();
      stage.clock.advance(299_999);
      stage.submit('Later');
      assert.deepEqual(actions(stage), ['cancelQuestionAndSend']);
      stage.clock.advance(1);
      assert.deepEqual(actions(stage), ['cancelQuestionAndSend', 'giveUpAndSend']);
    });

    it('is given up without a request, and the prompt is sent', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'give-up-and-send' });
      await stage.settle();
      assert.equal(stage.exchanges.length, 2);
      assert.equal(stage.prompted, 'Later');
      assert.deepEqual(stage.ended, [stage.asked[0]!.id]);
      const part = questionOf(stage);
      assert.equal(part.ending, 'given-up');
      assert.equal(questionView(part, false).stateText, 'You gave up this question');
    });

    it('is closed for good once it was given up, also after a reload', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'give-up-and-send' });
      await stage.finish();
      stage.reload();
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.conversation.transcript.openQuestions.length, 0);
    });

    it('keeps the note that an answer may have been received when it is given up', async () => {
      const { stage } = await sending();
      await stage.fail({ kind: 'client-closed', status: 499 });
      stage.submit('Later');
      stage.conversation.send({ type: 'give-up-and-send' });
      assert.match(
        questionView(questionOf(stage), false).stateText,
        /^You gave up this question\. Your answer may have been received\.$/,
      );
    });

    it('has its prompt sent again when the service says that the session is busy', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'give-up-and-send' });
      await stage.settle();
      await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
      assert.equal(stage.phase, 'backing-off');
      await stage.advance(9_000);
      assert.equal(stage.prompted, 'Later');
    });

    it('cannot be given up while its cancellation is on its way', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'cancel-and-send' });
      stage.conversation.send({ type: 'give-up-and-send' });
      await stage.settle();
      assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
      assert.match(banners(stage), /Canceling the question, then sending your prompt/);
      await stage.finish();
      assert.equal(stage.prompted, 'Later');
    });

    it('shows why its cancellation was refused, and still offers to give it up', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'cancel-and-send' });
      await stage.settle();
      await stage.fail({ kind: 'not-ready', status: 409, reason: 'intern_not_ready' });
      assert.equal(stage.phase, 'paused');
      assert.equal(stage.state.sendWhenLeft, false);
      assert.match(
        banners(stage),
        /The intern is not running\. The service says: “said the service”/,
      );
      assert.deepEqual(actions(stage), ['cancelQuestionAndSend', 'giveUpAndSend']);
      stage.reload();
      stage.submit('Later');
      assert.match(banners(stage), /The intern is not running/);
    });

    it('makes way for a prompt when the service says that it no longer waits', async () => {
      const stage = await submitted();
      stage.conversation.send({ type: 'cancel-and-send' });
      await stage.settle();
      await stage.last.open().refuse({ kind: 'interaction-not-pending', status: 409 }).taken();
      assert.equal(stage.prompted, 'Later');
    });

    it('is answered days later, after a reload, for as long as the service takes it', async () => {
      const stage = await paused();
      stage.clock.advance(3 * 24 * 3_600_000);
      stage.reload();
      assert.equal(stage.phase, 'paused');
      const { outcome } = await stage.answering();
      stage.last.open().finish();
      assert.equal((await outcome)?.kind, 'answered');
    });
  });

  it('whose reply stream fails counts the question as answered and keeps the text', async () => {
    const { stage, outcome } = await sending();
    stage.last.open().say({ kind: 'text', text: 'More' }).fail({ kind: 'severed', inStream: true });
    assert.equal((await outcome)?.kind, 'answered');
    await stage.settle();
    assert.equal(stage.text, 'Before. More');
    assert.equal(stage.question.ending, 'answered');
    assert.equal(stage.reply.state, 'failed');
  });

  it('keeps a question open whose answer comes while the run is not waiting', async () => {
    const stage = await paused();
    const { outcome: first } = await stage.answering();
    const second = await stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    assert.equal(second?.kind === 'refused' && second.error.kind, 'busy');
    assert.equal(stage.exchanges.length, 2);
    stage.last.open().finish();
    void first;
  });

  it('may be answered again where the window that was sending an answer is gone, and the service decides', async () => {
    const stage = await paused();
    await stage.answering();
    stage.reload();
    assert.equal(stage.phase, 'paused');
    const { outcome } = await stage.answering();
    stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await outcome, received);
  });

  it('answers a question that is not asked any more with nothing', async () => {
    const stage = await paused();
    const outcome = await stage.conversation.answer('another', allowOnce);
    assert.equal(outcome?.kind === 'gone' && outcome.error.kind, 'interaction-unknown');
    assert.equal(stage.exchanges.length, 1);
  });
});
