import assert from 'node:assert/strict';
import { checkIdempotencyHeader } from '../../../src/api/headerName.ts';

describe('checkIdempotencyHeader', () => {
  // Rule 14.14
  it('the check of the header name accepts an unreserved token', () => {
    for (const name of ['Idempotency-Key', 'x-request-id', 'X_Key.1', "a!#$%&'*+.^_`|~9"])
      assert.equal(checkIdempotencyHeader(name), null, name);
  });

  it('the check of the header name refuses a name that is no HTTP token', () => {
    for (const name of ['', 'a b', 'a:', 'é', 'a\r\nb', '(a)', 'a/b', 'a"'])
      assert.equal(checkIdempotencyHeader(name), 'not-a-token', JSON.stringify(name));
  });

  // Rule 14.14
  it('the check of the header name refuses reserved names in any case', () => {
    const names =
      'Accept Accept-Charset Accept-Encoding Accept-Language Authorization Cache-Control Connection ' +
      'Content-Encoding Content-Language Content-Length Content-Location Content-Range Content-Type ' +
      'Cookie Cookie2 Date DNT Expect Forwarded HOST HTTP2-Settings Keep-Alive Origin Pragma Range ' +
      'Referer Set-Cookie TE Trailer Transfer-Encoding Upgrade User-Agent Via Proxy-Authorization ' +
      'Sec-Fetch-Mode Access-Control-Request-Method If-Match X-Forwarded-For X-HTTP-Method-Override';
    for (const name of names.split(' '))
      assert.equal(checkIdempotencyHeader(name), 'reserved', name);
  });

  it('the check of the header name accepts names that only begin like reserved ones', () => {
    for (const name of ['hosts', 'x-host', 'date-key', 'second', 'proxy', 'iffy'])
      assert.equal(checkIdempotencyHeader(name), null, name);
  });
});
