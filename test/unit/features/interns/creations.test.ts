import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind, type InternDraft } from '../../../../src/api/index.ts';
import type { Creations } from '../../../../src/features/interns/creations.ts';
import type { InternModel } from '../../../../src/features/interns/internModel.ts';
import { markOf } from '../../../../src/platform/storage/windowMark.ts';
import { creating } from '../../support/creating.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

const draft: InternDraft = { name: 'ada', description: null, instructions: null, provision: true };

function failure(kind: ApiErrorKind, code: string | null = null): ApiError {
  return new ApiError({ kind, route: 'create', message: 'test', code });
}

describe('creating an intern', () => {
  let fake: FakeAccounts;
  let clock: FakeClock;
  let interns: InternModel;
  let creations: Creations;
  let header: string;

  beforeEach(() => {
    fake = new FakeAccounts();
    clock = new FakeClock();
    header = '';
    const ports = { accounts: fake.accounts, clock, log: new RecordingLog() };
    ({ interns, creations } = creating(ports, () => header));
  });

  afterEach(() => {
    creations.dispose();
    interns.dispose();
  });

  /** Sends a create that the service answers so. */
  async function send(status: string, provision = true) {
    fake.createAnswers.push(internOf({ id: 'i1', name: 'ada', status }));
    return creations.send(
      fake.account,
      await creations.prepare(fake.account, { ...draft, provision }),
    );
  }

  it('stores what it sends before it is sent, so that a crash loses no create', async () => {
    let storedFirst = false;
    fake.onCreate = async () => {
      storedFirst = (await fake.account.store.creations.list()).length === 1;
    };
    await send('running');
    assert.ok(storedFirst);
  });

  it('is shown as cut off neither while it is under way nor once it is done', async () => {
    fake.onCreate = async () => assert.deepEqual(await creations.cutOff(), []);
    await send('provisioning');
    assert.deepEqual(await creations.cutOff(), []);
  });

  for (const kind of [
    'network',
    'timeout',
    'server-error',
    'unexpected-answer',
    'aborted',
  ] as const) {
    it(`can be resumed with the same bytes after ${kind}, for the service may have created it`, async () => {
      header = 'x-request-key';
      fake.createAnswers.push(failure(kind));
      const record = await creations.prepare(fake.account, draft);
      await assert.rejects(creations.send(fake.account, record));
      const [cut] = await creations.cutOff();
      assert.deepEqual(cut, record);
      fake.createAnswers.push(internOf({ id: 'i1', status: 'running' }));
      await creations.send(fake.account, cut);
      assert.deepEqual(fake.creates[1], fake.creates[0]);
      assert.deepEqual(await creations.cutOff(), []);
    });
  }

  for (const kind of [
    'refused',
    'invalid-request',
    'outsider',
    'payload-too-large',
    'signed-out',
  ] as const) {
    it(`leaves nothing to resume after ${kind}, for nothing was created`, async () => {
      fake.createAnswers.push(failure(kind));
      const record = await creations.prepare(fake.account, draft);
      await assert.rejects(creations.send(fake.account, record));
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });
  }

  const unsent = [
    failure('rate-limited'),
    failure('network', 'ECONNREFUSED'),
    failure('tls', 'CERT_HAS_EXPIRED'),
  ];
  for (const last of unsent) {
    it(`leaves nothing to resume when every attempt ended in ${last.kind} or the like`, async () => {
      fake.createRetries.push(...unsent);
      fake.createAnswers.push(last);
      const record = await creations.prepare(fake.account, draft);
      await assert.rejects(creations.send(fake.account, record), last);
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });

    it(`can be resumed after ${last.kind} when an attempt before it was lost`, async () => {
      fake.createRetries.push(failure('network', 'ECONNRESET'), ...unsent);
      fake.createAnswers.push(last);
      const record = await creations.prepare(fake.account, draft);
      await assert.rejects(creations.send(fake.account, record), last);
      assert.deepEqual(await creations.cutOff(), [record]);
    });
  }

  describe('in another window', () => {
    const window = '2';
    let elsewhere: Creations;
    let otherInterns: InternModel;
    let otherClock: FakeClock;

    beforeEach(() => {
      otherClock = new FakeClock();
      const ports = { accounts: fake.accounts, clock: otherClock, log: new RecordingLog() };
      ({ creations: elsewhere, interns: otherInterns } = creating(ports, () => header, window));
    });

    afterEach(() => {
      elsewhere.dispose();
      otherInterns.dispose();
    });

    it('is not shown as cut off while it is under way', async () => {
      let shown: unknown;
      fake.onCreate = async () => {
        shown = await elsewhere.cutOff();
      };
      await send('running');
      assert.deepEqual(shown, []);
    });

    it('is shown as cut off as soon as its end is not known', async () => {
      fake.createAnswers.push(failure('network'));
      const record = await creations.prepare(fake.account, draft);
      fake.onCreate = async () => assert.deepEqual(await elsewhere.cutOff(), []);
      let told = 0;
      elsewhere.onDidChange(() => (told += 1));
      await assert.rejects(creations.send(fake.account, record));
      assert.ok(told > 0);
      assert.deepEqual(await elsewhere.cutOff(), [record]);
    });

    it('is shown as cut off when the window that sent it was closed', async () => {
      const record = await creations.prepare(fake.account, draft);
      const sentBy = { window: 'closed', pid: process.pid, at: 0 };
      await fake.account.store.creations.put({ ...record, sentBy });
      assert.equal((await elsewhere.cutOff()).length, 1);
      assert.equal(otherClock.waiting, 0);
    });

    it('is looked for again after five seconds, in case that window is closed meanwhile', async () => {
      const record = await creations.prepare(fake.account, draft);
      const sentBy = await markOf('1');
      await fake.account.store.creations.put({ ...record, sentBy });
      let told = 0;
      elsewhere.onDidChange(() => (told += 1));
      assert.deepEqual([await elsewhere.cutOff(), await elsewhere.cutOff()], [[], []]);
      assert.equal(otherClock.waiting, 1);
      otherClock.advance(4_999);
      assert.equal(told, 0);
      otherClock.advance(1);
      assert.equal(told, 1);
      assert.deepEqual([await elsewhere.cutOff(), otherClock.waiting], [[], 1]);
      elsewhere.dispose();
      assert.equal(otherClock.waiting, 0);
    });

    it('is not stored again after its account was deleted there', async () => {
      fake.createAnswers.push(failure('network'));
      const record = await creations.prepare(fake.account, draft);
      fake.onCreate = async () => {
        await fake.account.store.creations.remove(record.id);
      };
      await assert.rejects(creations.send(fake.account, record));
      assert.deepEqual(await fake.account.store.creations.list(), []);
    });
  });

  it('stays to be resumed if a resumption is refused: the first attempt may have done it', async () => {
    fake.createAnswers.push(failure('network'), failure('signed-out'));
    const record = await creations.prepare(fake.account, draft);
    await assert.rejects(creations.send(fake.account, record));
    await assert.rejects(creations.send(fake.account, record));
    assert.equal((await creations.cutOff()).length, 1);
  });

  it('is the same operation from a dialog that is opened anew after a lost answer, and never a second one', async () => {
    header = 'x-request-key';
    fake.createAnswers.push(failure('network'));
    const lost = await creations.prepare(fake.account, draft);
    await assert.rejects(creations.send(fake.account, lost));
    assert.deepEqual(await creations.prepare(fake.account, { ...draft }), lost);
    const edited = await creations.prepare(fake.account, { ...draft, name: 'bob' });
    assert.notEqual(edited.header?.value, lost.header?.value);
    await fake.account.store.creations.put({ ...lost, internId: 'i1' });
    const anew = await creations.prepare(fake.account, draft);
    assert.notEqual(anew.id, lost.id, 'what became of the first is known');
  });

  it('is the same operation for the same draft, and another one after an edit or another header', async () => {
    header = 'x-request-key';
    const { account } = fake;
    const first = await creations.prepare(account, draft);
    assert.equal(await creations.prepare(account, { ...draft }, first), first);
    const edited = await creations.prepare(account, { ...draft, name: 'bob' }, first);
    assert.notEqual(edited.header?.value, first.header?.value);
    header = '';
    assert.equal((await creations.prepare(account, draft, first)).header, null);
  });

  it('forgets a create that is known to be complete, and keeps one that may be replayed', async () => {
    await send('running');
    assert.deepEqual(await fake.account.store.creations.list(), []);
    await send('awaiting_slack_install');
    const [kept] = await fake.account.store.creations.list();
    assert.ok(kept);
    assert.equal(kept.internId, 'i1');
    assert.equal((await interns.get('i1'))?.creation, kept.id);
  });

  it('does not ask again for an intern whose provisioning was left for later', async () => {
    await send('queued', false);
    assert.equal(clock.waiting, 0);
    assert.deepEqual(await fake.account.store.creations.list(), []);
  });

  it('replays a provisioning create until it is seen to run, and then does nothing more', async () => {
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

  it('asks ever more rarely, at most once a minute, and gives up after ten minutes', async () => {
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
    assert.deepEqual(
      waits,
      [...waits].sort((a, b) => a - b),
    );
    assert.equal(waits[0], 3000);
    assert.equal(waits.at(-1), 60_000);
    assert.ok(clock.now() - started <= 600_000);
    assert.equal((await fake.account.store.creations.list()).length, 1, 'can be resumed by hand');
  });

  it('goes on asking after a lost connection, and stops when the service refuses', async () => {
    await send('provisioning');
    fake.createAnswers.push(failure('network'));
    await elapse(1);
    await eventually(() => clock.waiting === 1);
    fake.createAnswers.push(failure('outsider'));
    await elapse(1);
    await eventually(() => clock.waiting === 0);
  });

  it('stops asking for an intern that left the list, or that a chat showed to run', async () => {
    await send('provisioning');
    await interns.recordStatus('i1', 'running');
    await elapse(1);
    assert.equal(fake.creates.length, 1);
    await send('provisioning');
    await interns.remove(['i1']);
    await elapse(1);
    assert.equal(fake.creates.length, 2);
  });

  /** Lets the next timers fall due, one after the other, each with all that it starts. */
  async function elapse(timers: number): Promise<void> {
    for (let i = 0; i < timers; i++) {
      await eventually(() => clock.waiting > 0);
      const sent = fake.creates.length;
      clock.advance(clock.untilNext ?? 0);
      await settled(sent);
    }
  }

  /** Waits until the timer that fell due has asked, or has decided not to. */
  async function settled(sent: number): Promise<void> {
    for (let turn = 0; turn < 20 && fake.creates.length === sent; turn++) await nextTurn();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
