import assert from 'node:assert/strict';
import { isSecretField } from '../../../src/api/secretField.ts';

describe('isSecretField', () => {
  const isSecret = (name: string, type = 'string', mayBeMany = true) =>
    isSecretField({ name, type }, mayBeMany);

  for (const type of ['password', 'PASSWORD', 'secret', 'passphrase', 'x-secret-text'])
    it(`isSecretField recognizes the type ${type}`, () =>
      assert.equal(isSecret('note', type), true));

  const names = `password userPassword API_KEY apiKey accessTOKEN api-keys HTTPToken pin PIN otp totp
    code pincode otpCode OTPCode one_time_code card_PIN dbPwd a1Secret2 clientSecret auth-token
    passphrase recovery_passphrases tokens backup_codes credentials`;
  for (const name of names.split(/\s+/))
    it(`isSecretField recognizes the name ${name}`, () => assert.equal(isSecret(name), true));

  const open =
    'spin codec codecs pinned keyboard tokenizer name secretary passwordless access codename';
  for (const name of ['', ...open.split(' ')])
    it(`isSecretField treats a field named ${JSON.stringify(name)} as no secret`, () =>
      assert.equal(isSecret(name), false));

  it('isSecretField ignores plural words for a single value', () => {
    assert.equal(isSecret('max_tokens', 'integer', false), false);
    assert.equal(isSecret('max_token', 'integer', false), true);
  });
});
