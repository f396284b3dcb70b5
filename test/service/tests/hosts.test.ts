import assert from 'node:assert/strict';
import { StringReader } from '../core/fields.ts';
import { normalizeHosts } from '../core/hosts.ts';

const strings = new StringReader('code points');
const normalize = (hosts: unknown): string[] => normalizeHosts(hosts, strings);

function name(length: number): string {
  return `${'a'.repeat(60)}.`.repeat(5).slice(0, length - 1) + 'z';
}

describe('service hosts', () => {
  it('are lowercased and lose one trailing dot', () => {
    assert.deepEqual(normalize(['API.Example.COM.']), ['api.example.com']);
  });

  it('collapse when they are equal after normalization, in the order of first mention', () => {
    assert.deepEqual(normalize(['B.test', 'a.test', 'b.test.']), ['b.test', 'a.test']);
  });

  for (const [what, host] of [
    ['a scheme', 'https://example.com'],
    ['a port', 'example.com:443'],
    ['a path', 'example.com/v1'],
    ['a query', 'example.com?x'],
    ['a wildcard', '*.example.com'],
    ['nothing', ''],
    ['a dot alone', '.'],
    ['two trailing dots', 'example.com..'],
    ['an empty label', 'a..b'],
    ['a space', 'a b.test'],
    ['a user', 'me@example.com'],
    ['an underscore', 'a_b.test'],
    ['a hyphen at the end of a label', 'a-.test'],
    ['a label of 64 characters', `${'a'.repeat(64)}.test`],
    ['letters outside ASCII', 'bücher.test'],
    ['an address in brackets', '[::1]'],
  ] as const) {
    it(`are refused with ${what}`, () => {
      assert.throws(() => normalize(['ok.test', host]), /^InvalidBody: hosts\[1\] must/);
    });
  }

  it('may be 254 characters with their trailing dot, and no more', () => {
    assert.equal(name(253).length, 253);
    assert.deepEqual(normalize([`${name(253)}.`]), [name(253)]);
    assert.throws(() => normalize([name(254)]), /at most 253/);
    assert.throws(() => normalize([`${name(254)}.`]), /at most 254/);
  });

  it('are 1 to 100, counted before they collapse', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `h${index}.test`);
    assert.equal(normalize(hundred).length, 100);
    assert.throws(() => normalize([]), /1 to 100/);
    assert.throws(() => normalize([...hundred, 'h0.test']), /1 to 100/);
  });

  it('must be an array of strings', () => {
    assert.throws(() => normalize('example.com'), /must be an array/);
    assert.throws(() => normalize(undefined), /must be an array/);
    assert.throws(() => normalize([7]), /hosts\[0\] must be a string/);
  });
});
