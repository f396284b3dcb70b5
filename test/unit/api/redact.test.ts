import assert from 'node:assert/strict';
import { redactor } from '../../../src/api/redact.ts';

const WITHHELD = '(withheld: it repeats a secret)';

describe('api redaction', () => {
  it('lets a sentence through that repeats no secret', () => {
    assert.equal(redactor(['test-key-owner'])('Not a key: test-key'), 'Not a key: test-key');
    assert.equal(redactor(['test-key'])('est-key test-ke'), 'est-key test-ke');
  });

  it('withholds a sentence that repeats one, plain or as in JSON', () => {
    const redact = redactor(['test-key-owner', 'line\n"two"']);
    assert.equal(redact('Bad key test-key-owner!'), WITHHELD);
    assert.equal(redact('Bad value line\n"two"'), WITHHELD);
    assert.equal(redact('Bad value line\\n\\"two\\"'), WITHHELD);
  });

  it('never withholds a sentence for a name in it, though the secret is a part of that name', () => {
    const redact = redactor(['api'], ['api_key', 'api.example.com']);
    const sentence = 'api_key cannot go to api.example.com';
    assert.equal(redact(sentence), sentence);
    assert.equal(redact(`${sentence}: api`), WITHHELD);
    assert.equal(redactor(['token-1'], ['token'])('not token-1'), WITHHELD);
  });

  it('takes no empty secret for one that every sentence repeats', () => {
    assert.equal(redactor([''])('Fine'), 'Fine');
  });

  it('keeps at most 2,000 characters, after looking at all of them', () => {
    assert.equal(redactor([])('x'.repeat(2_001)).length, 2_000);
    assert.equal(redactor(['test-key'])(`${'x'.repeat(1_998)}test-key`), WITHHELD);
  });
});
