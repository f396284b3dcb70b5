import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hostsProblem,
  hostsRemark,
  hostsWarning,
} from '../../../../src/features/vault/secretFieldChecks.ts';
import { hostChanges, hostProblems, readHosts } from '../../../../src/features/vault/hostList.ts';

describe('hosts typed in one box', () => {
  it('are separated by commas, spaces or line breaks, and kept as the service keeps them', () => {
    assert.deepEqual(readHosts('API.example.com., b.example.com\nb.example.com,,'), [
      'api.example.com',
      'b.example.com',
    ]);
  });

  it('are told off one by one, each by its name', () => {
    const sentence =
      hostsProblem('ok.example.com https://a.example.com b.example.com:80 *.c.example.com') ?? '';
    for (const wrong of ['https://a.example.com', 'b.example.com:80', '*.c.example.com']) {
      assert.ok(sentence.includes(wrong), wrong);
    }
    assert.ok(!sentence.includes('ok.example.com'));
  });

  it('are told off three at a time, since a box has no room for a hundred sentences', () => {
    assert.equal(hostsProblem('a:1 b:1 c:1 d:1')?.match(/“/g)?.length, 3);
    assert.equal(hostsWarning('10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4')?.match(/“/g)?.length, 3);
  });

  it('are taken with a warning where no rule forbids them and a service may', () => {
    for (const typed of ['10.0.0.1', 'a_b.example.com']) {
      assert.equal(hostsProblem(typed), undefined);
      assert.match(hostsWarning(`ok.example.com ${typed}`) ?? '', /the service may refuse it/);
    }
    assert.equal(hostsWarning('ok.example.com'), undefined);
  });

  it('must be there, and not too many', () => {
    assert.deepEqual(hostProblems(' , '), [{ kind: 'none' }]);
    const many = Array.from({ length: 101 }, (_, i) => `h${i}.example.com`).join(' ');
    assert.equal(hostProblems(many)[0]?.kind, 'too-many');
    assert.equal(hostProblems(many.replace('h100.', 'h99.')).length, 0);
  });

  it('are shown as they will be kept only where that is not as typed', () => {
    assert.equal(hostsRemark('a.example.com'), undefined);
    assert.match(hostsRemark('A.example.com') ?? '', /a\.example\.com/);
  });

  it('are either all kept or told off, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(readHosts(text).length === 0, hostProblems(text).length > 0);
        assert.equal(hostsProblem(text) === undefined, hostProblems(text).length === 0);
      }),
    );
  });

  it('are compared with those of the secret that is replaced; a legacy one had none', () => {
    assert.deepEqual(hostChanges(['a', 'b'], ['b', 'c']), { added: ['c'], removed: ['a'] });
    assert.deepEqual(hostChanges(null, ['a']), { added: ['a'], removed: [] });
  });
});
