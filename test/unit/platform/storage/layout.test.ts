import assert from 'node:assert/strict';
import fc from 'fast-check';
import { accountPaths, toFileName } from '../../../../src/platform/storage/layout.ts';

/** Any text, lone surrogates and control characters included. */
const anyId = fc.string({ unit: 'binary', maxLength: 200 });

describe('toFileName', () => {
  it('different IDs get different file names', () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        assert.equal(toFileName(one) === toFileName(other), one === other);
      }),
    );
    const long = 'x'.repeat(5_000);
    const ids = ['abc', 'ABC', 'Abc', '\u00e9', 'e\u0301', 'con', '~-con', '~63on'];
    const names = [...ids, `${long}a`, `${long}b`].map(toFileName);
    assert.equal(new Set(names).size, names.length);
  });

  it('every ID gets a file name that is safe on every file system', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const name = toFileName(id);
        assert.match(name, /^[a-z0-9_~-]+$/);
        assert.ok(name.length <= 120);
        assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)$/);
      }),
    );
    for (const id of ['..', '../../x', 'con', 'NUL', 'com1', '', 'a/b\\c', 'trailing.'])
      assert.match(toFileName(id), /^[a-z0-9_~-]+$/, id);
  });
});

describe('the folders of an account', () => {
  it('the folders of an account stay inside the storage, whatever its ID', () => {
    const { root, conversations } = accountPaths('/storage', '../../elsewhere');
    assert.ok(
      root.startsWith('/storage/accounts/'.replaceAll('/', root.includes('\\') ? '\\' : '/')),
    );
    assert.ok(conversations.startsWith(root));
    assert.ok(!root.includes('..'));
  });
});
