import assert from 'node:assert/strict';
import { cleanKey } from '../../../src/api/key.ts';

const KEY = 'test-key_1.a=';

describe('cleanKey', () => {
  it('removes what is often pasted with a key', () => {
    for (const pasted of [
      ...[KEY, `  ${KEY}\r\n`, `"${KEY}"`, `'${KEY}'`, `\`${KEY}\``, ` " ${KEY} " `],
      ...[`Bearer ${KEY}`, `bearer\t${KEY}`, `"Bearer ${KEY}"`, `Bearer "${KEY}"`],
      ...[`Authorization: Bearer ${KEY}`, `authorization:Bearer ${KEY}`],
      ...[`\ufeff${KEY}\u200b`, `\u2060Bearer\u200d ${KEY}`],
    ]) {
      assert.deepEqual(cleanKey(pasted), { ok: true, value: KEY }, JSON.stringify(pasted));
    }
  });

  it('keeps a key that only looks like a removed part', () => {
    const keys = `bearer-key forbearer authorization test-authorization:key "half half' "mixed' a"b" "a"b`;
    for (const key of keys.split(' ')) assert.deepEqual(cleanKey(key), { ok: true, value: key });
  });

  it('refuses a pasted text without a key', () => {
    for (const pasted of ['', ' \n', '""', 'Bearer', 'Bearer ', '"Bearer "', '\u200b']) {
      assert.deepEqual(cleanKey(pasted), { ok: false, error: 'empty' }, JSON.stringify(pasted));
    }
  });

  it('refuses a key with white space in the middle', () => {
    for (const pasted of ['two keys', `a\n${KEY}`, `${KEY} # mine`, '"a b"']) {
      assert.deepEqual(cleanKey(pasted), { ok: false, error: 'white-space' });
    }
  });

  it('refuses a key with characters that a header cannot carry', () => {
    for (const pasted of ['kéy', 'key\u0000', 'key\u007f', 'ключ', '••••']) {
      assert.deepEqual(cleanKey(pasted), { ok: false, error: 'character' });
    }
  });
});
