import assert from 'node:assert/strict';
import promises, { open, readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

// Not in ownerFile.test.ts, whose tests also run with other modules of Node.
describe('OwnerFile on a full disk', () => {
  const folder = useTemporaryFolder();

  beforeEach(() => {
    mock.method(promises, 'writeFile', async (path: string) => {
      await (await open(path, 'wx')).close();
      throw Object.assign(new Error('Full'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
  });

  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  it('a full disk leaves no owner file that blocks the conversation', async () => {
    const owner = new OwnerFile(folder.path, 'c1', { window: 'here', log: new RecordingLog() });
    assert.equal(await owner.take(), true);
    assert.equal(await owner.isElsewhere(), false);
    assert.equal(await owner.take(), true);
    assert.deepEqual(await readdir(folder.path), []);
  });
});
