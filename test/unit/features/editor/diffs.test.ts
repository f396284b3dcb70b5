import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyHunks,
  findChanges,
  searchBudget,
} from '../../../../src/features/editor/applyHunks.ts';
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

describe('parseUnifiedDiff', () => {
  it('the diff parser reads a diff of Git', () => {
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

  it('the diff parser reads new, deleted, renamed and empty files', () => {
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

  it('the diff parser keeps a folder that is called a and drops dates', () => {
    const diff = '--- a/x.ts\t2024-01-01 00:00\n+++ a/x.ts\t2024-01-02\n@@ -1 +1 @@\n-x\n+y';
    assert.deepEqual(paths(diff), [['a/x.ts', 'a/x.ts']]);
  });

  it('the diff parser decodes paths that Git escapes', () => {
    const diff =
      '--- "a/\\303\\244 \\"b\\".ts"\n+++ "b/\\303\\244 \\"b\\".ts"\n@@ -1 +1 @@\n-x\n+y';
    assert.deepEqual(paths(diff), [['ä "b".ts', 'ä "b".ts']]);
  });

  it('the diff parser takes no removed or added line for a header', () => {
    const diff = '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n x';
    const lines = parseUnifiedDiff(diff)[0]?.hunks[0]?.lines;
    const read = lines?.map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(read, ['removed -- old', 'added ++ new', 'same x']);
  });

  it('the diff parser reads a diff without header and line numbers', () => {
    assert.deepEqual(paths('-a\n+b'), [[undefined, undefined]]);
    assert.equal(parseUnifiedDiff('@@ ... @@\n x\n-a\n+b\n\n')[0]?.hunks[0]?.lines.length, 3);
    assert.deepEqual(parseUnifiedDiff('no diff\nat all'), []);
  });
});

/** Applies changes to the original text like an editor. */
function applyChanges(text: string, diff: string): { changed: string; conflicts: number } {
  const found = findChanges(text, parseUnifiedDiff(diff)[0]?.hunks ?? [], searchBudget());
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

describe('findChanges', () => {
  it('findChanges gives the same text as applyHunks', () => {
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

  it('findChanges returns changes for all hunks that fit', () => {
    const text = numbers.join('\n').replace('one', '1');
    const { changed, conflicts } = applyChanges(text, git);
    assert.equal(changed, text.replace('eight', 'eight\neight and a half'));
    assert.equal(conflicts, 1);
  });
});

describe('applyHunks', () => {
  it('applyHunks changes the lines that the hunks name', () => {
    const changed = [...numbers];
    changed.splice(1, 1, 'TWO');
    changed.splice(8, 0, 'eight and a half');
    assert.equal(apply(numbers.join('\n'), git), changed.join('\n'));
  });

  it('applyHunks finds moved lines nearest to the line number', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -5 +5 @@\n-same\n+changed';
    const lines = ['same', 'a', 'b', 'c', 'd', 'same', 'e'];
    assert.equal(apply(lines.join('\n'), diff), 'same\na\nb\nc\nd\nchanged\ne');
  });

  describe('hunks with equal old lines', () => {
    /** Returns lines `l0` to `l39`, with `same` at some of them. */
    const withSame = (...places: readonly number[]) =>
      Array.from({ length: 40 }, (_, line) => (places.includes(line) ? 'same' : `l${line}`));
    const hunkAt = (place: number) =>
      `@@ -${place + 1} +${place + 1} @@\n-same\n+changed at ${place}\n`;
    /** Returns the places of hunks with these line numbers, or why they don't fit. */
    const placesOf = (lines: readonly string[], ...named: readonly number[]) => {
      const { hunks = [] } = parseUnifiedDiff(named.map(hunkAt).join(''))[0] ?? {};
      return findChanges(lines.join('\n'), hunks, searchBudget()).map((change) =>
        typeof change === 'string' ? change : change.start.line,
      );
    };

    it('hunks with equal old lines go by their line numbers', () => {
      assert.deepEqual(placesOf(withSame(5, 10, 20, 30), 20, 30), [20, 30]);
      assert.deepEqual(placesOf(withSame(5, 10, 20, 30), 5, 20), [5, 20]);
    });

    it('a hunk with the line number of the only match takes it', () => {
      assert.deepEqual(placesOf(withSame(20), 10, 20), ['nowhere', 20]);
      assert.deepEqual(placesOf(withSame(10), 10, 20), [10, 'nowhere']);
    });

    it('hunks with equal old lines move by the same number of lines', () => {
      assert.deepEqual(placesOf(withSame(4, 14), 10, 20), [4, 14]);
      assert.deepEqual(placesOf(withSame(16, 26, 35), 10, 20, 29), [16, 26, 35]);
    });

    it('hunks with equal old lines and the same line number take one match each', () => {
      assert.deepEqual(placesOf(withSame(10, 20, 30), 0, 0, 0), [10, 20, 30]);
    });

    it('hunks with equal old lines leave room for another one between them', () => {
      const lines = withSame(4, 14);
      const between = '@@ -16 +16 @@\n-l9\n+nine\n';
      const changed = lines.with(4, 'changed at 10').with(9, 'nine').with(14, 'changed at 20');
      const applied = apply(lines.join('\n'), `${hunkAt(10)}${between}${hunkAt(20)}`);
      assert.equal(applied, changed.join('\n'));
    });

    it('hunks with equal old lines keep an earlier one before them', () => {
      const lines = withSame(10, 20).with(3, 'x').with(15, 'x');
      const before = '@@ -10 +10 @@\n-x\n+y\n';
      const changed = lines.with(3, 'y').with(10, 'changed at 10').with(20, 'changed at 20');
      const applied = apply(lines.join('\n'), `${before}${hunkAt(10)}${hunkAt(20)}`);
      assert.equal(applied, changed.join('\n'));
    });

    it('hunks with equal old lines take linear time', () => {
      const lines = Array.from({ length: 20_000 }, () => 'same');
      assertInProportion(
        [100, 400, 1_600],
        (count) => Array.from({ length: count }, (_, index) => hunkAt(index * 2 + 1)).join(''),
        (diff) => assert.notEqual(apply(['top', ...lines].join('\n'), diff), undefined),
      );
    });
  });

  it('applyHunks keeps the line breaks and the whitespace of the text', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three';
    assert.equal(apply('one  \r\ntwo\r\nthree\r\n', diff), 'one  \r\nTWO\r\nthree\r\n');
  });

  it('applyHunks returns undefined if one hunk does not fit', () => {
    assert.equal(apply('one\ntwo\nthree\n', git), undefined);
    assert.equal(apply('', '-a\n+b'), undefined);
  });

  it('applyHunks returns undefined for several matches without a line number', () => {
    const text = 'a\nsame\nb\nsame\nc\n';
    const bare = '--- a/x\n+++ b/x\n@@\n-same\n+changed\n';
    assert.equal(apply(text, bare), undefined);
    const { hunks = [] } = parseUnifiedDiff(`${bare}@@\n-gone\n+come`)[0] ?? {};
    assert.deepEqual(findChanges(text, hunks, searchBudget()), ['several', 'nowhere']);
    // Only one match follows the first hunk.
    assert.equal(apply(text, `--- a/x\n+++ b/x\n@@\n-b\n+B\n@@\n-same\n+S`), 'a\nsame\nB\nS\nc\n');
  });

  it('findChanges finds no place for a hunk if the budget ends before all were searched', () => {
    const { hunks = [] } = parseUnifiedDiff('@@\n-same\n+changed')[0] ?? {};
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const text = ['same', ...lines, 'same'].join('\n');
    assert.deepEqual(findChanges(text, hunks, { comparisonsLeft: 50 }), ['nowhere']);
  });

  it('applyHunks does not match before the previous hunk', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -3 +3 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A';
    assert.equal(apply('a\nb\n', diff), undefined);
  });

  it('applyHunks inserts a hunk that only adds after its line number', () => {
    assert.equal(apply('a\nb\n', '--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+new'), 'a\nnew\nb\n');
    assert.equal(apply('a\nb\n', '+new'), undefined);
    assert.equal(apply('a\n', '--- a/x\n+++ b/x\n@@ -9,0 +9 @@\n+new'), undefined);
  });

  it('applyHunks finds lines far from a wrong line number', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -999999999999 +1 @@\n-a\n+A';
    assert.equal(apply('b\na\n', diff), 'b\nA\n');
  });

  it('applyHunks spends one budget on all files of a diff', () => {
    const same = Array.from({ length: 20_000 }, () => 'x');
    const wanted = [...same.slice(0, 10_000), 'y'].map((line) => ` ${line}`).join('\n');
    const { hunks = [] } = parseUnifiedDiff(`@@ -1 +1 @@\n${wanted}\n-z\n+Z`)[0] ?? {};
    const budget = searchBudget();
    assert.equal(applyHunks(same.join('\n'), hunks, budget), undefined);
    // The next file of the diff would fit.
    const next = parseUnifiedDiff('-b\n+B')[0]?.hunks ?? [];
    assert.equal(applyHunks('a\nb\n', next, budget), undefined);
    assert.equal(applyHunks('a\nb\n', next, searchBudget()), 'a\nB\n');
  });

  it('applyHunks takes linear time for hunks after the end of the text', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const last = '@@ -20000 +20000 @@\n-line 19999\n+changed\n';
    assertInProportion(
      [1_000, 4_000, 16_000],
      (hunks) => `--- a/x\n+++ b/x\n${last}${'@@\n-x\n'.repeat(hunks)}`,
      (diff) => assert.equal(apply(lines.join('\n'), diff), undefined),
    );
  });

  it('applyHunks changes files of hundreds of thousands of lines', () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`);
    const changed = [...lines];
    changed[250_000] = 'changed';
    const diff = '--- a/x\n+++ b/x\n@@ -250001 +250001 @@\n-line 250000\n+changed';
    assert.equal(apply(lines.join('\n'), diff), changed.join('\n'));
  });
});
