import assert from 'node:assert/strict';
import { PERMISSION_OPTIONS } from '../../../../src/api/index.ts';
import { mayAllow, permissionChoices } from '../../../../src/conversation/questions/permission.ts';

const choices = (...options: string[]) =>
  permissionChoices({ kind: 'permission', operation: 'shell', options });

describe('permissionChoices', () => {
  it('a permission keeps the fixed order of options, whatever order was offered', () => {
    const ordered = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'cancel'];
    assert.deepEqual(choices(...PERMISSION_OPTIONS.toReversed()), ordered);
  });

  it('a permission offers only the options that the intern offered, and to cancel', () => {
    assert.deepEqual(choices('reject_once'), ['reject_once', 'cancel']);
    assert.deepEqual(choices(), ['cancel']);
  });

  it('a permission puts each unknown option once after the known ones', () => {
    const offered = choices('Allow ONCE ', 'allow_once', 'cancel', 'allow_once', 'Allow ONCE ');
    assert.deepEqual(offered, ['allow_once', 'Allow ONCE ', 'cancel']);
  });
});

describe('mayAllow', () => {
  it('a permission treats an unknown option as one that allows the operation', () => {
    const offered = choices(...PERMISSION_OPTIONS, 'other');
    assert.deepEqual(offered.filter(mayAllow), ['allow_once', 'allow_always', 'other']);
  });
});
