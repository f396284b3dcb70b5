import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/api/redact.ts';

const WITHHELD = '(withheld: it repeats what was sent)';

/** Checks which sentences a redactor withholds; it must leave every other one as it is. */
function assertWithholds(
  redact: ReturnType<typeof createRedactor>,
  rows: Readonly<Record<string, boolean>>,
): void {
  for (const [sentence, isWithheld] of Object.entries(rows))
    assert.equal(redact(sentence), isWithheld ? WITHHELD : sentence);
}

describe('redactor', () => {
  it('the redactor keeps a sentence that repeats nothing', () => {
    assert.equal(createRedactor({ values: [] })('Fine'), 'Fine');
    assertWithholds(createRedactor({ keys: ['test-key-owner'], values: ['grace hopper'] }), {
      'Not a key: test-key': false,
      'Not a name: grace': false,
      'Not a name: opper': false,
    });
  });

  it('the redactor withholds a sentence that repeats a whole key', () => {
    assertWithholds(createRedactor({ keys: ['test-key-owner'], values: [] }), {
      'Bad key test-key-owner!': true,
      'The key test-key-own… has expired': false,
    });
  });

  it('the redactor withholds a sentence that repeats a value, plain or in JSON', () => {
    assertWithholds(createRedactor({ values: ['a"é12é"a'] }), {
      'Bad value a"é12é"a': true,
      'Bad value "a\\"é12é\\"a"': true,
      'Bad value "a\\"\\u00e912\\u00e9\\"a"': true,
      'Bad body {\\"x\\":\\"a\\\\\\"é12é\\\\\\"a\\"}': true,
      'Bad body {\\"x\\":\\"a\\\\\\"\\\\u00e912\\\\u00e9\\\\\\"a\\"}': true,
      'Bad value …2\\u00e9\\"a': true,
      'Bad value é12é': false,
    });
  });

  it('the redactor withholds a sentence that repeats a value in ASCII-only JSON', () => {
    assertWithholds(createRedactor({ values: ['\u007f\u007f12\u007f\u007f'] }), {
      'Bad value \\u007f\\u007f12\\u007f\\u007f': true,
    });
  });

  it('the redactor withholds a sentence that repeats six characters at an end of a value', () => {
    assertWithholds(createRedactor({ values: ['postgres://db'] }), {
      'Not a URL: postgr…': true,
      'Not a URL: postg…': false,
      'Not a URL: ostgr…': false,
      'Not a URL: …s://db': true,
      'Not a URL: …://db': false,
      'Not a URL: stgres://': false,
    });
    assertWithholds(createRedactor({ values: ['exactly six: ', 'sixsix'] }), {
      sixsix: true,
      sixsi: false,
    });
  });

  it('the redactor withholds a short value only as a whole', () => {
    assertWithholds(createRedactor({ values: ['', '48213'] }), {
      'not 4821': false,
      'not 48213': true,
    });
  });

  it('the redactor keeps a name that contains a value', () => {
    assertWithholds(createRedactor({ values: ['api'], names: ['api_key', 'api.example.com'] }), {
      'api_key cannot go to api.example.com': false,
      'api_key cannot go to api.example.com: api': true,
    });
    assertWithholds(createRedactor({ values: ['token-1'], names: ['token'] }), {
      'not token-1': true,
    });
  });

  it('the redactor keeps a name that begins or ends a value', () => {
    const names = ['stripe_key', 'hooks.example'];
    assertWithholds(createRedactor({ values: ['stripe_key_live@hooks.example'], names }), {
      'stripe_key cannot go to hooks.example': false,
      'stripe_key is not stripe_key_…': true,
      'hooks.example is not …@hooks.example': true,
    });
    assertWithholds(createRedactor({ values: ['stripe_key'], names: ['a stripe_key'] }), {
      'a stripe_key is bad': false,
      'stripe_key is bad': true,
    });
  });

  it('the redactor truncates a sentence to 2,000 characters after checking all of it', () => {
    assert.equal(createRedactor({ values: [] })('x'.repeat(2_001)).length, 2_000);
    const redact = createRedactor({ values: ['placeholder'] });
    assert.equal(redact(`${'x'.repeat(1_998)}placeholder`), WITHHELD);
  });
});
