import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  checkHosts,
  checkInternId,
  checkInternName,
  checkSecretName,
  checkSecretValue,
  parseKey,
  parseServiceUrl,
} from '../../../../src/api/index.ts';
import type { Result } from '../../../../src/base/result.ts';
import * as limits from '../../../../src/platform/text/limitMessages.ts';

type Sentence<T> = (text: T) => string | undefined;

const ofResult =
  <T, P>(check: (text: T) => Result<unknown, P>, sentence: (problem: P) => string): Sentence<T> =>
  (text) => {
    const checked = check(text);
    return checked.ok ? undefined : sentence(checked.error);
  };

const internName = limits.checkText(checkInternName, limits.internNameMessage);
const secretName = limits.checkText(checkSecretName, limits.secretNameMessage);
const secretValue = limits.checkText(checkSecretValue, limits.lengthMessage);
const internId = limits.checkText(checkInternId, limits.internIdMessage);
const root = ofResult(parseServiceUrl, limits.serviceUrlMessage);
const key = ofResult(parseKey, limits.keyMessage);
const hostList = ofResult(checkHosts, limits.hostsMessage);
const host = (name: string) => hostList([name]);
const header = (problem: 'reserved' | 'not-a-token') => (name: string) =>
  limits.headerNameMessage(problem, name);

const invalid: readonly (readonly [Sentence<string>, string, RegExp])[] = [
  [internName, 'Intern', /“I” is a capital letter/],
  [internName, 'my intern', /name can’t contain a space/],
  [internName, 'my_intern', /name can’t contain “_”.*single hyphens/],
  [internName, '1st', /starts with a lowercase letter/],
  [internName, 'a--b', /single hyphens only/],
  [internName, 'ab-', /end with a hyphen/],
  [internName, 'a', /at least 2/],
  [internName, 'a'.repeat(18), /18 of at most 17/],
  [internName, 'a\u200bb', /U\+200B/],
  [secretName, 'api-key', /name can’t contain “-”.*single underscores/],
  [secretName, 'api__key', /single underscores only/],
  [secretName, 'api_', /end with an underscore/],
  [host, 'https://a.example.com', /“https:.*” has a scheme. Enter only the host name/],
  [host, '*.example.com', /has a wildcard/],
  [host, 'a.example.com:443', /has a port/],
  [host, 'a.example.com/x', /has a path/],
  [host, 'user@example.com', /has a user name/],
  [host, 'fe80::1', /IPv6 address/],
  [host, 'a..example.com', /isn’t a host name/],
  [key, ' ', /Paste the API key/],
  [secretValue, '', /can’t be empty/],
  [secretValue, 'x'.repeat(65_537), /65,537 of at most 65,536/],
  [root, '', /Enter the service URL/],
  [root, 'interns.example.com', /starts with https/],
  [root, 'http://interns.example.com', /Plain http/],
  [root, 'https://a:b@interns.example.com', /user name/],
  [root, 'https://interns.example.com?x', /query/],
  [root, 'https://interns.example.com#x', /fragment/],
  [root, 'https://', /isn’t a web address/],
  [internId, '', /Enter the ID/],
  [internId, 'a b', /space/],
  [internId, '..', /isn’t a valid intern ID/],
  [header('reserved'), 'Authorization', /“Authorization”\) names a reserved header/],
  [header('not-a-token'), 'a b', /“a b”\) isn’t a valid header name/],
];

describe('the sentence for an input', () => {
  for (const [sentence, text, expected] of invalid)
    it(`the sentence for the input “${text.slice(0, 12)}” contains ${String(expected).slice(0, 36)}`, () => {
      assert.match(sentence(text) ?? '', expected);
    });

  it('a valid name and a valid host have no problem', () => {
    assert.deepEqual([internName('my-intern-2'), host('api.example.com')], [undefined, undefined]);
  });

  it('the sentence for a list of hosts says how many a secret allows', () => {
    assert.match(hostList([]) ?? '', /at least one host/);
    const many = Array.from({ length: 101 }, (_, index) => `h${index}.example.com`);
    assert.match(hostList(many) ?? '', /101 of at most 100/);
  });

  for (const [name, sentence] of Object.entries({ internName, secretName, host, key }))
    it(`the sentence for any invalid ${name} is one short line`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
          const said = sentence(text) ?? '.';
          assert.match(said, /\.$/);
          assert.doesNotMatch(said, /\]\(|\n|\{\d\}|undefined/);
          assert.ok(said.length < 300, said);
        }),
      );
    });

  it('the sentence for an invalid key never quotes it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 24 }), (text) => {
        assert.ok(text.trim() === '' || !key(text)?.includes(text.trim()));
      }),
    );
  });
});
