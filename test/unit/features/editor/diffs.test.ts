import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyHunks, changesOf, searchBudget } from '../../../../src/features/editor/applyHunks.ts';
import { parseUnifiedDiff, sideOf } from '../../../../src/features/editor/unifiedDiff.ts';
import { assertInProportion } from '../../support/proportion.ts';

const git = `diff --git a/src/a.ts b/src/a.ts
index 1234567..89abcde 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function top
 one
-two
+TWO
 three
@@ -8,2 +8,3 @@
 eight
+eight and a half
 nine
`;

function paths(diff: string): unknown[] {
  return parseUnifiedDiff(diff).map(({ oldPath, newPath }) => [oldPath, newPath]);
}

function apply(text: string, diff: string): string | undefined {
  return applyHunks(text, parseUnifiedDiff(diff)[0]?.hunks ?? [], searchBudget());
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', ''];

describe('unified diffs', () => {
  it('are read as Git writes them', () => {
    const [file, ...others] = parseUnifiedDiff(git);
    assert.equal(others.length, 0);
    assert.deepEqual([file?.oldPath, file?.newPath], ['src/a.ts', 'src/a.ts']);
    assert.deepEqual(
      file?.hunks.map((hunk) => [hunk.oldStart, sideOf(hunk, 'old'), sideOf(hunk, 'new')]),
      [
        [1, ['one', 'two', 'three'], ['one', 'TWO', 'three']],
        [8, ['eight', 'nine'], ['eight', 'eight and a half', 'nine']],
      ],
    );
  });

  it('of several files are told apart, new and deleted ones too', () => {
    const diff = [
      ...['--- /dev/null', '+++ b/new.ts', '@@ -0,0 +1 @@', '+new'],
      ...['diff --git a/old.ts b/old.ts', 'deleted file mode 100644'],
      ...['--- a/old.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-old'],
      ...['diff --git a/was b/is', 'similarity index 100%', 'rename from was', 'rename to is'],
      ...['diff --git a/x y b/x y', 'new file mode 100644', 'index 0000000..e69de29'],
      ...['diff --git a/p b/p', 'new file mode 100644', 'index 0000000..89abcde', 'Binary files x'],
      ...['diff --git a/m b/m', 'old mode 100644', 'new mode 100755'],
    ].join('\n');
    assert.deepEqual(paths(diff), [
      [undefined, 'new.ts'],
      ['old.ts', undefined],
      ['was', 'is'],
      [undefined, 'x y'],
    ]);
  });

  it('keep a folder that is really called a, and drop dates', () => {
    const diff = '--- a/x.ts\t2024-01-01 00:00\n+++ a/x.ts\t2024-01-02\n@@ -1 +1 @@\n-x\n+y';
    assert.deepEqual(paths(diff), [['a/x.ts', 'a/x.ts']]);
  });

  it('name files that Git escapes', () => {
    const diff =
      '--- "a/\\303\\244 \\"b\\".ts"\n+++ "b/\\303\\244 \\"b\\".ts"\n@@ -1 +1 @@\n-x\n+y';
    assert.deepEqual(paths(diff), [['ä "b".ts', 'ä "b".ts']]);
  });

  it('take removed and added lines that look like a header for what they are', () => {
    const [file] = parseUnifiedDiff(
      '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n x',
    );
    assert.deepEqual(
      file?.hunks[0]?.lines.map(({ kind, text }) => `${kind} ${text}`),
      ['removed -- old', 'added ++ new', 'same x'],
    );
  });

  it('are read without names and numbers, as interns write them', () => {
    assert.deepEqual(paths('-a\n+b'), [[undefined, undefined]]);
    assert.equal(parseUnifiedDiff('@@ ... @@\n x\n-a\n+b\n\n')[0]?.hunks[0]?.lines.length, 3);
    assert.deepEqual(parseUnifiedDiff('no diff\nat all'), []);
  });
});

/** Makes changes as an editor does: each where it was in the text as it came. */
function applyChanges(text: string, diff: string): { changed: string; conflicts: number } {
  const found = changesOf(text, parseUnifiedDiff(diff)[0]?.hunks ?? [], searchBudget());
  const changes = found.filter((change) => typeof change !== 'string');
  const lines = text.split('\n');
  const offset = ({ line, character }: { line: number; character: number }): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, character);
  const changed = changes.reduceRight(
    (now, { start, end, text: own }) => now.slice(0, offset(start)) + own + now.slice(offset(end)),
    text,
  );
  return { changed, conflicts: found.length - changes.length };
}

