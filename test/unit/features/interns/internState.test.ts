import assert from 'node:assert/strict';
import { INTERN_STATUSES } from '../../../../src/api/index.ts';
import {
  failureOf,
  iconFor,
  INTERN_GROUPS,
  isStarting,
  isSettled,
  rankInterns,
  internStatusLabel,
} from '../../../../src/features/interns/internState.ts';
import type { InternRecord } from '../../../../src/features/accounts/records.ts';
import { internOf } from '../../support/fakeAccounts.ts';

function recordOf(id: string, name: string | null, status: string | null): InternRecord {
  const seen = { status, statusAt: 0, statusFrom: 'created' } as const;
  const intern = internOf({ id, name, status });
  return { id, intern, origin: 'created', addedAt: 0, ...seen, creation: null };
}

describe('an intern status', () => {
  it('every status has an icon, words and a group, even an unlisted one', () => {
    for (const status of [...INTERN_STATUSES, null, 'hibernating']) {
      const record = recordOf('i1', 'ada', status);
      assert.notEqual(iconFor(status).id, '', String(status));
      assert.notEqual(internStatusLabel(record), '', String(status));
      const [node] = rankInterns([record], new Map());
      assert.ok(INTERN_GROUPS.includes(node!.group), String(status));
    }
    const icons = INTERN_STATUSES.map((status) => iconFor(status).id);
    assert.equal(new Set(icons).size, INTERN_STATUSES.length, 'two statuses look the same');
  });

  it('an intern shows "Not running" after a refused chat if it had no other status', () => {
    const never = { ...recordOf('i1', 'ada', null), statusFrom: null };
    assert.equal(internStatusLabel(never), 'Unknown');
    assert.equal(internStatusLabel({ ...never, statusFrom: 'chat' }), 'Not running');
  });

  it('an intern shows its failure message only while its status is a failure', () => {
    const failed = recordOf('i1', 'ada', 'failed');
    const intern = internOf({ id: 'i1', status: 'failed', lastFailureMessage: 'no disk' });
    assert.equal(failureOf({ ...failed, intern }), 'no disk');
    assert.equal(failureOf({ ...failed, intern, status: 'running' }), null);
  });

  it('a creation replays only while its status shows that provisioning continues', () => {
    assert.deepEqual(INTERN_STATUSES.filter(isStarting), ['queued', 'provisioning']);
    const open = INTERN_STATUSES.filter((status) => !isSettled(status));
    assert.deepEqual(open, ['awaiting_slack_install', 'queued', 'provisioning', 'failed']);
    assert.deepEqual([isSettled(null), isSettled('hibernating')], [false, false]);
  });
});

describe('rankInterns', () => {
  it('interns sort by waiting conversations, then by status, then by name', () => {
    const records = [
      recordOf('1', 'zoe', 'stopped'),
      recordOf('2', 'worker-10', 'running'),
      recordOf('3', 'worker-9', 'running'),
      recordOf('4', 'ada', null),
      recordOf('5', 'bob', 'failed'),
      recordOf('6', 'cy', 'stopped'),
      recordOf('7', 'new', 'queued'),
    ];
    const ranked = rankInterns(records, new Map([['6', { waiting: 1, running: 0 }]]));
    assert.equal(ranked.map(({ intern }) => intern).join(), '6,3,2,7,5,4,1');
  });

  it('the order of interns does not depend on the order of the list', () => {
    const records = ['b', 'a', 'c'].map((id) => recordOf(id, 'same', 'running'));
    const ids = (list: readonly InternRecord[]) =>
      rankInterns(list, new Map()).map(({ record }) => record.id);
    assert.deepEqual(ids(records), ids([...records].reverse()));
  });
});
