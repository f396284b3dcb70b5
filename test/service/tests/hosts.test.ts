import assert from 'node:assert/strict';
import { validate } from '../core/fields.ts';
import { hosts } from '../core/requests.ts';

const normalize = (value: unknown): string[] => validate(hosts, value, 'hosts');

function name(length: number): string {
  return `${'a'.repeat(60)}.`.repeat(5).slice(0, length - 1) + 'z';
}

describe('service hosts', () => {
  // Rule 15.9
  it('a host loses its capitals and one trailing dot', () => {
    assert.deepEqual(normalize(['API.Example.COM.']), ['api.example.com']);
  });

  // Rule 15.10
  it('equal hosts collapse in the order of first mention', () => {
    assert.deepEqual(normalize(['B.test', 'a.test', 'b.test.']), ['b.test', 'a.test']);
  });

  // Rules 15.11, 15.12
  for (const [what, host] of [
    ['a scheme', 'https://example.com'],
    ['a port', 'example.com:443'],
    ['a path', 'example.com/v1'],
    ['a query', 'example.com?x'],
    ['a wildcard', '*.example.com'],
    ['no characters', ''],
    ['a dot alone', '.'],
    ['two trailing dots', 'example.com..'],
    ['an empty label', 'a..b'],
    ['a space', 'a b.test'],
    ['a user', 'me@example.com'],
    ['a hyphen at the end of a label', 'a-.test'],
    ['a label of 64 characters', `${'a'.repeat(64)}.test`],
    ['letters outside ASCII', 'bücher.test'],
    ['an address in brackets', '[::1]'],
  ] as const)
    it(`the service refuses a host with ${what}`, () => {
      assert.throws(() => normalize(['ok.test', host]), /^InvalidBody: 1 must/);
    });

  it('hosts may be IPv4 addresses and contain underscores', () => {
    assert.deepEqual(normalize(['127.0.0.1', '_a_b.test']), ['127.0.0.1', '_a_b.test']);
  });

  // Rules 15.5, 21.12
  it('a host has at most 254 characters with its trailing dot', () => {
    assert.equal(name(253).length, 253);
    assert.deepEqual(normalize([`${name(253)}.`]), [name(253)]);
    assert.throws(() => normalize([name(254)]), /at most 253/);
    assert.throws(() => normalize([`${name(254)}.`]), /at most 254/);
  });

  // Rules 15.4, 21.12
  it('a secret has 1 to 100 hosts, counted before they collapse', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `h${index}.test`);
    assert.equal(normalize(hundred).length, 100);
    assert.throws(() => normalize([]), /1 to 100/);
    assert.throws(() => normalize([...hundred, 'h0.test']), /1 to 100/);
  });
});
