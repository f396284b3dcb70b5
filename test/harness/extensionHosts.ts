import { runQuietly } from './processes.ts';
import type { VSCodeServer } from './codeServer.ts';

/** Returns the process ids of a server's extension hosts, oldest first: one for each window. */
export async function extensionHosts({ process }: VSCodeServer): Promise<readonly number[]> {
  const table = (await runQuietly('ps', ['-axo', 'pid=,ppid=,args=']))
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args }));
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return table
    .filter(({ pid, args }) => args?.includes('--type=extensionHost') && isOurs(pid))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}
