import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkHosts, normalizeHost, splitHosts, unusualHostPart } from '../../../src/api/hosts.ts';

const LABEL_63 = 'a'.repeat(63);
/** 253 characters, the most of a DNS name. */
const LONGEST = `${`${LABEL_63}.`.repeat(3)}${'b'.repeat(61)}`;

describe('normalizeHost', () => {
  // Rule 15.9
  it('normalizeHost returns a host in lower case, without one trailing dot', () => {
    const normalized = {
      'api.example.com': 'api.example.com',
      'API.Example.COM.': 'api.example.com',
      localhost: 'localhost',
      'a-b.c1': 'a-b.c1',
      '1password.com': '1password.com',
      [LABEL_63]: LABEL_63,
      [LONGEST]: LONGEST,
      [`${LONGEST}.`]: LONGEST,
    };
    for (const [host, expected] of Object.entries(normalized)) {
      const read = normalizeHost(host);
      assert.equal(read.ok ? read.value : null, expected, host);
    }
  });

  it('normalizeHost returns the ASCII form of a host with other letters', () => {
    for (const host of ['bücher.example', 'BÜCHER.example.', 'XN--BCHER-KVA.example'])
      assert.deepEqual(normalizeHost(host), { ok: true, value: 'xn--bcher-kva.example' });
    assert.deepEqual(normalizeHost('例え。テスト'), { ok: true, value: 'xn--r8jz45g.xn--zckzah' });
  });

  it('normalizeHost accepts hosts that unusualHostPart warns about', () => {
    const unusual = {
      '127.0.0.1': 'ipv4',
      '10.1': 'ipv4',
      '0x7f.1': 'ipv4',
      '0x7f': 'ipv4',
      'a.b.0x': 'ipv4',
      'a_b.example': 'underscore',
      '_dmarc.example.com': 'underscore',
      'api.example.com': null,
      '1password.com': null,
    };
    for (const [host, part] of Object.entries(unusual)) {
      assert.deepEqual(normalizeHost(host), { ok: true, value: host });
      assert.equal(unusualHostPart(host), part, host);
    }
    assert.deepEqual(normalizeHost('１２７.0.0.1'), { ok: true, value: '127.0.0.1' });
  });

  // Rules 15.5, 15.11, 15.12, 21.12
  it('normalizeHost names the problem of an invalid host', () => {
    const problems = {
      scheme: ['https://example.com', 'https://example.com:443/x'],
      'user-info': ['me@example.com'],
      path: ['example.com/path', 'example.com?q', 'example.com#f', 'example.com\\x'],
      wildcard: ['*.example.com'],
      port: ['example.com:8080'],
      ipv6: ['[::1]', '[fe80', 'fe80::1'],
      label: [
        ...[
          '',
          '.',
          'a..b',
          '.example.com',
          'example.com..',
          '-a.example',
          'a-.example',
          'a b.example',
        ],
        ...['a%41.example', 'é\u0000.example', 'é%41.example', 'é .example', 'a\u007f.example'],
        ...['é^.example', `${'a'.repeat(64)}.example`],
      ],
      'too-long': [
        ...[`c${LONGEST}`, `${LONGEST}..`, `é.${LONGEST.slice(2)}`],
        // Soft hyphens vanish from the ASCII form, but the service counts what it is sent.
        `é${'\u00ad'.repeat(300)}.example`,
      ],
    };
    for (const [problem, hosts] of Object.entries(problems))
      for (const host of hosts)
        assert.deepEqual(normalizeHost(host), { ok: false, error: problem }, host);
  });

  it('normalizeHost keeps a normalized host unchanged', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        const first = normalizeHost(host);
        assert.ok(first.ok);
        assert.deepEqual(normalizeHost(first.value), first);
        assert.deepEqual(normalizeHost(`${host.toUpperCase()}.`), first);
      }),
    );
  });
});

describe('splitHosts and checkHosts', () => {
  it('splitHosts splits hosts at commas and white space', () => {
    const hosts = splitHosts(' a.example, b.example;c,\n,d\t e ');
    assert.deepEqual(hosts, ['a.example', 'b.example;c', 'd', 'e']);
    assert.deepEqual(splitHosts(' , '), []);
  });

  // Rule 15.10
  it('checkHosts removes duplicate hosts, in the order of their first mention', () => {
    const read = checkHosts(['B.example', 'a.example', 'b.example.', 'A.EXAMPLE']);
    assert.deepEqual(read, { ok: true, value: ['b.example', 'a.example'] });
  });

  it('checkHosts reports an invalid host as it was typed', () => {
    assert.deepEqual(checkHosts(['a.example', 'B.example:1', '*']), {
      ok: false,
      error: { kind: 'port', host: 'B.example:1' },
    });
  });

  // Rules 15.4, 21.12
  it('checkHosts accepts 1 to 100 different hosts', () => {
    const hosts = Array.from({ length: 101 }, (_, index) => `h${index}.example`);
    assert.deepEqual(checkHosts([]), { ok: false, error: { kind: 'none' } });
    assert.equal(checkHosts(hosts.slice(0, 1)).ok, true);
    assert.equal(checkHosts(hosts.slice(0, 100)).ok, true);
    assert.equal(checkHosts([...hosts.slice(0, 100), 'H0.example.']).ok, true);
    assert.deepEqual(checkHosts(hosts), {
      ok: false,
      error: { kind: 'too-many', count: 101, max: 100 },
    });
  });
});
