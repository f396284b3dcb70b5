import assert from 'node:assert/strict';
import { storeCreate } from '../../../src/api/requests.ts';

const DRAFT = { name: 'ada', description: null, instructions: null, provision: false };

describe('api create: the bytes that are stored', () => {
  // Rules 10.10, 10.11, 14.7, 14.9, 14.13
  it('writes the same characters for the same draft, fields in a fixed order', () => {
    const draft = { ...DRAFT, provision: true, instructions: 'Be "kind".\n', description: 'é' };
    const expected =
      '{"name":"ada","description":"é","instructions":"Be \\"kind\\".\\n","provision":true}';
    assert.equal(storeCreate(draft, null).body, expected);
    assert.equal(storeCreate({ ...draft }, null).body, expected);
  });

  it('leaves out what was left empty', () => {
    const bare = '{"name":"ada","provision":false}';
    assert.equal(storeCreate(DRAFT, null).body, bare);
    assert.equal(storeCreate({ ...DRAFT, description: '', instructions: '' }, null).body, bare);
  });

  it('keeps the header with its name and value, or none', () => {
    assert.equal(storeCreate(DRAFT, null).idempotency, null);
    const key = { headerName: 'Idempotency-Key', uuid: '6f1c…' };
    assert.deepEqual(storeCreate(DRAFT, key).idempotency, {
      name: 'Idempotency-Key',
      value: '6f1c…',
    });
  });
});
