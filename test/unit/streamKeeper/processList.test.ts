import assert from 'node:assert/strict';
import path from 'node:path';
import { KEEPER_ARGUMENT } from '../../../src/streamKeeper/keeperMessages.ts';
import {
  isKeeper,
  readCimInstances,
  readCmdline,
  readPs,
} from '../../../src/streamKeeper/processList.ts';

const extension = '/home/me/.vscode/extensions/intern-service.interns-0.4.0';

describe('the end of all stream keepers after an uninstallation', () => {
  it('the process list reads the arguments of a process on Linux', () => {
    assert.equal(
      readCmdline('/usr/bin/code\0/x/streamKeeper.cjs\0'),
      '/usr/bin/code /x/streamKeeper.cjs',
    );
  });

  it('the process list reads the processes of macOS', () => {
    const output =
      '    1 /sbin/launchd\n 4711 /Applications/Code Helper /x/dist/streamKeeper.cjs\n';
    assert.deepEqual(readPs(output), [
      { pid: 1, command: '/sbin/launchd' },
      { pid: 4711, command: '/Applications/Code Helper /x/dist/streamKeeper.cjs' },
    ]);
  });

  it('the process list reads one process, several and none on Windows', () => {
    const one = '{"ProcessId":7,"CommandLine":"Code.exe x"}';
    const seven = { pid: 7, command: 'Code.exe x' };
    assert.deepEqual(readCimInstances(one), [seven]);
    const other = '{"ProcessId":8,"CommandLine":null}';
    assert.deepEqual(readCimInstances(`[${one},${other}]\r\n`), [seven, { pid: 8, command: '' }]);
    assert.deepEqual(readCimInstances('\r\n'), []);
  });

  for (const folder of [
    extension,
    '/home/me/.vscode/extensions/intern-service.interns-0.3.1',
    '/home/me/.vscode/extensions/intern-service.interns-0.5.0-linux-x64',
  ]) {
    it(`the uninstaller ends a keeper of ${folder.split('/').at(-1)!}`, () => {
      const command = `/usr/share/code/code ${folder}/dist/streamKeeper.cjs ${KEEPER_ARGUMENT}`;
      assert.equal(isKeeper({ pid: 1, command }, extension), true);
    });
  }

  for (const command of [
    '/usr/share/code/code --type=renderer',
    `/usr/bin/vim ${extension}/dist/streamKeeper.cjs.map`,
    `/usr/share/code/code ${extension}/dist/streamKeeper.cjs`,
    `/usr/bin/tail -f ${extension}/dist/streamKeeper.cjs`,
    `/usr/bin/node /home/me/.vscode-insiders/extensions/intern-service.interns-0.4.0/dist/streamKeeper.cjs ${KEEPER_ARGUMENT}`,
    `/usr/bin/node /home/me/.vscode/extensions/intern-service.interns-tools-1.0.0/dist/streamKeeper.cjs ${KEEPER_ARGUMENT}`,
  ]) {
    it(`the uninstaller spares another process: ${command.slice(0, 50)}`, () => {
      assert.equal(isKeeper({ pid: 1, command }, extension), false);
    });
  }

  it('the uninstaller finds a keeper on Windows, where the arguments are quoted', () => {
    const folder = 'C:\\Users\\me\\.vscode\\extensions\\intern-service.interns-0.4.0';
    const command = `"C:\\Code\\Code.exe" "c${folder.slice(1)}\\dist\\streamKeeper.cjs" ${KEEPER_ARGUMENT}`;
    const parts = path.win32;
    assert.equal(isKeeper({ pid: 1, command }, folder, parts), true);
  });
});
