import assert from 'node:assert/strict';
import { Completions, rankFiles } from '../../../../src/features/context/completions.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('rankFiles', () => {
  for (const [behavior, query, paths, found] of [
    ['keeps the order before anything is typed', ' ', 'b a', 'b a'],
    ['prefers the start of a name', 'start', 'src/restart.ts src/start.ts', /^src\/start/],
    ['prefers the start of a word', 'state', 'a/estate.ts a/appState.ts', /^a\/appState/],
    ['prefers the name to the path', 'state', 'stat/e.ts a/estate.ts', /^a\/estate/],
    ['prefers a folder to scattered letters', 'send', 'x/sXeXnXd.ts send/a.ts', /^send/],
    ['matches letters of a name in order', 'SSel', 'h/sendSelection.ts b.ts', 'h/sendSelection.ts'],
    ['matches letters over folders', 'chta', 'src/chat/state.ts a.ts', 'src/chat/state.ts'],
    ['finds nothing for other letters', 'zz', 'src/chat/state.ts', ''],
    ['takes a backslash for a slash', 'chat\\state', 'chat/state.ts state.ts', 'chat/state.ts'],
    ['takes folders', 'test/st', 'src/chat/state.ts test/state.ts', 'test/state.ts'],
    ['prefers letters close together', 'abc', 'a_x_b_ac.ts a_ab_xc.ts', 'a_ab_xc.ts a_x_b_ac.ts'],
    ['prefers the shorter path', 'main', 'a/b/c/main.ts main.ts', 'main.ts a/b/c/main.ts'],
    ['keeps the order of equals', 'main', 'b/main.ts a/main.ts', 'b/main.ts a/main.ts'],
    ['takes brackets as they are', '[id]', 'a/[id].ts a/id.ts', 'a/[id].ts'],
    ['takes a dot as it is', '.', 'a.b axb', 'a.b'],
  ] as const)
    it(`the file ranking ${behavior}`, () => {
      const ranked = rankFiles(paths.split(' '), query, (path) => path).join(' ');
      if (typeof found === 'string') assert.equal(ranked, found);
      else assert.match(ranked, found);
    });

  it('the file ranking puts the exact name first', () => {
    const first = 'deep/in/the/tree/state.ts';
    const others = [
      ...['a/state.test.ts', 'a/reduceState.ts.txt', 'a/real-state.ts.md', 'a/estate.ts.md'],
      ...['state.ts/readme', 'a/s-t-a-t-e.-t-s', 's/t/a/t/e/.ts'],
    ];
    assert.equal(rankFiles([...others.reverse(), first], 'state.ts', (path) => path)[0], first);
  });
});

describe('Completions', () => {
  it('completions read the list again after ten seconds', async () => {
    const clock = new FakeClock();
    let reads = 0;
    const completions = new Completions(clock, () => Promise.resolve([++reads]));
    assert.deepEqual([await completions.list(), await completions.list()], [[1], [1]]);
    clock.advance(10_000);
    assert.deepEqual(await completions.list(), [2]);
  });

  it('completions read the list again at once after a failure', async () => {
    let reads = 0;
    const completions = new Completions(new FakeClock(), () =>
      ++reads === 1 ? Promise.reject(new Error('The search failed')) : Promise.resolve([reads]),
    );
    await assert.rejects(completions.list(), { message: 'The search failed' });
    assert.deepEqual(await completions.list(), [2]);
  });

  it('completions forget the oldest IDs', () => {
    const completions = new Completions<number>(new FakeClock(), () => Promise.resolve([]));
    const ids = Array.from({ length: 501 }, (_, index) => completions.issue(index));
    assert.equal(completions.get(ids[0] ?? ''), undefined);
    assert.equal(completions.get(ids[1] ?? ''), 1);
    assert.equal(completions.get('elsewhere'), undefined);
  });
});
