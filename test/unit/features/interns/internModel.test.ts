import assert from 'node:assert/strict';
import type { Intern } from '../../../../src/api/index.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';

describe('InternModel', () => {
  let fake: FakeAccounts;
  let clock: FakeClock;
  let interns: InternModel;

  beforeEach(() => {
    fake = new FakeAccounts(1000);
    ({ clock } = fake);
    interns = new InternModel(fake.ports);
  });

  afterEach(() => interns.dispose());

  const record = (intern: Intern, from: 'created' | 'replayed', creation: string | null = null) =>
    interns.recordIntern(intern, from, creation, fake.account);

  it('an intern that was added by its ID has no status', async () => {
    assert.equal(await interns.add('i1'), false);
    const noStatus = { status: null, statusAt: null, statusFrom: null };
    const added = { id: 'i1', intern: null, origin: 'added', addedAt: 1000, creation: null };
    assert.deepEqual(await interns.list(), [{ ...added, ...noStatus }]);
    assert.equal(interns.name('i1'), 'i1');
  });

  it('adding an intern again keeps what is known of it', async () => {
    await record(internOf({ id: 'i1', name: 'ada' }), 'created');
    assert.equal(await interns.add('i1'), true);
    assert.equal((await interns.get('i1'))?.intern?.name, 'ada');
  });

  it('a replayed creation overwrites the status of a known intern', async () => {
    await interns.add('i1');
    await interns.recordStatus('i1', 'running');
    clock.advance(500);
    const intern = internOf({ id: 'i1', name: 'ada', status: 'stopped' });
    assert.equal(await record(intern, 'created', 'c1'), true);
    const [known, ...others] = await interns.list();
    assert.deepEqual(others, []);
    const { status, statusAt, statusFrom, addedAt } = known!;
    assert.deepEqual([status, statusAt, statusFrom, addedAt], ['stopped', 1500, 'replayed', 1000]);
    assert.equal(interns.name('i1'), 'ada');
  });

  it('a replay with an older status does not replace the one that a chat showed', async () => {
    const intern = internOf({ id: 'i1', status: 'queued' });
    await record(intern, 'created', 'c1');
    await interns.recordStatus('i1', 'running');
    await record(intern, 'replayed', 'c1');
    const { status, creation } = (await interns.get('i1'))!;
    assert.deepEqual([status, creation], ['running', null]);
  });

  it('a replay with an older status still gives an added intern its name', async () => {
    await interns.add('i1');
    await interns.recordStatus('i1', 'running');
    await record(
      internOf({ id: 'i1', name: 'ada', status: 'queued', progress: { step: 'boot' } }),
      'created',
    );
    const { status, intern } = (await interns.get('i1'))!;
    assert.deepEqual([status, intern?.progress], ['running', null]);
    await interns.list();
    assert.equal(interns.name('i1'), 'ada');
  });

  it('an intern loses its provisioning progress once it runs', async () => {
    const intern = internOf({ id: 'i1', status: 'provisioning', progress: { step: 'boot' } });
    await record(intern, 'created');
    await interns.recordStatus('i1', null);
    assert.deepEqual((await interns.get('i1'))?.intern?.progress, { step: 'boot' });
    await interns.recordStatus('i1', 'running');
    assert.deepEqual((await interns.get('i1'))?.intern, { ...intern, progress: null });
  });

  it('a refused chat replaces only the status "running" by "not running"', async () => {
    const intern = internOf({ id: 'i1', status: 'provisioning' });
    await record(intern, 'created');
    await interns.recordStatus('i1', null);
    assert.equal((await interns.get('i1'))?.status, 'provisioning');
    clock.advance(60_000);
    await interns.recordStatus('i1', 'running');
    assert.equal((await interns.get('i1'))?.statusAt, 61_000);
    await interns.recordStatus('i1', null);
    const { status, statusFrom } = (await interns.get('i1'))!;
    assert.deepEqual([status, statusFrom], [null, 'chat']);
  });

  it('a creation loses its record once its intern runs', async () => {
    const sent = { id: 'c1', name: 'ada', body: '{}', header: null, provision: true };
    const creation = { ...sent, createdAt: 0, internId: 'i1', sentBy: null };
    await fake.account.store.creations.put(creation);
    await record(internOf({ id: 'i1', status: 'queued' }), 'created', 'c1');
    await interns.recordStatus('i1', 'running');
    assert.equal((await interns.get('i1'))?.creation, null);
    assert.deepEqual(await fake.account.store.creations.list(), []);
  });

  it('InternModel ignores the status of an intern that is not in the list', async () => {
    await interns.recordStatus('i9', 'running');
    assert.deepEqual(await interns.list(), []);
  });

  it('InternModel records the status of an intern of an account that is not active', async () => {
    await interns.add('i1', fake.other);
    await interns.recordStatus('i1', 'running', fake.other);
    assert.deepEqual(await interns.list(), []);
    assert.equal((await interns.get('i1', fake.other))?.status, 'running');
  });

  it('InternModel reports a change once a requested name has been read', async () => {
    await record(internOf({ id: 'i1', name: 'ada' }), 'created');
    const fresh = new InternModel(fake.ports);
    assert.equal(fresh.name('i1'), 'i1');
    await new Promise<void>((resolve) => fresh.onDidChange(resolve));
    assert.equal(fresh.name('i1'), 'ada');
    fresh.dispose();
  });

  it('InternModel removes several interns at once', async () => {
    for (const id of ['i1', 'i2', 'i3']) await interns.add(id);
    await interns.remove(['i1', 'i3']);
    const left = (await interns.list()).map(({ id }) => id);
    assert.deepEqual(left, ['i2']);
  });
});
