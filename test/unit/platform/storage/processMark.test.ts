import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { processStartTime, startTicks } from '../../../../src/platform/storage/processMark.ts';

describe('processStartTime', () => {
  it('processStartTime returns a stable time only for a living process', async function () {
    const born = await processStartTime(process.pid);
    if (born === undefined) this.skip();
    assert.equal(await processStartTime(process.pid), born);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    assert.equal(await processStartTime(pid), undefined);
  });

  it('startTicks reads the line of a process whose name looks like fields', () => {
    const after = ['S', ...Array.from({ length: 18 }, (_, index) => `${index}`), '4242', '0', '0'];
    assert.equal(startTicks(`7 (a) S 1 (b c)) ${after.join(' ')}\n`), '4242');
    assert.equal(startTicks(''), undefined);
  });
});
