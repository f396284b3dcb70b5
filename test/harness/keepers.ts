import { readlink } from 'node:fs/promises';
import { runQuietly } from './processes.ts';
import type { VSCodeServer } from './codeServer.ts';

/** Returns the process IDs of the stream keepers that a server's windows started. Linux only. */
export async function keepersOf({ profile }: VSCodeServer): Promise<readonly number[]> {
  const table = await runQuietly('ps', ['-axo', 'pid=,args=']);
  const pids = table
    .split('\n')
    .filter((line) => line.includes('streamKeeper.cjs'))
    .map((line) => Number(/^\s*(\d+)/.exec(line)?.[1]));
  // A keeper works in the storage folder of its profile.
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  );
  return pids.filter((_, index) => folders[index]?.startsWith(profile));
}
