import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import { Countdown } from '../../../src/base/timeLeft.ts';
import { Stage, allowOnce } from './conversationStage.ts';
import type { Failure } from './fakeExchange.ts';
import { play, playAll } from './plays.ts';

/** A run whose answer is being sent. */
async function sending(answer: Answer = allowOnce) {
  const stage = await Stage.paused('Go', 'Before. ');
  return { stage, ...(await stage.answering(answer)) };
}

describe('the record of an answer', () => {
  const DSN = 'postgres://admin:hunter2@db';

  playAll(`
    the record withholds an unlisted reason that quotes a value
      submit Go | open | ask | accept ${DSN} | fail invalid-request 400 not_postgres_url: Not a URL =>
      failureReasons (withheld: it repeats what was sent); messages Not a URL
    the record keeps a listed reason that equals a value
      submit Go | open | ask | accept bad_request | fail invalid-request 400 bad_request => failureReasons bad_request
    the record withholds a failure that quotes a value of an accepted answer
      submit Go | open | ask | accept ${DSN} | say I connect. | refuse turn-failed: No such host: ${DSN} =>
      messages (withheld: it repeats what was sent); submitted none
    the conversation remembers the submitted values of all answers of a run
      submit Go | open | ask | accept ${DSN} | fail invalid-request: Not a URL | accept sqlite://db =>
      submitted ${DSN}, sqlite://db
    the record withholds a value of a refused answer that the service quotes later
      submit Go | open | ask | accept ${DSN} | fail invalid-request: Not a URL | accept sqlite://db | say I connect. |
      ask call-2 | answer allow_once | fail run-ended 410: Was given ${DSN} first =>
      messages Not a URL, (withheld: it repeats what was sent)
    the record keeps a value that the service quotes in the next run
      submit Go | open | ask | accept ${DSN} | finish | submit Again | fail refused 400: Say no ${DSN} =>
      messages Say no ${DSN}; submitted none
    the conversation forgets the submitted values when another window ended the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request | other stopped => phase idle; submitted none
    the conversation remembers the submitted values when another window continues the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request | owner elsewhere | restore => phase paused;
      submitted ${DSN}
  `);

  it('the record of an answer never has a submitted value', async () => {
    const stage = await play(`submit Go | open | ask | accept ${DSN} | finish`);
    assert.ok(!JSON.stringify(stage.journal).includes('hunter2'));
  });

  for (const quotation of [DSN, `“${DSN.slice(0, 12)}…”`, `…${DSN.slice(-8)}`])
    it(`the card, not the record, shows a refusal that quotes ${quotation}`, async () => {
      const given: Answer = { kind: 'elicitation', action: 'accept', content: { dsn: DSN } };
      const { stage, outcome } = await sending(given);
      const message = `Not a URL: ${quotation}`;
      await stage.fail({ kind: 'invalid-request', status: 400, reason: 'bad_request', message });
      const told = await outcome;
      assert.ok(told?.kind === 'refused');
      assert.equal(told.error.message, message);
      const refused = stage.journal.at(-1);
      assert.ok(refused?.type === 'refused');
      assert.deepEqual(refused.failure, {
        ...{ kind: 'invalid-request', status: 400, reason: 'bad_request' },
        ...{ message: '(withheld: it repeats what was sent)', inStream: false },
      });
    });
});

describe('a refused answer', () => {
  /** Fails each request in the same way until the answer is not repeated. */
  async function failAlways(stage: Stage, failure: Failure): Promise<void> {
    while (stage.phase !== 'paused') {
      await stage.fail(failure);
      stage.clock.advance(9_000);
    }
  }

  it('the client repeats a refused answer for 30 s if another request is attached', async () => {
    const { stage, outcome } = await sending();
    await failAlways(stage, { kind: 'attachment-failed', status: 409 });
    assert.equal((await outcome)?.kind, 'refused');
    assert.ok(stage.exchanges.length > 3);
  });

  it('a lost answer is repeated until the deadline of its question', async () => {
    const { stage, outcome } = await sending();
    await failAlways(stage, { kind: 'network' });
    const given = await outcome;
    assert.ok(given?.kind === 'refused');
    assert.deepEqual(given.maybeReceived, { how: 'allow_once', isEarlier: false });
    assert.ok(stage.clock.now() - stage.question.askedAt < 330_000);
  });

  it('a lost answer is not repeated past its deadline if the clock was set back', async () => {
    const stage = await Stage.paused('Go');
    const countdown = new Countdown(stage.clock, stage.asked[0]!.deadline);
    stage.pendingQuestions.deadline = () => countdown.deadline;
    await stage.answering();
    stage.clock.sleep(-3_600_000);
    const setBackAt = stage.clock.now();
    await failAlways(stage, { kind: 'network' });
    assert.ok(stage.clock.now() - setBackAt < 330_000);
  });
});
