/** Ends all keepers of this extension. VS Code runs it after the extension was uninstalled, with its own Node. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import {
  isKeeper,
  readCimInstances,
  readCmdline,
  readPs,
  type RunningProcess,
} from './processList.ts';

const run = promisify(execFile);

const LIST_KEEPERS =
  'Get-CimInstance Win32_Process -Filter "CommandLine LIKE \'%streamKeeper.cjs%\'" | ' +
  'Select-Object ProcessId, CommandLine | ConvertTo-Json';

async function listProcesses(): Promise<readonly RunningProcess[]> {
  switch (process.platform) {
    case 'linux': {
      const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
      const commands = pids.map(async (pid) => {
        const cmdline = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        return { pid, command: readCmdline(cmdline) };
      });
      return Promise.all(commands);
    }
    case 'win32': {
      const options = ['-NoProfile', '-NonInteractive', '-Command', LIST_KEEPERS];
      return readCimInstances((await run('powershell.exe', options)).stdout);
    }
    default:
      return readPs((await run('ps', ['-axww', '-o', 'pid=,command='])).stdout);
  }
}

async function endKeepers(extension: string): Promise<void> {
  for (const each of await listProcesses()) {
    if (!isKeeper(each, extension)) continue;
    try {
      process.kill(each.pid, 'SIGTERM');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

void endKeepers(dirname(dirname(process.argv[1] ?? '')));
