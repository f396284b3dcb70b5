import assert from 'node:assert/strict';
import { rankFiles } from '../../../../src/features/context/rankFiles.ts';

const rank = (paths: readonly string[], query: string): readonly string[] =>
  rankFiles(paths, query, (path) => path);

describe('files found by a few letters', () => {
  it('are all there in their own order before anything is typed', () => {
    assert.deepEqual(rank(['b', 'a'], ' '), ['b', 'a']);
  });

  it('put the obvious match first', () => {
    const best = [
      'deep/in/the/tree/state.ts',
      'a/state.test.ts',
      'a/reduceState.ts.txt',
      'a/real-state.ts.md',
      'a/estate.ts.md',
      'state.ts/readme',
      'a/s-t-a-t-e.-t-s',
      's/t/a/t/e/.ts',
    ];
    const [first, ...others] = best;
    assert.ok(first !== undefined);
    assert.equal(rank([...others].reverse().concat(first), 'state.ts')[0], first);
    assert.equal(rank(['src/restart.ts', 'src/start.ts'], 'start')[0], 'src/start.ts');
    assert.equal(rank(['a/estate.ts', 'a/appState.ts'], 'state')[0], 'a/appState.ts');
    assert.equal(rank(['stat/e.ts', 'a/estate.ts'], 'state')[0], 'a/estate.ts');
    assert.equal(rank(['send/a.ts', 'x/sXeXnXd.ts'], 'send')[0], 'send/a.ts');
  });

  it('match letters in order and in any case, in the name and over folders', () => {
    const paths = ['src/host/sendSelection.ts', 'src/chat/state.ts'];
    assert.deepEqual(rank(paths, 'SSel'), [paths[0]]);
    assert.deepEqual(rank(paths, 'chta'), [paths[1]]);
    assert.deepEqual(rank(paths, 'zz'), []);
  });

  it('take folders with either slash, as they are typed on Windows too', () => {
    const paths = ['src/chat/state.ts', 'test/state.ts'];
    assert.deepEqual(rank(paths, 'chat\\state'), [paths[0]]);
    assert.deepEqual(rank(paths, 'test/st'), [paths[1]]);
  });

  it('prefer letters that stand close together, wherever the first of them also stands', () => {
    assert.deepEqual(rank(['a_x_b_ac.ts', 'a_ab_xc.ts'], 'abc'), ['a_ab_xc.ts', 'a_x_b_ac.ts']);
  });

  it('prefer the shorter path among equals', () => {
    assert.deepEqual(rank(['a/b/c/main.ts', 'main.ts'], 'main'), ['main.ts', 'a/b/c/main.ts']);
  });

  it('keep the given order where nothing tells two apart', () => {
    assert.deepEqual(rank(['b/main.ts', 'a/main.ts'], 'main'), ['b/main.ts', 'a/main.ts']);
  });

  it('take characters of patterns as they are', () => {
    assert.deepEqual(rank(['a/[id].ts', 'a/id.ts'], '[id]'), ['a/[id].ts']);
    assert.deepEqual(rank(['a.b', 'axb'], '.'), ['a.b']);
  });
});
