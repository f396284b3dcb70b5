import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { ApiError, type ApiErrorKind, type InternDraft } from '../../../../src/api/index.ts';
import type { Creations } from '../../../../src/features/interns/creations.ts';
import type { InternModel } from '../../../../src/features/interns/internModel.ts';
import { createProcessMark } from '../../../../src/platform/storage/processMark.ts';
import { creating } from '../../support/creating.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';

const draft: InternDraft = { name: 'ada', description: null, instructions: null, provision: true };

function failure(kind: ApiErrorKind, code: string | null = null): ApiError {
  return new ApiError({ kind, route: 'create', message: 'test', code });
}

describe('Creations', () => {
  let fake: FakeAccounts;
  let clock: FakeClock;
  let interns: InternModel;
  let creations: Creations;
  let settings: { idempotencyHeader: string };

  beforeEach(() => {
    fake = new FakeAccounts();
    ({ clock } = fake);
    settings = { idempotencyHeader: '' };
    ({ interns, creations } = creating(fake.ports, settings));
  });

  afterEach(() => {
    creations.dispose();
    interns.dispose();
  });

  async function send(status: string, provision = true) {
    fake.createAnswers.push(internOf({ id: 'i1', name: 'ada', status }));
    const record = await creations.prepare(fake.account, { ...draft, provision });
    return creations.send(fake.account, record);
  }

  /** Sends a create that fails in this way. */
  async function sendFailing(answer: ApiError) {
    fake.createAnswers.push(answer);
    const record = await creations.prepare(fake.account, draft);
    await assert.rejects(creations.send(fake.account, record), answer);
    return record;
  }

  it('a crash loses no creation, since each is stored before it is sent', async () => {
    let storedFirst = false;
    fake.onCreate = async () => {
      storedFirst = (await fake.account.store.creations.list()).length === 1;
    };
    await send('running');
    assert.ok(storedFirst);
  });

  it('a creation that is sent again while it is under way is not sent twice at a time', async () => {
    const record = await creations.prepare(fake.account, draft);
    const answers: ((answer: ApiError) => void)[] = [];
    for (let count = 0; count < 2; count++)
      fake.createAnswers.push(new Promise((resolve) => answers.push(resolve)));
    const first = creations.send(fake.account, record);
    await eventually(() => fake.creates.length === 1);
    const second = creations.send(fake.account, record);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    // The refusal of the first would remove the record, although the second may create the intern.
    answers[0]!(failure('rate-limited'));
    await assert.rejects(first, { kind: 'rate-limited' });
    answers[1]!(failure('network'));
    await assert.rejects(second, { kind: 'rate-limited' });
    assert.equal(fake.creates.length, 1);
    assert.equal(await creations.mayBeResumed(fake.account, record), false);
  });

  it('the list of interrupted creations leaves out one that is being sent or is complete', async () => {
    fake.onCreate = async () => assert.deepEqual(await creations.listInterrupted(), []);
    await send('provisioning');
    assert.deepEqual(await creations.listInterrupted(), []);
  });

  const unclear = ['network', 'timeout', 'server-error', 'unexpected-answer', 'aborted'] as const;
  for (const kind of unclear)
    it(`a creation resumes with the same bytes after the failure “${kind}”`, async () => {
      settings.idempotencyHeader = 'x-request-key';
      const record = await sendFailing(failure(kind));
      const [cut] = await creations.listInterrupted();
      assert.deepEqual(cut, record);
      fake.createAnswers.push(internOf({ id: 'i1', status: 'running' }));
      await creations.send(fake.account, cut);
      assert.deepEqual(fake.creates[1], fake.creates[0]);
      assert.deepEqual(await creations.listInterrupted(), []);
    });

  const refused = ['refused', 'invalid-request', 'outsider', 'payload-too-large'] as const;
  for (const kind of [...refused, 'signed-out'] as const)
    it(`a creation leaves nothing to resume after the failure “${kind}”`, async () => {
      await sendFailing(failure(kind));
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });

  const unsent = [
    failure('rate-limited'),
    failure('network', 'ECONNREFUSED'),
    failure('tls', 'CERT_HAS_EXPIRED'),
  ];
  for (const last of unsent) {
    it(`a creation that was never sent leaves nothing to resume after the failure “${last.kind}”`, async () => {
      fake.createRetries.push(...unsent);
      await sendFailing(last);
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });

    it(`a creation stays resumable after “${last.kind}” if an earlier response was lost`, async () => {
      fake.createRetries.push(failure('network', 'ECONNRESET'), ...unsent);
      const record = await sendFailing(last);
      assert.deepEqual(await creations.listInterrupted(), [record]);
    });
  }

  describe('creations of another window', () => {
    const window = '2';
    let elsewhere: Creations;
    let close: () => void;
    let otherClock: FakeClock;

    beforeEach(() => {
      otherClock = new FakeClock();
      const ports = { ...fake.ports, clock: otherClock };
      ({ creations: elsewhere, dispose: close } = creating(ports, settings, window));
    });

    afterEach(() => close());

    it('another window lists a creation as interrupted once its end is unknown, and not before', async () => {
      fake.createAnswers.push(failure('network'));
      const record = await creations.prepare(fake.account, draft);
      let before: unknown;
      fake.onCreate = async () => {
        before = await elsewhere.listInterrupted();
      };
      let changes = 0;
      elsewhere.onDidChange(() => (changes += 1));
      await assert.rejects(creations.send(fake.account, record));
      assert.deepEqual(before, []);
      assert.ok(changes > 0);
      assert.deepEqual(await elsewhere.listInterrupted(), [record]);
    });

    it('another window lists a creation as interrupted if its own window was closed', async () => {
      const record = await creations.prepare(fake.account, draft);
      const sentBy = { window: 'closed', pid: process.pid, at: 0 };
      await fake.account.store.creations.put({ ...record, sentBy });
      assert.equal((await elsewhere.listInterrupted()).length, 1);
      assert.equal(otherClock.waiting, 0);
    });

    it('another window checks after five seconds whether the window of a creation is alive', async () => {
      const record = await creations.prepare(fake.account, draft);
      const sentBy = await createProcessMark('1');
      await fake.account.store.creations.put({ ...record, sentBy });
      let changes = 0;
      elsewhere.onDidChange(() => (changes += 1));
      assert.deepEqual(
        [await elsewhere.listInterrupted(), await elsewhere.listInterrupted()],
        [[], []],
      );
      assert.equal(otherClock.waiting, 1);
      otherClock.advance(4_999);
      assert.equal(changes, 0);
      otherClock.advance(1);
      assert.equal(changes, 1);
      assert.deepEqual([await elsewhere.listInterrupted(), otherClock.waiting], [[], 1]);
      elsewhere.dispose();
      assert.equal(otherClock.waiting, 0);
    });

    it('a failed creation stores nothing after another window deleted its account', async () => {
      fake.createAnswers.push(failure('network'));
      const record = await creations.prepare(fake.account, draft);
      fake.onCreate = async () => {
        await fake.account.store.creations.remove(record.id);
      };
      await assert.rejects(creations.send(fake.account, record));
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });
  });

  it('a creation stays resumable after a refused resumption', async () => {
    await sendFailing(failure('network'));
    await sendFailing(failure('signed-out'));
    assert.equal((await creations.listInterrupted()).length, 1);
  });

  it('a new dialog prepares the same creation after a lost response', async () => {
    settings.idempotencyHeader = 'x-request-key';
    const lost = await sendFailing(failure('network'));
    assert.deepEqual(await creations.prepare(fake.account, { ...draft }), lost);
    await fake.account.store.creations.put({ ...lost, internId: 'i1' });
    const anew = await creations.prepare(fake.account, draft);
    assert.notEqual(anew.id, lost.id, 'the end of the first is known');
  });

  it('an edit or another header makes another creation', async () => {
    settings.idempotencyHeader = 'x-request-key';
    const { account } = fake;
    const first = await creations.prepare(account, draft);
    assert.equal(await creations.prepare(account, { ...draft }, first), first);
    const edited = await creations.prepare(account, { ...draft, name: 'bob' }, first);
    assert.notEqual(edited.header?.value, first.header?.value);
    settings.idempotencyHeader = '';
    assert.equal((await creations.prepare(account, draft, first)).header, null);
  });

  it('only a creation that may be replayed keeps its record', async () => {
    await send('running');
    assert.deepEqual(await fake.account.store.creations.list(), []);
    await send('awaiting_slack_install');
    const [stored] = await fake.account.store.creations.list();
    assert.ok(stored);
    assert.equal(stored.internId, 'i1');
    assert.equal((await interns.get('i1'))?.creation, stored.id);
  });

  it('a creation does not replay if its provisioning was left for later', async () => {
    await send('queued', false);
    assert.equal(clock.waiting, 0);
    assert.deepEqual(await fake.account.store.creations.list(), []);
  });

  it('a creation replays until its intern runs', async () => {
    await send('queued');
    fake.createAnswers.push(
      internOf({ id: 'i1', status: 'provisioning' }),
      internOf({ id: 'i1', status: 'running' }),
    );
    await elapse(2);
    assert.deepEqual(fake.creates[2], fake.creates[0]);
    const record = await interns.get('i1');
    assert.deepEqual([record?.status, record?.statusFrom], ['running', 'replayed']);
    await eventually(() => clock.waiting === 0);
  });

  it('a creation replays less and less often and stops after ten minutes', async () => {
    await send('provisioning');
    const started = clock.now();
    const waits: number[] = [];
    let before = started;
    while (clock.waiting > 0) {
      fake.createAnswers.push(internOf({ id: 'i1', status: 'provisioning' }));
      await elapse(1);
      waits.push(clock.now() - before);
      before = clock.now();
    }
    const sorted = [...waits].sort((a, b) => a - b);
    assert.deepEqual(waits, sorted);
    assert.deepEqual([waits[0], waits.at(-1)], [3000, 60_000]);
    assert.ok(clock.now() - started <= 600_000);
    assert.equal(
      (await fake.account.store.creations.list()).length,
      1,
      'the user can still resume it',
    );
  });

  it('replays continue after a lost connection and stop when the service refuses', async () => {
    await send('provisioning');
    fake.createAnswers.push(failure('network'));
    await elapse(1);
    await eventually(() => clock.waiting === 1);
    fake.createAnswers.push(failure('outsider'));
    await elapse(1);
    await eventually(() => clock.waiting === 0);
  });

  it('replays stop for an intern that was removed, or that a chat showed as running', async () => {
    await send('provisioning');
    await interns.remove(['i1']);
    assert.deepEqual(await fake.account.store.creations.list(), [], 'no body stays on disk');
    await elapse(1);
    assert.equal(fake.creates.length, 1);
    await send('provisioning');
    await interns.recordStatus('i1', 'running');
    await elapse(1);
    assert.equal(fake.creates.length, 2);
  });

  it('a replay does not bring back an intern that was removed meanwhile', async () => {
    await send('provisioning');
    fake.createAnswers.push(internOf({ id: 'i1', status: 'running' }));
    fake.onCreate = () => interns.remove(['i1']);
    await elapse(1);
    assert.deepEqual(await interns.list(), []);
  });

  /** Runs the next timers one after the other, each until its work is done. */
  async function elapse(timers: number): Promise<void> {
    for (let i = 0; i < timers; i++) {
      await eventually(() => clock.waiting > 0);
      const sent = fake.creates.length;
      clock.advance(clock.untilNext ?? 0);
      for (let turn = 0; turn < 20 && fake.creates.length === sent; turn++) await setImmediate();
      for (let turn = 0; turn < 20; turn++) await setImmediate();
    }
  }
});
