import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  createProcessMark,
  isAlive,
  processStartTime,
  startTicks,
} from '../../../../src/platform/storage/processMark.ts';
import { eventually } from '../../../harness/until.ts';

describe('processStartTime', () => {
  it('processStartTime returns a stable time only for a living process, and only on Linux', async () => {
    const born = await processStartTime(process.pid);
    assert.equal(typeof born, process.platform === 'linux' ? 'string' : 'undefined');
    assert.equal(await processStartTime(process.pid), born);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    assert.equal(await processStartTime(pid), undefined);
  });

  it('startTicks reads the line of a process whose name looks like fields', () => {
    const after = ['S', ...Array.from({ length: 18 }, (_, index) => `${index}`), '4242', '0', '0'];
    assert.equal(startTicks(`7 (a) S 1 (b c)) ${after.join(' ')}\n`), '4242');
    assert.equal(startTicks(''), undefined);
  });

  if (process.platform === 'linux')
    it('a process that has ended counts as dead before its parent has noticed', async () => {
      // A shell becomes `sleep`, which waits for no child.
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pid = Number(String(((await once(parent.stdout, 'data')) as [Buffer])[0]));
      await eventually(
        async () => (await readFile(`/proc/${parent.pid}/comm`, 'utf8')) === 'sleep\n',
      );
      const mark = {
        ...(await createProcessMark('other')),
        pid,
        born: await processStartTime(pid),
      };
      assert.equal(await isAlive(mark), true);
      process.kill(pid, 'SIGKILL');
      await eventually(async () => !(await isAlive(mark)));
      assert.equal(process.kill(pid, 0), true);
      parent.kill('SIGKILL');
    });
});
