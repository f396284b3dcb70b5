/** Runs of the client against the local service: two readings of the interface that share no code. */
import assert from 'node:assert/strict';
import { readQuestion } from '../../../src/api/question.ts';
import type { Answer } from '../../../src/api/types.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { chat, clientOf, failureOf, prompt, reply, start } from './support/localService.ts';

describe('client with the local service: a run', () => {
  // Rules 11.2, 12.4, 17.2, 17.3, 17.5, 17.6
  it('the client reads text in the order of the API, with usage and model', async () => {
    const said = await chat(clientOf(await start()), prompt('echo Grüße, мир, 世界 🙂'));
    assert.match(said.text, /Grüße, мир, 世界 🙂/);
    const kinds = said.events.map(({ kind }) => kind);
    assert.equal(kinds[0], 'role');
    assert.deepEqual(kinds.slice(-2), ['finish', 'end']);
    assert.ok(kinds.slice(1, -2).every((kind) => kind === 'text'));
    assert.equal(said.finish?.reason, 'stop');
    const { usage, sessionId, model } = said.end;
    assert.ok(usage !== null);
    assert.ok(usage.cost !== null && usage.cachedTokens !== null);
    assert.equal(usage.totalTokens, usage.promptTokens + usage.completionTokens);
    assert.ok(sessionId !== null && model !== null);
  });

  // Rules 5.6, 11.1
  it('the client continues the session of the first prompt with the second', async () => {
    const client = clientOf(await start());
    const first = await chat(client, prompt('echo a first remark'));
    const second = await chat(client, prompt('remember', 'manual', first.end.sessionId));
    assert.equal(second.end.sessionId, first.end.sessionId);
    assert.match(second.text, /a first remark/);
  });
});

describe('client with the local service: questions', () => {
  // Rules 5.11, 7.1, 8.29, 11.3, 11.4
  it('the client continues a run after the answer to a permission', async () => {
    const client = clientOf(await start());
    const asked = await chat(client, prompt('ask permission'));
    assert.equal(asked.finish?.reason, 'tool_calls');
    assert.equal(asked.end.usage, null);
    assert.deepEqual(readQuestion(asked.questions[0]!.call), {
      kind: 'permission',
      operation: 'run_shell',
      options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    });
    const answered = await chat(client, reply(asked, { kind: 'permission', choice: 'allow_once' }));
    assert.equal(answered.finish?.reason, 'stop');
    assert.equal(answered.end.sessionId, asked.end.sessionId);
    assert.match(answered.text, /allow_once/);
  });

  // Rule 5.10
  it('the client gets no question in self-drive', async () => {
    const said = await chat(clientOf(await start()), prompt('ask permission', 'self-drive'));
    assert.deepEqual([said.questions.length, said.finish?.reason], [0, 'stop']);
  });

  const refusals: readonly (readonly [text: string, answer: Answer])[] = [
    ['ask permission', { kind: 'permission', choice: 'cancel' }],
    ['ask name', { kind: 'elicitation', action: 'decline' }],
    ['ask name', { kind: 'elicitation', action: 'cancel' }],
  ];
  for (const [text, answer] of refusals)
    // Rules 7.2, 7.5
    it(`the client ends a run of "${text}" with ${JSON.stringify(answer)}`, async () => {
      const client = clientOf(await start());
      const asked = await chat(client, prompt(text));
      assert.equal((await chat(client, reply(asked, answer))).finish?.reason, 'stop');
    });

  // Rule 18.3
  it('the service accepts another answer after an option that was not offered', async () => {
    const client = clientOf(await start());
    const asked = await chat(client, prompt('ask permission'));
    const wrong = reply(asked, { kind: 'permission', choice: 'allow_for_ever' });
    const error = await failureOf(chat(client, wrong));
    assert.deepEqual([error.kind, error.status, error.inStream], ['invalid-request', 400, false]);
    const said = await chat(client, reply(asked, { kind: 'permission', choice: 'reject_once' }));
    assert.equal(said.finish?.reason, 'stop');
  });

  // Rule 7.4
  it('the client answers an elicitation with values of each type', async () => {
    const client = clientOf(await start());
    const asked = await chat(client, prompt('ask form'));
    const question = readQuestion(asked.questions[0]!.call);
    assert.ok(question.kind === 'elicitation' && question.fields.length === 10);
    const content = {
      branch: 'main "quoted"',
      timeout: 1.5,
      replicas: 2,
      notify: true,
      region: 'north',
      checks: ['lint', 'e2e'],
      deadline: '2026-01-01',
      token: 'test-value',
    };
    const said = await chat(
      client,
      reply(asked, { kind: 'elicitation', action: 'accept', content }),
    );
    assert.equal(said.finish?.reason, 'stop');
  });

  // Rules 11.5, 11.6, 21.6
  it('the client gets a refusal after the deadline, which refused answers do not extend', async () => {
    const clock = new FakeClock();
    const client = clientOf(await start({ clock }));
    const asked = await chat(client, prompt('ask permission'));
    clock.advance(299_999);
    const odd = reply(asked, { kind: 'permission', choice: 'allow_for_a_week' });
    assert.equal((await failureOf(chat(client, odd))).kind, 'invalid-request');
    clock.advance(1);
    const late = reply(asked, { kind: 'permission', choice: 'allow_once' });
    assert.equal((await failureOf(chat(client, late))).kind, 'interaction-not-pending');
  });

  // Rule 11.7
  it('the client answers a question that another client got', async () => {
    const service = await start();
    const asked = await chat(clientOf(service), prompt('ask permission'));
    const answer = reply(asked, { kind: 'permission', choice: 'allow_once' });
    assert.match((await chat(clientOf(service, 'test-key-rotated'), answer)).text, /allow_once/);
  });

  // Rule 16.8
  it('the service accepts an answer again when the limit of runs has passed', async () => {
    const clock = new FakeClock();
    const client = clientOf(await start({ clock, turnsPerMinute: 1 }));
    const asked = await chat(client, prompt('ask permission'));
    const answer = reply(asked, { kind: 'permission', choice: 'allow_once' });
    const { kind, retryAfterMs } = await failureOf(chat(client, answer));
    assert.deepEqual([kind, retryAfterMs], ['rate-limited', 60_000]);
    clock.advance(60_000);
    assert.match((await chat(client, answer)).text, /allow_once/);
  });
});
