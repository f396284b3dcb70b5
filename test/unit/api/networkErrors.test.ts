import assert from 'node:assert/strict';
import { readNetworkFailure, wasNeverSent } from '../../../src/api/networkErrors.ts';

function withCode(code: unknown, cause?: unknown): Error {
  return Object.assign(new Error('private text', { cause }), { code });
}

function fetchFailed(cause: unknown): Error {
  return new TypeError('fetch failed', { cause });
}

describe('readNetworkFailure', () => {
  const rows = {
    network: `ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN UND_ERR_SOCKET EPIPE
      ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ERR_SSL_UNEXPECTED_EOF_WHILE_READING`,
    tls: `DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID
      ERR_SSL_WRONG_VERSION_NUMBER EPROTO HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE
      PATH_LENGTH_EXCEEDED`,
    timeout: 'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT',
    'not-the-service': 'HPE_INVALID_CONSTANT HPE_INVALID_HEADER_TOKEN',
  };
  for (const [kind, codes] of Object.entries(rows)) {
    for (const code of codes.split(/\s+/))
      it(`readNetworkFailure reads the code ${code} as ${kind}`, () => {
        assert.deepEqual(readNetworkFailure(fetchFailed(withCode(code))), { kind, code });
      });
  }

  it('readNetworkFailure finds the innermost code, and that of the first address', () => {
    const outer = withCode('UND_ERR_SOCKET', withCode('ECONNRESET'));
    assert.equal(readNetworkFailure(outer).code, 'ECONNRESET');
    const several = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
    assert.equal(readNetworkFailure(fetchFailed(several)).code, 'ECONNREFUSED');
    assert.equal(readNetworkFailure(withCode('ECONNRESET', new Error('x'))).code, 'ECONNRESET');
  });

  it('readNetworkFailure reads an unreachable host as a lost connection if there was one', () => {
    for (const code of ['ENETUNREACH', 'EHOSTUNREACH']) {
      const during = (syscall: string) => fetchFailed(Object.assign(withCode(code), { syscall }));
      assert.equal(readNetworkFailure(during('connect')).code, code);
      for (const syscall of ['read', 'write'])
        assert.equal(readNetworkFailure(during(syscall)).code, 'ECONNRESET');
    }
  });

  it('readNetworkFailure reads a time limit as that of a connection if there was none yet', () => {
    const during = (syscall: string) => Object.assign(withCode('ETIMEDOUT'), { syscall });
    // Node tries the addresses of a host one after the other.
    const several = new AggregateError([during('connect'), withCode('ECONNREFUSED')]);
    for (const failure of [several, during('connect')])
      assert.deepEqual(readNetworkFailure(fetchFailed(failure)), {
        kind: 'timeout',
        code: 'UND_ERR_CONNECT_TIMEOUT',
      });
    assert.equal(readNetworkFailure(fetchFailed(during('read'))).code, 'ETIMEDOUT');
  });

  it("readNetworkFailure reads the code in a message of Electron's network stack", () => {
    assert.deepEqual(readNetworkFailure(new Error('net::ERR_CERT_AUTHORITY_INVALID')), {
      kind: 'tls',
      code: 'ERR_CERT_AUTHORITY_INVALID',
    });
    assert.deepEqual(readNetworkFailure(fetchFailed(new Error('net::ERR_TIMED_OUT'))), {
      kind: 'timeout',
      code: 'ERR_TIMED_OUT',
    });
    assert.equal(
      readNetworkFailure(new Error('net::ERR_INVALID_HTTP_RESPONSE')).kind,
      'not-the-service',
    );
    assert.equal(readNetworkFailure(new Error('xnet::ERR_FAILED')).code, null);
    assert.equal(readNetworkFailure(withCode('NOT_HPE_AT_ALL')).kind, 'network');
  });

  it("readNetworkFailure reads an error of Node's HTTP parser without a code", () => {
    const parserError = Object.assign(new Error('private'), { name: 'HTTPParserError' });
    assert.deepEqual(readNetworkFailure(fetchFailed(parserError)), {
      kind: 'not-the-service',
      code: 'HPE_INVALID',
    });
  });

  it('readNetworkFailure ignores a code that may be other text', () => {
    for (const code of ['Bearer x', 'lower', '', '1A', 'A-B', 7, undefined])
      assert.deepEqual(readNetworkFailure(withCode(code)), { kind: 'network', code: null });
  });

  it('readNetworkFailure reads any other failure as a lost connection', () => {
    for (const failure of [undefined, null, 'text', { code: 'ECONNRESET' }])
      assert.deepEqual(readNetworkFailure(failure), { kind: 'network', code: null });
    const loop = new Error('loop');
    loop.cause = loop;
    assert.deepEqual(readNetworkFailure(loop), { kind: 'network', code: null });
  });

  it('readNetworkFailure searches eight causes for a code', () => {
    const chain = (depth: number): Error =>
      depth === 1 ? withCode('ECONNRESET') : new Error('x', { cause: chain(depth - 1) });
    assert.equal(readNetworkFailure(chain(8)).code, 'ECONNRESET');
    assert.equal(readNetworkFailure(chain(9)).code, null);
  });
});

describe('wasNeverSent', () => {
  const unsent = `ECONNREFUSED ENOTFOUND EAI_AGAIN ERR_CONNECTION_REFUSED ERR_NAME_NOT_RESOLVED
    ERR_INTERNET_DISCONNECTED ERR_PROXY_TUNNEL ENETUNREACH EHOSTUNREACH`;
  const maybe = ['ECONNRESET', 'UND_ERR_HEADERS_TIMEOUT', 'ERR_SSL_BAD_RECORD_MAC'];
  for (const [kind, code, is] of [
    ...unsent.split(/\s+/).map((code) => ['network', code, true] as const),
    ...([['timeout', 'UND_ERR_CONNECT_TIMEOUT', true]] as const),
    ...(['CERT_HAS_EXPIRED', null] as const).map((code) => ['tls', code, true] as const),
    ...[...maybe, '', null, undefined].map((code) => ['network', code, false] as const),
  ])
    it(`wasNeverSent returns ${is} for a ${kind} failure with the code ${code}`, () => {
      assert.equal(wasNeverSent({ kind, code }), is);
    });
});
