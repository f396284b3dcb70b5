import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hostChangesMessage,
  hostsChecks,
  readHosts,
  typedValueProblem,
  valueProblem,
} from '../../../../src/features/vault/secretMessages.ts';

describe('valueProblem', () => {
  it('the check of a secret value never repeats the value', () => {
    const text = fc.string({ minLength: 4, maxLength: 40 });
    const values = fc.oneof(
      text.map((start) => `-----BEGIN ${start}`),
      text.map((part) => part.repeat(20_000)),
    );
    fc.assert(
      fc.property(values, (value) => {
        const said = `${valueProblem(value) ?? ''}${typedValueProblem(value) ?? ''}`;
        assert.ok(!said.includes(value.slice(0, 20)), said);
      }),
      { numRuns: 50 },
    );
  });
});

describe('hostsChecks', () => {
  it('readHosts gives hosts between commas, spaces or line breaks once each', () => {
    const typed = 'API.example.com., b.example.com\nb.example.com,,';
    assert.deepEqual(readHosts(typed), ['api.example.com', 'b.example.com']);
  });

  const many = Array.from({ length: 101 }, (_, i) => `h${i}.example.com`).join(' ');
  const longList = '10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4';
  const invalid = 'ok.test https://a.test b.test:80 *.c.test';
  for (const [what, typed, problem, warning, remark] of [
    ['a host', 'a.example.com', '', '', ''],
    ['a host in upper case', 'A.example.com', '', '', 'a.example.com'],
    ['three invalid hosts', invalid, '“https://a.test” “b.test:80” “*.c.test”', '', ''],
    ['four invalid hosts', 'a:1 b:1 c:1 d:1', '“a:1” “b:1” “c:1”', '', ''],
    ['a host and an address', 'ok.test 10.0.0.1', '', '“10.0.0.1”', 'ok.test and 10.0.0.1'],
    ['a host with an underscore', 'a_b.test', '', '“a_b.test”', ''],
    ['four addresses', longList, '', '“10.0.0.1” “10.0.0.2” “10.0.0.3”', ''],
    ['100 hosts', many.replace('h100.', 'h99.'), '', '', /h99\.example\.com\.$/],
    ['a comma alone', ' , ', /./, '', ''],
    ['101 hosts', many, /101/, '', ''],
  ] as const)
    it(`the check of hosts judges ${what}`, () => {
      const quoted = (said = '') => (said.match(/“[^”]*”/gu) ?? []).join(' ');
      const said = hostsChecks.validate(typed);
      if (typeof problem === 'string') assert.equal(quoted(said), problem);
      else assert.match(said ?? '', problem);
      assert.equal(said === undefined, problem === '');
      assert.equal(quoted(hostsChecks.warning(typed)), warning);
      if (problem !== '') return;
      const remarked = hostsChecks.remark(typed);
      if (typeof remark !== 'string') assert.match(remarked ?? '', remark);
      else assert.equal(remarked, remark === '' ? undefined : `Will be bound to ${remark}.`);
    });

  it('the check of hosts either reads all hosts or names a problem', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const isInvalid = hostsChecks.validate(text) !== undefined;
        assert.equal(readHosts(text).length === 0, isInvalid);
      }),
    );
  });
});

describe('hostChangesMessage', () => {
  it('the message on a replaced secret names the added and removed hosts', () => {
    assert.equal(hostChangesMessage(['a', 'b'], ['b', 'c']), 'Added hosts: c. Removed hosts: a.');
    assert.equal(hostChangesMessage(null, ['a']), 'Added hosts: a.');
    assert.equal(hostChangesMessage(['a'], ['a']), 'The hosts stay the same.');
  });
});
