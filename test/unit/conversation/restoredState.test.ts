import assert from 'node:assert/strict';
import type { EntryBody } from '../../../src/conversation/journal.ts';
import { restoredEvent, type ResponseSource } from '../../../src/conversation/machine/reduce.ts';
import { AUTO_ANSWER } from '../../../src/conversation/questions/types.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { asked, fold } from './entries.ts';

const prompted: EntryBody = { type: 'prompt', run: 'r1', text: 'Go', mode: 'self-drive' };
const requested: EntryBody = { type: 'requested', run: 'r1', response: 'response-1' };
const question = asked('r1', 'q1');
const finished = (reason: 'stop' | 'tool_calls'): EntryBody => ({
  type: 'finished',
  run: 'r1',
  reason,
});
const ended = (session: string | null): EntryBody => ({
  type: 'end',
  run: 'r1',
  session,
  model: null,
  usage: null,
});
const answering = (how: string): EntryBody => ({ type: 'answering', question: 'q1', how });
const stopped: EntryBody = { type: 'stopped', run: 'r1' };
const failed = (inStream: boolean): EntryBody => ({
  type: 'failed',
  run: 'r1',
  failure: { kind: 'severed', status: 200, message: '', inStream },
});

const waiting = [prompted, requested, question, finished('tool_calls'), ended('s1')];

const restoreState = (transcript: Transcript, source: ResponseSource) =>
  restoredEvent(transcript, source).state;

describe('the state of a conversation that a window opens', () => {
  /** The response that a stream keeper has, without the question whose answer it may carry. */
  function attemptAfter(...entries: readonly EntryBody[]) {
    const { phase } = restoreState(fold(...entries), 'stream-keeper');
    assert.ok(phase.kind === 'requesting');
    const { answer, ...attempt } = phase.attempt;
    if (answer === null) return { answer, ...attempt };
    const { question, ...given } = answer;
    assert.equal(question.id, 'q1');
    return { answer: given, ...attempt };
  }

  const attempt = {
    run: 'r1',
    request: 'response-1',
    chat: null,
    mode: 'self-drive',
    attempts: 1,
    startedAt: 2_000,
    hasResponded: false,
    answer: null,
    finish: null,
  };

  it('the response of a stream keeper is read as the one that the last window requested', () => {
    assert.deepEqual(attemptAfter(prompted, requested), attempt);
    const unrequested = { ...attempt, request: '', startedAt: 1_000 };
    assert.deepEqual(attemptAfter(prompted), unrequested);
    assert.deepEqual(attemptAfter(...waiting), { ...attempt, finish: 'tool_calls' });
    const done = attemptAfter(prompted, requested, finished('stop'));
    assert.deepEqual(done, { ...attempt, finish: 'stop' });
  });

  it('the response of a stream keeper may carry an answer', () => {
    const flags = { isStopping: false, isLost: false, isAccepted: false };
    const byUser = attemptAfter(...waiting, answering('allow_once'));
    const answer = { how: 'allow_once', by: undefined, ...flags };
    assert.deepEqual(byUser, { ...attempt, answer });
    const automatic: EntryBody = {
      type: 'answering',
      question: 'q1',
      how: 'cancel',
      by: AUTO_ANSWER,
    };
    const byPolicy = attemptAfter(...waiting, automatic);
    assert.deepEqual(byPolicy, {
      ...attempt,
      answer: { how: 'cancel', by: AUTO_ANSWER, ...flags },
    });
  });

  it('only accepted values count as submitted and unknown', () => {
    const submitted = (how: string, source: ResponseSource) =>
      restoreState(fold(...waiting, answering(how)), source).submitted;
    assert.equal(submitted('accept', 'stream-keeper'), 'unknown');
    assert.deepEqual(submitted('decline', 'stream-keeper'), []);
    assert.deepEqual(submitted('accept', 'other-window'), []);
    assert.deepEqual(restoreState(new Transcript(), 'stream-keeper').submitted, []);
  });

  const working = [prompted, requested];
  const unknownSession = [prompted, requested, question, finished('tool_calls'), ended(null)];
  for (const [what, entries, source, phase] of [
    ['no run is idle', [], 'stream-keeper', { kind: 'idle' }],
    ['a run that nobody reads is idle', working, 'none', { kind: 'idle' }],
    [
      'a run that another window reads is elsewhere',
      ...[working, 'other-window', { kind: 'elsewhere', run: 'r1' }],
    ],
    [
      'a run that is over is idle',
      [...working, finished('stop')],
      'other-window',
      { kind: 'idle' },
    ],
    [
      'a run that waits for an answer is paused, whoever owns it',
      ...[waiting, 'other-window'],
      { kind: 'paused', run: 'r1', mode: 'self-drive', isStopping: false },
    ],
    [
      'a run whose answer another window sends is elsewhere',
      ...[[...waiting, answering('allow_once')], 'other-window'],
      { kind: 'elsewhere', run: 'r1' },
    ],
    ['a question without a session cannot be answered', unknownSession, 'none', { kind: 'idle' }],
  ] as [string, EntryBody[], ResponseSource, object][])
    it(`${what} when a window opens it`, () => {
      const state = restoreState(fold(...entries), source);
      assert.deepEqual(state.phase, phase);
      const isOpen = entries.includes(question) && state.phase.kind !== 'idle';
      assert.deepEqual(
        state.questions.map((question) => question.id),
        isOpen ? ['q1'] : [],
      );
    });

  it('an open question keeps the answer that may have been received', () => {
    const transcript = fold(...waiting, answering('reject_once'), answering('allow_once'));
    assert.deepEqual(transcript.question('q1')?.maybeReceived, { how: 'reject_once' });
  });

  for (const [what, entries, leftAt] of [
    ['a stopped run without a session was left', [...working, stopped], 3_000],
    [
      'a stopped run in manual without a session was not left',
      ...[[{ ...prompted, mode: 'manual' } as const, requested, stopped], null],
    ],
    ['a stopped run with a session was left', [ended('s0'), ...working, stopped], 4_000],
    ['a run that may go on after its failure was left', [...working, failed(true)], 3_000],
    ['a run that succeeded was not left', [...working, finished('stop')], null],
    ['no run was left', [], null],
  ] as [string, EntryBody[], number | null][])
    it(`${what} when a window opens it`, () => {
      assert.equal(restoreState(fold(...entries), 'none').leftAt, leftAt);
    });
});
