import assert from 'node:assert/strict';
import { AllowedRecords, showAllowed } from '../../../../src/features/questions/allowedRecords.ts';
import { ALLOW, apiError, permission } from '../../conversation/questions/fakes.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import type { FakeClock } from '../../support/fakeClock.ts';

const ALWAYS = { kind: 'permission', choice: 'allow_always' } as const;

describe('AllowedRecords', () => {
  const answered = { kind: 'answered', how: 'allow_always' } as const;
  let accounts: FakeAccounts;
  let clock: FakeClock;
  let ledger: AllowedRecords;

  /** Returns the operation of each record, and whether the service may not have received it. */
  const listed = async () =>
    (await ledger.list()).map(({ operation, isUnclear }) => `${operation} ${isUnclear === true}`);

  beforeEach(() => {
    accounts = new FakeAccounts();
    ({ clock } = accounts);
    ledger = new AllowedRecords(accounts.ports);
  });

  it('the allowed permissions list one record for each intern and operation', async () => {
    for (const id of ['a', 'b']) {
      clock.advance(1);
      await ledger.recordSent(permission(id), ALWAYS);
      await ledger.recordOutcome(permission(id), answered);
    }
    assert.deepEqual(await listed(), ['shell false']);
    assert.equal((await ledger.list())[0]?.allowedAt, clock.now());
  });

  it('the allowed permissions list those of all accounts, the latest first', async () => {
    const both = [accounts.account, accounts.other];
    for (const { id: account } of both) {
      clock.advance(1);
      await ledger.recordOutcome({ ...permission(account), account }, answered);
    }
    const lists = await Promise.all(both.map(({ store }) => store.allowed.list()));
    assert.deepEqual(await ledger.list(), [lists[1]?.[0], lists[0]?.[0]]);
    assert.deepEqual(
      lists.map(({ length }) => length),
      [1, 1],
    );
  });

  it('the allowed permissions list an answer as unclear until its outcome is known', async () => {
    for (const id of ['a', 'b', 'c']) await ledger.recordSent(permission(id), ALWAYS);
    const unclear = { how: 'allow_always', isEarlier: false };
    await ledger.recordOutcome(permission('a'), { kind: 'maybe-answered', ...unclear });
    const error = apiError('timeout', 504);
    await ledger.recordOutcome(permission('b'), { kind: 'refused', error, maybeReceived: unclear });
    assert.deepEqual(await listed(), ['shell true', 'shell true', 'shell true']);
    await ledger.recordOutcome(permission('b'), { kind: 'refused', error });
    await ledger.recordOutcome(permission('c'), { kind: 'gone', error });
    assert.deepEqual(await listed(), ['shell true']);
  });

  it('the dialog of allowed permissions marks those that may have been received', async () => {
    await ledger.recordSent(permission('a'), ALWAYS);
    const dialogs = new ScriptedDialogs([LEAVE]);
    await showAllowed(await ledger.list(), dialogs);
    assert.match(dialogs.shown[0]?.texts.join() ?? '', /^shell \| ada \| May have been received/);
  });

  it('the allowed permissions record only answers that allow always', async () => {
    await ledger.recordSent(permission('a'), ALLOW);
    await ledger.recordOutcome(permission('a'), { kind: 'answered', how: 'allow_once' });
    assert.deepEqual(await listed(), []);
  });
});
