import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  checkHosts,
  checkInternId,
  checkInternName,
  checkSecretName,
  checkSecretValue,
  cleanKey,
  parseApiRoot,
} from '../../../../src/api/index.ts';
import type { Result } from '../../../../src/base/result.ts';
import * as limits from '../../../../src/platform/words/limits.ts';

type Sentence<T> = (text: T) => string | undefined;

const ofProblem =
  <T, P>(check: (text: T) => P | null, sentence: (problem: P) => string): Sentence<T> =>
  (text) => {
    const problem = check(text);
    return problem === null ? undefined : sentence(problem);
  };
const ofResult = <T, P>(check: (text: T) => Result<unknown, P>, sentence: (problem: P) => string) =>
  ofProblem((text: T) => {
    const checked = check(text);
    return checked.ok ? null : checked.error;
  }, sentence);

const internName = ofProblem(checkInternName, limits.internNameSentence);
const secretName = ofProblem(checkSecretName, limits.secretNameSentence);
const secretValue = ofProblem(checkSecretValue, limits.lengthSentence);
const internId = ofProblem(checkInternId, limits.internIdSentence);
const root = ofResult(parseApiRoot, limits.apiRootSentence);
const key = ofResult(cleanKey, limits.keySentence);
const hostList = ofResult(checkHosts, limits.hostsSentence);
const host = (name: string) => hostList([name]);
const header = (problem: 'reserved' | 'not-a-token') => (name: string) =>
  limits.headerNameSentence(problem, name);

const invalid: readonly (readonly [Sentence<string>, string, RegExp])[] = [
  [internName, 'Intern', /“I” is a capital letter/],
  [internName, 'my intern', /A space cannot be in a name/],
  [internName, 'my_intern', /“_” cannot be in a name.*single hyphens/],
  [internName, '1st', /starts with a lowercase letter/],
  [internName, 'a--b', /single hyphens only/],
  [internName, 'ab-', /end with a hyphen/],
  [internName, 'a', /at least 2/],
  [internName, 'a'.repeat(18), /18 characters, and at most 17/],
  [internName, 'a\u200bb', /U\+200B/],
  [secretName, 'api-key', /“-” cannot be in a name.*single underscores/],
  [secretName, 'api__key', /single underscores only/],
  [secretName, 'api_', /end with an underscore/],
  [host, 'https://a.example.com', /“https:\/\/a\.example\.com”: leave out the scheme/],
  [host, '*.example.com', /wildcards/],
  [host, 'a.example.com:443', /leave out the port/],
  [host, 'a.example.com/x', /leave out the path/],
  [host, 'user@example.com', /leave out the user name/],
  [host, 'fe80::1', /IPv6 address/],
  [host, 'a..example.com', /is not a host name/],
  [key, ' ', /Paste the API key/],
  [secretValue, '', /may not be empty/],
  [secretValue, 'x'.repeat(65_537), /65,537 characters, and at most 65,536/],
  [root, '', /Enter the API root/],
  [root, 'interns.example.com', /starts with https/],
  [root, 'http://interns.example.com', /Plain http/],
  [root, 'https://a:b@interns.example.com', /user name/],
  [root, 'https://interns.example.com?x', /query/],
  [root, 'https://interns.example.com#x', /fragment/],
  [root, 'https://', /not a web address/],
  [internId, '', /Enter the id/],
  [internId, 'a b', /space/],
  [internId, '..', /cannot be the id/],
  [header('reserved'), 'Authorization', /“Authorization”, names a header with another purpose/],
  [header('not-a-token'), 'a b', /“a b”, is not the name of a header/],
];

describe('the sentence for an input', () => {
  for (const [sentence, text, expected] of invalid)
    it(`matches ${String(expected)} for “${text.slice(0, 40)}”`, () => {
      assert.match(sentence(text) ?? '', expected);
    });

  it('is missing for a valid name and host', () => {
    assert.deepEqual([internName('my-intern-2'), host('api.example.com')], [undefined, undefined]);
  });

  it('says how many hosts are allowed', () => {
    assert.match(hostList([]) ?? '', /at least one host/);
    const many = Array.from({ length: 101 }, (_, index) => `h${index}.example.com`);
    assert.match(hostList(many) ?? '', /101 hosts, and at most 100/);
  });

  for (const [name, sentence] of Object.entries({ internName, secretName, host, key }))
    it(`is plain, on one line and short for any ${name}`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
          const said = sentence(text) ?? '.';
          assert.match(said, /\.$/);
          assert.doesNotMatch(said, /\]\(|\n|\{\d\}|undefined/);
          assert.ok(said.length < 300, said);
        }),
      );
    });

  it('never quotes a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 24 }), (text) => {
        assert.ok(text.trim() === '' || !key(text)?.includes(text.trim()));
      }),
    );
  });
});
