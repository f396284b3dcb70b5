import assert from 'node:assert/strict';
import { isSecretField } from '../../../src/api/secretField.ts';

describe('a field of a question', () => {
  const isSecret = (name: string, type = 'string', mayBeMany = true) =>
    isSecretField({ name, type }, mayBeMany);

  for (const type of ['password', 'PASSWORD', 'secret', 'passphrase', 'x-secret-text'])
    it(`is masked whatever its name where its type is ${type}`, () =>
      assert.equal(isSecret('note', type), true));

  for (const name of [
    ...['password', 'userPassword', 'API_KEY', 'apiKey', 'accessTOKEN', 'api-keys', 'HTTPToken'],
    ...[
      'pin',
      'PIN',
      'otp',
      'totp',
      'code',
      'pincode',
      'otpCode',
      'dbPwd',
      'a1Secret2',
      'credentials',
    ],
  ])
    it(`is masked where its name is ${name}`, () => assert.equal(isSecret(name), true));

  for (const name of ['spin', 'codec', 'pinned', 'keyboard', 'tokenizer', 'name', 'codecs', ''])
    it(`is shown where its name is ${JSON.stringify(name)}`, () =>
      assert.equal(isSecret(name), false));

  it('that holds one value is not masked for a word that means several', () => {
    assert.equal(isSecret('max_tokens', 'integer', false), false);
    assert.equal(isSecret('max_token', 'integer', false), true);
  });
});
