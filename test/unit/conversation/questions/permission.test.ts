import assert from 'node:assert/strict';
import { allowedBy, unclearId } from '../../../../src/conversation/questions/allowed.ts';
import { mayAllow, permissionChoices } from '../../../../src/conversation/questions/permission.ts';
import { permission, START } from './fakes.ts';

const choices = (...options: string[]) =>
  permissionChoices({ kind: 'permission', operation: 'shell', options });

describe('permissionChoices', () => {
  it('keeps the fixed order, whatever order was offered', () => {
    assert.deepEqual(choices('reject_always', 'allow_always', 'reject_once', 'allow_once'), [
      'allow_once',
      'allow_always',
      'reject_once',
      'reject_always',
      'cancel',
    ]);
  });

  it('offers nothing that the intern did not, but to cancel', () => {
    assert.deepEqual(choices('reject_once'), ['reject_once', 'cancel']);
    assert.deepEqual(choices(), ['cancel']);
  });

  it('puts unknown kinds after the known ones, verbatim, and each kind once', () => {
    assert.deepEqual(choices('Allow ONCE ', 'allow_once', 'cancel', 'allow_once', 'Allow ONCE '), [
      'allow_once',
      'Allow ONCE ',
      'cancel',
    ]);
  });
});

describe('mayAllow', () => {
  it('takes an answer that it does not know for one that lets the operation run', () => {
    const offered = choices('allow_once', 'allow_always', 'reject_once', 'reject_always', 'other');
    assert.deepEqual(offered.filter(mayAllow), ['allow_once', 'allow_always', 'other']);
  });
});

describe('allowedBy', () => {
  it('records what was allowed always, one record for each intern and operation', () => {
    const first = allowedBy(permission('a'), 'allow_always', START);
    const again = allowedBy(permission('b'), 'allow_always', START + 1);
    assert.equal(first?.operation, 'shell');
    assert.equal(first.id, again?.id);
    assert.equal(again?.allowedAt, START + 1);
  });

  it('keeps a record of its own for each answer that may have been received', () => {
    const certain = allowedBy(permission('a'), 'allow_always', START);
    const first = allowedBy(permission('a'), 'allow_always', START, true);
    const second = allowedBy(permission('b'), 'allow_always', START, true);
    assert.equal(new Set([certain?.id, first?.id, second?.id]).size, 3);
    assert.deepEqual([certain?.isUnclear, first?.isUnclear], [undefined, true]);
    assert.equal(first?.id, unclearId('a'));
  });

  it('records nothing for another answer', () => {
    for (const how of ['allow_once', 'reject_always', 'cancel'])
      assert.equal(allowedBy(permission('a'), how, START), undefined, how);
  });
});
