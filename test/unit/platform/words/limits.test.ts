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
import {
  apiRootSentence,
  headerNameSentence,
  hostsSentence,
  internIdSentence,
  internNameSentence,
  keySentence,
  lengthSentence,
  secretNameSentence,
} from '../../../../src/platform/words/limits.ts';

/** What a box shows for a text; undefined where it may stand. */
const internName = (text: string) => {
  const problem = checkInternName(text);
  return problem === null ? undefined : internNameSentence(problem);
};
const secretName = (text: string) => {
  const problem = checkSecretName(text);
  return problem === null ? undefined : secretNameSentence(problem);
};
const hosts = (list: readonly string[]) => {
  const checked = checkHosts(list);
  return checked.ok ? undefined : hostsSentence(checked.error);
};
const root = (text: string) => {
  const parsed = parseApiRoot(text);
  return parsed.ok ? undefined : apiRootSentence(parsed.error);
};
const key = (text: string) => {
  const cleaned = cleanKey(text);
  return cleaned.ok ? undefined : keySentence(cleaned.error);
};

/** One plain sentence, one line, nothing that VS Code would make a link of. */
function assertPlainSentence(sentence: string): void {
  assert.match(sentence, /\.$/);
  assert.doesNotMatch(sentence, /\]\(|\n|\{\d\}|undefined/);
  assert.ok(sentence.length < 300, sentence);
}

describe('the sentence for a name', () => {
  it('names what is wrong with it', () => {
    assert.equal(internName('my-intern-2'), undefined);
    assert.match(internName('Intern')!, /“I” is a capital letter/);
    assert.match(internName('my intern')!, /A space cannot be in a name/);
    assert.match(internName('my_intern')!, /“_” cannot be in a name.*single hyphens/);
    assert.match(internName('1st')!, /starts with a lowercase letter/);
    assert.match(internName('a--b')!, /single hyphens only/);
    assert.match(internName('ab-')!, /end with a hyphen/);
    assert.match(internName('a')!, /at least 2/);
    assert.match(internName('a'.repeat(18))!, /18 characters, and at most 17/);
    assert.match(internName('a\u200bb')!, /U\+200B/);
    assert.match(secretName('api-key')!, /“-” cannot be in a name.*single underscores/);
    assert.match(secretName('api__key')!, /single underscores only/);
    assert.match(secretName('api_')!, /end with an underscore/);
  });

  it('is plain for anything that is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const sentence of [internName(text), secretName(text)])
          if (sentence !== undefined) assertPlainSentence(sentence);
      }),
    );
  });
});

describe('the sentence for hosts', () => {
  it('names the host and its problem', () => {
    assert.equal(hosts(['api.example.com']), undefined);
    assert.match(hosts([])!, /at least one host/);
    assert.match(
      hosts(['ok.example.com', 'https://a.example.com'])!,
      /“https:\/\/a\.example\.com”: leave out the scheme/,
    );
    assert.match(hosts(['*.example.com'])!, /wildcards/);
    assert.match(hosts(['a.example.com:443'])!, /leave out the port/);
    assert.match(hosts(['a.example.com/x'])!, /leave out the path/);
    assert.match(hosts(['user@example.com'])!, /leave out the user name/);
    assert.match(hosts(['fe80::1'])!, /IPv6 address/);
    assert.match(hosts(['a..example.com'])!, /is not a host name/);
    assert.match(
      hosts(Array.from({ length: 101 }, (_, i) => `h${i}.example.com`))!,
      /101 hosts, and at most 100/,
    );
  });

  it('is plain and short for anything that is typed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 })), (list) => {
        const sentence = hosts(list);
        if (sentence !== undefined) assertPlainSentence(sentence);
      }),
    );
  });
});

describe('the sentence for a key or a value', () => {
  it('says what is wrong and repeats nothing of it', () => {
    assert.match(key(' ')!, /Paste the API key/);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 24 }), (text) => {
        const sentence = key(text);
        if (sentence === undefined) return;
        assertPlainSentence(sentence);
        assert.ok(!sentence.includes(text.trim()) || text.trim() === '');
      }),
    );
    assert.match(lengthSentence(checkSecretValue('')!), /may not be empty/);
    assert.match(
      lengthSentence(checkSecretValue('x'.repeat(65_537))!),
      /65,537 characters, and at most 65,536/,
    );
  });
});

describe('the sentence for an API root', () => {
  it('says which part cannot be', () => {
    assert.match(root('')!, /Enter the API root/);
    assert.match(root('interns.example.com')!, /starts with https/);
    assert.match(root('http://interns.example.com')!, /Plain http/);
    assert.match(root('https://a:b@interns.example.com')!, /user name/);
    assert.match(root('https://interns.example.com?x')!, /query/);
    assert.match(root('https://interns.example.com#x')!, /fragment/);
    assert.match(root('https://')!, /not a web address/);
  });
});

describe('the sentence for an intern id or a header', () => {
  it('says what is wrong', () => {
    assert.match(internIdSentence(checkInternId('')!), /Enter the id/);
    assert.match(internIdSentence(checkInternId('a b')!), /space/);
    assert.match(internIdSentence(checkInternId('..')!), /cannot be the id/);
    assert.match(
      headerNameSentence('reserved', 'Authorization'),
      /“Authorization”, names a header with another purpose/,
    );
    assert.match(headerNameSentence('not-a-token', 'a b'), /“a b”, is not the name of a header/);
  });
});