describe('changes of hunks', () => {
  it('come to the same as the hunks all at once, at the ends of a text too', () => {
    const kinds = fc.array(fc.constantFrom(' ', '-', '+'), { minLength: 1 });
    fc.assert(
      fc.property(kinds, fc.boolean(), (marks, endsWithBreak) => {
        const written = marks.map((mark, index) => `${mark}line ${index}`);
        const old = written.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
        fc.pre(old.length > 0 && marks.some((mark) => mark !== ' '));
        const text = old.join('\n') + (endsWithBreak ? '\n' : '');
        const diff = `--- a/x\n+++ b/x\n@@ -1 +1 @@\n${written.join('\n')}`;
        assert.deepEqual(applyChanges(text, diff), { changed: apply(text, diff), conflicts: 0 });
      }),
    );
  });

  it('leave out the hunks that do not fit, and make the others', () => {
    const text = numbers.join('\n').replace('one', '1');
    const { changed, conflicts } = applyChanges(text, git);
    assert.equal(changed, text.replace('eight', 'eight\neight and a half'));
    assert.equal(conflicts, 1);
  });
});

describe('hunks', () => {
  it('change a text where they say', () => {
    const changed = [...numbers];
    changed.splice(1, 1, 'TWO');
    changed.splice(8, 0, 'eight and a half');
    assert.equal(apply(numbers.join('\n'), git), changed.join('\n'));
  });

  it('find their lines where they moved to, the nearest where there are several', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -5 +5 @@\n-same\n+changed';
    const lines = ['same', 'a', 'b', 'c', 'd', 'same', 'e'];
    assert.equal(apply(lines.join('\n'), diff), 'same\na\nb\nc\nd\nchanged\ne');
  });

  describe('with the same old lines as another one', () => {
    /** Lines `l0` to `l39`, with `same` at some of them. */
    const withSame = (...places: readonly number[]) =>
      Array.from({ length: 40 }, (_, line) => (places.includes(line) ? 'same' : `l${line}`));
    const hunkAt = (place: number) =>
      `@@ -${place + 1} +${place + 1} @@\n-same\n+changed at ${place}\n`;
    /** Returns where the hunks that name these lines go, or why they go nowhere. */
    const placesOf = (lines: readonly string[], ...named: readonly number[]) => {
      const { hunks = [] } = parseUnifiedDiff(named.map(hunkAt).join(''))[0] ?? {};
      return changesOf(lines.join('\n'), hunks, searchBudget()).map((change) =>
        typeof change === 'string' ? change : change.start.line,
      );
    };

    it('go to the lines in their headers', () => {
      assert.deepEqual(placesOf(withSame(5, 10, 20, 30), 20, 30), [20, 30]);
      assert.deepEqual(placesOf(withSame(5, 10, 20, 30), 5, 20), [5, 20]);
    });

    it('leave its place to the one that names it, where the lines of the other are gone', () => {
      assert.deepEqual(placesOf(withSame(20), 10, 20), ['nowhere', 20]);
      assert.deepEqual(placesOf(withSame(10), 10, 20), [10, 'nowhere']);
    });

    it('move together where lines before them were added or removed', () => {
      assert.deepEqual(placesOf(withSame(4, 14), 10, 20), [4, 14]);
      assert.deepEqual(placesOf(withSame(16, 26, 35), 10, 20, 29), [16, 26, 35]);
    });

    it('leave room for another hunk between them', () => {
      const lines = withSame(4, 14);
      const between = '@@ -16 +16 @@\n-l9\n+nine\n';
      const changed = lines.with(4, 'changed at 10').with(9, 'nine').with(14, 'changed at 20');
      assert.equal(
        apply(lines.join('\n'), `${hunkAt(10)}${between}${hunkAt(20)}`),
        changed.join('\n'),
      );
    });

    it('keep a hunk before them from going past them', () => {
      const lines = withSame(10, 20).with(3, 'x').with(15, 'x');
      const before = '@@ -10 +10 @@\n-x\n+y\n';
      const changed = lines.with(3, 'y').with(10, 'changed at 10').with(20, 'changed at 20');
      assert.equal(
        apply(lines.join('\n'), `${before}${hunkAt(10)}${hunkAt(20)}`),
        changed.join('\n'),
      );
    });

    it('are placed in time, however many there are', () => {
      const lines = Array.from({ length: 20_000 }, () => 'same');
      assertInProportion(
        [100, 400, 1_600],
        (count) => Array.from({ length: count }, (_, index) => hunkAt(index * 2 + 1)).join(''),
        (diff) => assert.notEqual(apply(['top', ...lines].join('\n'), diff), undefined),
      );
    });
  });

  it('keep the line breaks and blanks of the text', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three';
    assert.equal(apply('one  \r\ntwo\r\nthree\r\n', diff), 'one  \r\nTWO\r\nthree\r\n');
  });

  it('change nothing where their lines are not there: no part of a diff is shown as the whole', () => {
    assert.equal(apply('one\ntwo\nthree\n', git), undefined);
    assert.equal(apply('', '-a\n+b'), undefined);
  });

  it('without a line number change nothing where their lines stand at several places', () => {
    const text = 'a\nsame\nb\nsame\nc\n';
    const bare = '--- a/x\n+++ b/x\n@@\n-same\n+changed\n';
    assert.equal(apply(text, bare), undefined);
    const { hunks = [] } = parseUnifiedDiff(`${bare}@@\n-gone\n+come`)[0] ?? {};
    assert.deepEqual(changesOf(text, hunks, searchBudget()), ['several', 'nowhere']);
    // Before the end of the hunk that came first there is none.
    assert.equal(apply(text, `--- a/x\n+++ b/x\n@@\n-b\n+B\n@@\n-same\n+S`), 'a\nsame\nB\nS\nc\n');
  });

  it('are no more sure of their only place than the search had time to be', () => {
    const { hunks = [] } = parseUnifiedDiff('@@\n-same\n+changed')[0] ?? {};
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const text = ['same', ...lines, 'same'].join('\n');
    assert.deepEqual(changesOf(text, hunks, { comparisons: 50 }), ['nowhere']);
  });

  it('do not match before the hunk that came first', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -3 +3 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A';
    assert.equal(apply('a\nb\n', diff), undefined);
  });

  it('that only add go after the line that they name, and nowhere where they name none', () => {
    assert.equal(apply('a\nb\n', '--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+new'), 'a\nnew\nb\n');
    assert.equal(apply('a\nb\n', '+new'), undefined);
    assert.equal(apply('a\n', '--- a/x\n+++ b/x\n@@ -9,0 +9 @@\n+new'), undefined);
  });

  it('with a line number beyond all files end in time', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -999999999999 +1 @@\n-a\n+A';
    assert.equal(apply('b\na\n', diff), 'b\nA\n');
  });

  it('that can be found only by comparing everything with everything are left alone, in however many files', () => {
    const same = Array.from({ length: 20_000 }, () => 'x');
    const wanted = [...same.slice(0, 10_000), 'y'].map((line) => ` ${line}`).join('\n');
    const { hunks = [] } = parseUnifiedDiff(`@@ -1 +1 @@\n${wanted}\n-z\n+Z`)[0] ?? {};
    const budget = searchBudget();
    assert.equal(applyHunks(same.join('\n'), hunks, budget), undefined);
    // Nor is the next file of the diff, though it would fit.
    const next = parseUnifiedDiff('-b\n+B')[0]?.hunks ?? [];
    assert.equal(applyHunks('a\nb\n', next, budget), undefined);
    assert.equal(applyHunks('a\nb\n', next, searchBudget()), 'a\nB\n');
  });

  it('take no longer where thousands of hunks come after the end of the text', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const last = '@@ -20000 +20000 @@\n-line 19999\n+changed\n';
    assertInProportion(
      [1_000, 4_000, 16_000],
      (hunks) => `--- a/x\n+++ b/x\n${last}${'@@\n-x\n'.repeat(hunks)}`,
      (diff) => assert.equal(apply(lines.join('\n'), diff), undefined),
    );
  });

  it('change files of hundreds of thousands of lines', () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`);
    const changed = [...lines];
    changed[250_000] = 'changed';
    const diff = '--- a/x\n+++ b/x\n@@ -250001 +250001 @@\n-line 250000\n+changed';
    assert.equal(apply(lines.join('\n'), diff), changed.join('\n'));
  });
});
