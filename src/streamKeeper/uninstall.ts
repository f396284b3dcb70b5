/** Ends all keepers of this extension. VS Code runs this script with its own Node after the extension was uninstalled. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  isKeeper,
  readCimInstances,
  readCmdline,
  readPs,
  type RunningProcess,
} from './processList.ts';

const run = promisify(execFile);

/** Enough for the command lines of all processes. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

/** Lists keepers in UTF-8, since the code page of a console would garble paths. */
const LIST_KEEPERS =
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8; ' +
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
      return readCimInstances(await outputOf(powerShell(), options));
    }
    default:
      return readPs(await outputOf('ps', ['-axww', '-o', 'pid=,command=']));
  }
}

async function outputOf(file: string, args: readonly string[]): Promise<string> {
  return (await run(file, args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}

/** Returns a whole path, since Windows looks for a bare name in the current folder first. */
function powerShell(): string {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  return join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
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
