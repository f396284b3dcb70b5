import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PERMISSION_OPTIONS } from '../../../../src/api/index.ts';
import {
  DIALOG_PROTECTION_MS,
  type PendingQuestions,
  REMIND_BEFORE_DEADLINE_MS,
} from '../../../../src/conversation/questions/pendingQuestions.ts';
import {
  automaticAnswer,
  AUTO_ANSWER_BEFORE_DEADLINE_MS,
  WHEN_UNANSWERED,
} from '../../../../src/conversation/questions/unanswered.ts';
import {
  ALLOW,
  apiError,
  asked,
  type FakeAnswerer,
  type FakeDisk,
  FIVE_MINUTES,
  permission,
  QuestionWindows,
  REJECT,
  settled,
  standsAt,
} from './fakes.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('automaticAnswer', () => {
  const kinds = [...PERMISSION_OPTIONS, 'trust_me', 'cancel'];

  it('the automatic answer never consents nor rejects always, whatever a permission offers', () => {
    fc.assert(
      fc.property(
        fc.subarray(kinds),
        fc.constantFrom(...WHEN_UNANSWERED),
        fc.constantFrom('shell', null),
        (options, when, operation) => {
          const { question } = asked('q', { kind: 'permission', operation, options });
          const given = automaticAnswer(question, when);
          if (given === undefined) {
            assert.ok(when === 'expire' || question.kind === 'unreadable');
            return;
          }
          assert.ok(given.kind === 'permission');
          const rejects = when === 'refuse' && options.includes('reject_once');
          assert.equal(given.choice, rejects ? 'reject_once' : 'cancel');
        },
      ),
    );
  });

  it('the automatic answer declines or cancels an elicitation, and skips an unreadable question', () => {
    const { question } = asked('q', { kind: 'elicitation', message: 'Which branch?', fields: [] });
    assert.deepEqual(
      WHEN_UNANSWERED.map((when) => automaticAnswer(question, when)),
      [undefined, 'decline', 'cancel'].map((action) => action && { kind: 'elicitation', action }),
    );
    const unreadable = asked('q', { kind: 'riddle' }).question;
    assert.equal(unreadable.kind, 'unreadable');
    for (const when of WHEN_UNANSWERED) assert.equal(automaticAnswer(unreadable, when), undefined);
  });
});

describe('the automatic answer to a question', () => {
  let windows: QuestionWindows;
  let clock: FakeClock;
  let disk: FakeDisk;
  let answerer: FakeAnswerer;
  let pending: PendingQuestions;

  const sent = () => windows.sent;
  const pass = (ms: number) => windows.pass(ms);
  const second = async () => {
    const other = windows.open('w2');
    await other.synchronize();
    assert.equal(standsAt(other.get('q')), 'open');
    return other;
  };

  beforeEach(async () => {
    windows = new QuestionWindows();
    ({ clock, disk, answerer } = windows);
    answerer.when = 'refuse';
    pending = windows.open('w1');
    pending.add(permission('q'));
    disk.heads.set('c1', permission('q'));
    await settled();
  });

  afterEach(() => windows.dispose());

  it('a policy answers a question once, thirty seconds before its deadline', async () => {
    await pass(FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS - 1);
    assert.deepEqual(sent(), []);
    await pass(1);
    assert.deepEqual(sent(), [REJECT]);
    assert.equal(standsAt(pending.get('q')), 'sending');
    answerer.sent[0]?.settle({ kind: 'answered', how: 'reject_once', by: 'nobody' });
    await settled();
    await pass(FIVE_MINUTES);
    assert.equal(sent().length, 1);
  });

  it('a question shows its policy in the last minute, with the reminder', async () => {
    const reminded: unknown[] = [];
    pending.onDidRemind(({ whenUnanswered }) => reminded.push(whenUnanswered));
    assert.equal(pending.get('q')?.whenUnanswered, null);
    await pass(FIVE_MINUTES - REMIND_BEFORE_DEADLINE_MS);
    assert.deepEqual(reminded, ['refuse']);
    assert.equal(pending.get('q')?.whenUnanswered, 'refuse');
  });

  it('a waiting question follows a policy that is set later', async () => {
    answerer.when = 'expire';
    await pass(FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS + 20_000);
    answerer.when = 'refuse';
    pending.handlePolicyChange('c2');
    await settled();
    assert.deepEqual(sent(), []);
    pending.handlePolicyChange('c1');
    await settled();
    assert.deepEqual(sent(), [REJECT]);
  });

  for (const where of ['here', 'in another window']) {
    const opened = async () => (where === 'here' ? pending : await second());

    it(`a policy answers half a minute after the dialog closed ${where}, until the deadline`, async () => {
      const window = await opened();
      await pass(FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS - 10_000);
      window.show('q');
      await pass(6_000);
      window.hide('q');
      for (let ms = 1_000; ms < DIALOG_PROTECTION_MS; ms += 1_000) await pass(1_000);
      await pass(999);
      assert.deepEqual(sent(), []);
      await pass(1);
      assert.deepEqual(sent(), [REJECT]);
    });

    it(`a question expires if its dialog was open ${where} in its last half minute`, async () => {
      const window = await opened();
      window.show('q');
      for (let ms = 0; ms < FIVE_MINUTES - 20_000; ms += 5_000) await pass(5_000);
      window.hide('q');
      await pass(FIVE_MINUTES);
      assert.deepEqual(sent(), []);
    });
  }

  it('a policy answers once the window with the dialog has been gone for half a minute', async () => {
    const other = await second();
    other.show('q');
    await pass(FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS - DIALOG_PROTECTION_MS);
    disk.deadWindows.add('w2');
    other.dispose();
    await pass(DIALOG_PROTECTION_MS);
    assert.deepEqual(sent(), [REJECT]);
  });

  it('a policy sends no answer during and after an answer of the user', async () => {
    await pass(FIVE_MINUTES - AUTO_ANSWER_BEFORE_DEADLINE_MS - 5_000);
    const answered = pending.answer('q', ALLOW);
    await pass(10_000);
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('timeout', 504) });
    await answered;
    await pass(15_000);
    assert.deepEqual(sent(), [ALLOW]);
  });

  it('a policy answers a question at once after a reload, unless the time is up', async () => {
    clock.advance(FIVE_MINUTES - 10_000);
    pending.dispose();
    await settled();
    assert.deepEqual(sent(), []);
    const next = windows.open('w2');
    await next.synchronize();
    await settled();
    assert.deepEqual(sent(), [REJECT]);
    answerer.sent.length = 0;
    next.dispose();
    disk.owners.clear();
    clock.advance(10_000);
    const last = windows.open('w3');
    await last.synchronize();
    await pass(20_000);
    assert.deepEqual([sent(), last.get('q')?.whenUnanswered], [[], null]);
  });

  it('a policy sends no answer after a sleep past the deadline', async () => {
    clock.sleep(3_600_000);
    await pass(10_000);
    await pass(20_000);
    assert.equal(standsAt(pending.get('q')), 'open');
    await pass(30_000);
    assert.deepEqual(sent(), []);
  });

  it('a policy sends no answer if the disk cannot be read', async () => {
    disk.failing = 'list';
    await pass(FIVE_MINUTES);
    assert.deepEqual(sent(), []);
  });
});
