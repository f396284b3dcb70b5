import assert from 'node:assert/strict';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('the list of interns', () => {
  let fake: FakeAccounts;
  let clock: FakeClock;
  let interns: InternModel;

  beforeEach(() => {
    fake = new FakeAccounts();
    clock = new FakeClock(1000);
    interns = new InternModel({ accounts: fake.accounts, clock, log: new RecordingLog() });
  });

  afterEach(() => interns.dispose());

  it('shows one that was added by its id, of which nothing is known', async () => {
    assert.equal(await interns.add('i1'), 'new');
    const [record] = await interns.list();
    assert.deepEqual(record, {
      id: 'i1',
      intern: null,
      origin: 'added',
      addedAt: 1000,
      status: null,
      statusAt: null,
      statusFrom: null,
      creation: null,
    });
    assert.equal(interns.name('i1'), 'i1');
  });

  it('forgets nothing of an intern that is added again', async () => {
    await interns.recordIntern(internOf({ id: 'i1', name: 'ada' }), 'created', null, fake.account);
    assert.equal(await interns.add('i1'), 'known');
    assert.equal((await interns.get('i1'))?.intern?.name, 'ada');
  });

  it('matches a replayed create by its id, overwrites the status, and says that it existed', async () => {
    await interns.add('i1');
    await interns.recordStatus('i1', 'running', 'chat');
    clock.advance(500);
    const intern = internOf({ id: 'i1', name: 'ada', status: 'stopped' });
    assert.equal(await interns.recordIntern(intern, 'created', 'c1', fake.account), 'known');
    const records = await interns.list();
    assert.equal(records.length, 1);
    assert.deepEqual(
      [records[0]?.status, records[0]?.statusAt, records[0]?.statusFrom, records[0]?.addedAt],
      ['stopped', 1500, 'replayed', 1000],
    );
    assert.equal(interns.name('i1'), 'ada');
  });

  it('takes back nothing that a chat taught for a replay that reports what was before', async () => {
    const intern = internOf({ id: 'i1', status: 'queued' });
    await interns.recordIntern(intern, 'created', 'c1', fake.account);
    await interns.recordStatus('i1', 'running', 'chat');
    await interns.recordIntern(intern, 'replayed', 'c1', fake.account);
    const record = await interns.get('i1');
    assert.deepEqual([record?.status, record?.creation], ['running', null]);
  });

  it('forgets the step of provisioning of an intern that was seen to run', async () => {
    const intern = internOf({ id: 'i1', status: 'provisioning', progress: { step: 'boot' } });
    await interns.recordIntern(intern, 'created', null, fake.account);
    await interns.recordStatus('i1', null, 'chat');
    assert.deepEqual((await interns.get('i1'))?.intern?.progress, { step: 'boot' });
    await interns.recordStatus('i1', 'running', 'chat');
    assert.deepEqual((await interns.get('i1'))?.intern, { ...intern, progress: null });
  });

  it('takes "not running" for an end of "running" only: what else was seen stays the best that is known', async () => {
    const intern = internOf({ id: 'i1', status: 'provisioning' });
    await interns.recordIntern(intern, 'created', null, fake.account);
    await interns.recordStatus('i1', null, 'chat');
    assert.equal((await interns.get('i1'))?.status, 'provisioning');
    clock.advance(60_000);
    await interns.recordStatus('i1', 'running', 'chat');
    assert.equal((await interns.get('i1'))?.statusAt, 61_000);
    await interns.recordStatus('i1', null, 'chat');
    const { status, statusFrom } = (await interns.get('i1')) ?? {};
    assert.deepEqual([status, statusFrom], [null, 'chat']);
  });

  it('lets go of a create that is complete because the intern was seen to run', async () => {
    const record = {
      id: 'c1',
      name: 'ada',
      body: '{}',
      header: null,
      provision: true,
      createdAt: 0,
      internId: 'i1',
      sentBy: null,
    };
    await fake.account.store.creations.put(record);
    await interns.recordIntern(
      internOf({ id: 'i1', status: 'queued' }),
      'created',
      'c1',
      fake.account,
    );
    await interns.recordStatus('i1', 'running', 'chat');
    assert.equal((await interns.get('i1'))?.creation, null);
    assert.deepEqual(await fake.account.store.creations.list(), []);
  });

  it('learns nothing of an intern that is not in the list, which a chat by link may be', async () => {
    await interns.recordStatus('i9', 'running', 'chat');
    assert.deepEqual(await interns.list(), []);
  });

  it('keeps accounts apart: a run of one that is not active reports to its own list', async () => {
    await interns.add('i1', fake.other);
    await interns.recordStatus('i1', 'running', 'chat', fake.other);
    assert.deepEqual(await interns.list(), []);
    assert.equal((await interns.get('i1', fake.other))?.status, 'running');
  });

  it('tells when a name becomes known that was asked for before the list was read', async () => {
    await interns.recordIntern(internOf({ id: 'i1', name: 'ada' }), 'created', null, fake.account);
    const fresh = new InternModel({ accounts: fake.accounts, clock, log: new RecordingLog() });
    assert.equal(fresh.name('i1'), 'i1');
    await new Promise<void>((resolve) => {
      fresh.onDidChange(resolve);
    });
    assert.equal(fresh.name('i1'), 'ada');
    fresh.dispose();
  });

  it('removes several at once, and nothing else', async () => {
    for (const id of ['i1', 'i2', 'i3']) await interns.add(id);
    await interns.remove(['i1', 'i3']);
    assert.deepEqual(
      (await interns.list()).map(({ id }) => id),
      ['i2'],
    );
  });
});
