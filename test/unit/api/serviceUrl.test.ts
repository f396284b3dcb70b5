import assert from 'node:assert/strict';
import {
  serviceUrlHost,
  parseServiceUrl,
  proposeServiceUrl,
  type ServiceUrl,
} from '../../../src/api/serviceUrl.ts';

function root(text: string): ServiceUrl {
  const read = parseServiceUrl(text);
  assert.ok(read.ok, text);
  return read.value;
}

describe('parseServiceUrl', () => {
  // Rule 22.1
  it('parseServiceUrl removes white space and trailing slashes from a service URL', () => {
    assert.equal(root(' https://api.example.com/api/v1// \n'), 'https://api.example.com/api/v1');
    assert.equal(root('https://api.example.com'), 'https://api.example.com');
    assert.equal(root('HTTPS://API.example.com/'), 'https://api.example.com');
    assert.equal(root('https://api.example.com:8443/a/./b/'), 'https://api.example.com:8443/a/b');
  });

  // Rule 1.1
  it('parseServiceUrl accepts a service URL with plain HTTP only on this machine', () => {
    const local =
      'http://localhost:8080/api/v1 http://127.0.0.1:1 http://127.8.9.10 http://[::1]:3000';
    for (const text of local.split(' ')) assert.equal(root(text), text);
    const remote = `http://api.example.com http://localhost.example.com http://my-localhost
      http://127.0.0.1.example.com http://128.0.0.1 http://0.0.0.0 http://192.168.0.1
      http://[::2] http://1127.0.0.1.nip.example`;
    for (const text of remote.split(/\s+/))
      assert.deepEqual(parseServiceUrl(text), { ok: false, error: 'not-encrypted' }, text);
  });

  it('parseServiceUrl names the problem of an invalid service URL', () => {
    const problems = {
      empty: ['', '  '],
      scheme: [
        ...['api.example.com', 'localhost:8080'],
        ...['ftp://example.com', 'file:///etc', 'xhttps://example.com'],
      ],
      query: ['https://example.com/api?x=1', 'https://example.com/api?'],
      fragment: ['https://example.com/api#x', 'https://example.com/api#'],
      'user-info': [
        ...['https://me:pass@example.com', 'https://me@example.com', 'https://:pass@example.com'],
        ...['https://@example.com', 'HTTPS://@example.com'],
        ...['https:///me@example.com', 'https:///:pass@example.com'],
      ],
      'not-a-url': ['https://', 'https://exa mple.com', 'https://example.com:99999'],
    };
    for (const [problem, texts] of Object.entries(problems))
      for (const text of texts)
        assert.deepEqual(parseServiceUrl(text), { ok: false, error: problem }, text);
  });

  it('parseServiceUrl accepts an @ in the path of a service URL', () => {
    assert.equal(root('https://example.com/@team'), 'https://example.com/@team');
  });
});

describe('parts of a service URL', () => {
  it('proposeServiceUrl proposes the version prefix for a service URL without it', () => {
    for (const [path, expected] of [
      ['', '/api/v1'],
      ['/api', '/api/v1'],
      ['/x', '/x/api/v1'],
      ['/api/x', '/api/x/api/v1'],
    ] as const)
      assert.equal(
        proposeServiceUrl(root(`https://a.example${path}`)),
        `https://a.example${expected}`,
      );
  });

  it('proposeServiceUrl proposes nothing for a service URL with the version prefix', () => {
    assert.equal(proposeServiceUrl(root('https://example.com/api/v1/')), null);
  });

  it('serviceUrlHost returns the host of a service URL, with the port unless it is the default', () => {
    assert.equal(serviceUrlHost(root('https://example.com:443/api')), 'example.com');
    assert.equal(serviceUrlHost(root('http://localhost:8080/api')), 'localhost:8080');
  });
});
