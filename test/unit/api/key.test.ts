import assert from 'node:assert/strict';
import { parseKey } from '../../../src/api/key.ts';

const KEY = 'test-key_1.a=';

describe('parseKey', () => {
  it('parseKey removes what is often pasted with a key', () => {
    for (const pasted of [
      ...[KEY, `  ${KEY}\r\n`, `"${KEY}"`, `'${KEY}'`, `\`${KEY}\``, ` " ${KEY} " `],
      ...[`Bearer ${KEY}`, `bearer\t${KEY}`, `"Bearer ${KEY}"`, `Bearer "${KEY}"`],
      ...[`Authorization: Bearer ${KEY}`, `authorization:Bearer ${KEY}`],
      ...[`\ufeff${KEY}\u200b`, `\u2060Bearer\u200d ${KEY}`],
    ])
      assert.deepEqual(parseKey(pasted), { ok: true, value: KEY }, JSON.stringify(pasted));
  });

  it('parseKey keeps a key that only looks like a removed part', () => {
    const keys = `bearer-key forbearer authorization test-authorization:key "half half' "mixed' a"b" "a"b`;
    for (const key of keys.split(' ')) assert.deepEqual(parseKey(key), { ok: true, value: key });
  });

  for (const [problem, texts] of [
    ['empty', ['', ' \n', '""', 'Bearer', 'Bearer ', '"Bearer "', '\u200b']],
    ['white-space', ['two keys', `a\n${KEY}`, `${KEY} # mine`, '"a b"']],
    ['character', ['kéy', 'key\u0000', 'key\u007f', 'ключ', '••••']],
  ] as const)
    it(`parseKey refuses a pasted text as a key: ${problem}`, () => {
      for (const text of texts)
        assert.deepEqual(parseKey(text), { ok: false, error: problem }, JSON.stringify(text));
    });
});
