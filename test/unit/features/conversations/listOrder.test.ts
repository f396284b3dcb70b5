import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  changedSince,
  compareListed,
  isInScope,
  listedState,
  type Listed,
} from '../../../../src/features/conversations/listOrder.ts';

const minute = 60_000;
const now = 1_000 * minute;

type Head = Listed['head'];

function headOf(change: Partial<Head>): Head {
  const head = { id: 'c', intern: 'i', title: 'C', createdAt: 0, at: now } as const;
  return { ...head, state: 'idle', listed: 'plain', ...change };
}

function listed(change: Partial<Head>, readAt = Infinity): Listed {
  const head = headOf(change);
  return { head, ...listedState(head, new Map([[head.id, { at: readAt }]]), now) };
}

const names = (rows: readonly Listed[]): string => rows.map(({ head }) => head.id).join(' ');

describe('the order of conversations', () => {
  const rows = [
    listed({ id: 'soon', state: 'waiting', at: now - 4 * minute }),
    listed({ id: 'later', state: 'waiting', at: now - minute, listed: 'archived' }),
    listed({ id: 'expired', state: 'waiting', at: now - 9 * minute }),
    listed({ id: 'pinned-new', at: now - 2 * minute, listed: 'pinned' }, 0),
    listed({ id: 'pinned', at: now - minute, listed: 'pinned' }),
    listed({ id: 'failed-new', state: 'failed', at: now - 50 * minute }, 0),
    listed({ id: 'finished-new', at: now - 20 * minute }, 0),
    listed({ id: 'finished-older', at: now - 30 * minute }, 0),
    listed({ id: 'runs', state: 'working', at: now - 40 * minute }),
    listed({ id: 'failed', state: 'failed', at: now - 3 * minute }),
    listed({ id: 'a-same-time', at: now - 5 * minute }),
    listed({ id: 'b-same-time', at: now - 5 * minute }),
    listed({ id: 'unanswered', state: 'waiting', at: now - 90 * minute }),
  ];

  it('the list ranks by what needs the user', () => {
    assert.equal(names(rows.toReversed().sort(compareListed)), names(rows));
  });

  const anyListed = fc
    .record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      at: fc.integer({ min: now - 200 * minute, max: now }),
      state: fc.constantFrom('idle', 'working', 'waiting', 'failed'),
      listed: fc.constantFrom('plain', 'pinned', 'archived'),
      readAt: fc.integer({ min: now - 200 * minute, max: now }),
    } as const)
    .map(({ readAt, ...head }) => listed(head, readAt));

  it('the list has one order, however its rows arrive', () => {
    const unique = fc.uniqueArray(anyListed, { selector: ({ head }) => head.id, maxLength: 40 });
    fc.assert(
      fc.property(
        unique.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const sorted = all.toSorted(compareListed);
          assert.equal(names(shuffled.sort(compareListed)), names(sorted));
          const waiting = sorted.map(({ state }) => state === 'waiting');
          assert.ok(waiting.lastIndexOf(true) < sorted.length - waiting.filter((is) => !is).length);
        },
      ),
    );
  });
});

describe('the state of a listed conversation', () => {
  it('a conversation is unread after something arrived since its end was visible', () => {
    const cases: readonly (readonly [boolean, Partial<Head>, object])[] = [
      [false, { at: 5 }, { c: { at: 5 } }],
      [true, { at: 6 }, { c: { at: 5 } }],
      [true, { at: 6 }, {}],
      // It arrived before read positions were kept, as with version 0.2.0.
      [false, { at: 6 }, { '': { at: 7 } }],
      [true, { at: 8 }, { '': { at: 7 } }],
      [true, { at: 4 }, { c: { at: 5, isUnread: true } }],
      [false, { at: 6, state: 'working' }, { c: { at: 5 } }],
    ];
    for (const [expected, head, reads] of cases) {
      const { isUnread } = listedState(headOf(head), new Map(Object.entries(reads)), now);
      assert.equal(isUnread, expected, JSON.stringify([head, reads]));
    }
  });

  it('a question waits an hour beyond its deadline, then counts as failed', () => {
    const stateAfter = (minutes: number) =>
      listed({ state: 'waiting', at: now - minutes * minute });
    assert.equal(stateAfter(4).deadline, now + minute);
    assert.deepEqual(
      [5, 64, 65].map((minutes) => [stateAfter(minutes).state, stateAfter(minutes).deadline]),
      [
        ['waiting', undefined],
        ['waiting', undefined],
        ['failed', undefined],
      ],
    );
  });

  it('a run without a window counts as failed, and is unread until the user marks it', () => {
    const head = headOf({ state: 'working' });
    const stateOf = (readAt: number) => {
      const reads = new Map([[head.id, { at: readAt }]]);
      const { state, isUnread } = listedState(head, reads, now, true);
      return [state, isUnread];
    };
    assert.deepEqual(stateOf(now - minute), ['failed', true]);
    assert.deepEqual(stateOf(now), ['failed', false]);
  });
});

describe('the scope of the list', () => {
  const scope = { workspace: 'file:///a', showsAllWorkspaces: false, showsArchived: false };
  const cases: readonly (readonly [boolean, Partial<Head>, Partial<typeof scope>?])[] = [
    [true, { workspace: 'file:///a' }],
    [true, {}],
    [false, { workspace: 'file:///b' }],
    [true, { workspace: 'file:///b' }, { showsAllWorkspaces: true }],
    [true, { workspace: 'file:///b', state: 'waiting' }],
    [false, { workspace: 'file:///b', state: 'working' }],
    [false, { listed: 'archived' }],
    [true, { listed: 'archived' }, { showsArchived: true }],
    [true, { listed: 'archived', state: 'working' }],
  ];

  it('the list hides other workspaces and archived conversations unless they need the user', () => {
    for (const [expected, head, change] of cases)
      assert.equal(
        isInScope(listed(head), { ...scope, ...change }),
        expected,
        JSON.stringify([head, change]),
      );
  });

  it('a conversation changed since a time if its run ended or its question was open after it', () => {
    const since = now - 10 * minute;
    assert.ok(changedSince(listed({ at: since }), since));
    assert.ok(!changedSince(listed({ at: since - 1 }), since));
    assert.ok(!changedSince(listed({ at: now, state: 'working' }), since));
    const interrupted = { ...listed({ at: 0, state: 'working' }), state: 'failed' } as const;
    for (const isUnread of [true, false])
      assert.equal(changedSince({ ...interrupted, isUnread }, since), isUnread);
    assert.ok(changedSince(listed({ at: since - 5 * minute, state: 'waiting' }), since));
    assert.ok(!changedSince(listed({ at: since - 6 * minute, state: 'waiting' }), since));
  });
});
