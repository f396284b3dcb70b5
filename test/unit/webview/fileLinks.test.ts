import assert from 'node:assert/strict';
import { splitPaths } from '../../../src/webview/fileLinks.ts';

function paths(text: string): string[] {
  const pieces = splitPaths(text);
  const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.path));
  assert.equal(whole.join(''), text);
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.path));
}

describe('splitPaths', () => {
  it('splitPaths finds file paths without the punctuation around them', () => {
    assert.deepEqual(
      paths('See src/index.ts:12:5, (./a-b/c_d.py:3-9) or lib\\main.rs; ends in main.go:7.'),
      ['src/index.ts:12:5', './a-b/c_d.py:3-9', 'lib\\main.rs', 'main.go:7'],
    );
  });

  it('splitPaths finds no file paths in product names, versions, times or words with a slash', () => {
    assert.deepEqual(
      paths('Node.js and package.json at 10:30, v1.2/3, and/or, 1.5:2, e.g. x/y.'),
      [],
    );
  });

  it('splitPaths ends on long hostile text', () => {
    for (const part of ['a/', 'a.', './', 'a:1', '-', 'a.ts:', '@'])
      assert.ok(paths(part.repeat(100_000)).length <= 1);
  });
});
