import { runQuietly } from './processes.ts';
import { until } from './until.ts';
import type { VSCodeServer } from './codeServer.ts';

/**
 * Returns the process IDs of a server's extension hosts, the oldest first. There is one for each window, and one for a
 * closed window until the server gives up waiting for it.
 */
export async function extensionHosts({ process }: VSCodeServer): Promise<readonly number[]> {
  const lines = (
    await runQuietly('ps', ['-axo', 'pid=,ppid=,lstart=,args='], { env: { LC_ALL: 'C' } })
  ).split('\n');
  const table = lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\w+ \w+ +\d+ [\d:]+ \d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, started, args]) => ({
      pid: Number(pid),
      parent: Number(parent),
      startedAt: Date.parse(started!),
      args: args!,
    }));
  const processes = new Map(table.map((listed) => [listed.pid, listed]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(processes.get(pid)?.parent));
  const isHost = (pid: number) =>
    processes.get(pid)?.args.includes('--type=extensionHost') ?? false;
  return (
    table
      // A program that a host just started has the host's arguments for a moment.
      .filter(({ pid, parent }) => isHost(pid) && !isHost(parent) && isOurs(pid))
      // IDs don't tell the order: the system starts over with low ones when it has used the highest.
      .sort((a, b) => a.startedAt - b.startedAt)
      .map(({ pid }) => pid)
  );
}

/** Kills the extension host that started last, and waits until it has ended. */
export async function killNewestHost(server: VSCodeServer): Promise<void> {
  const host = (await extensionHosts(server)).at(-1)!;
  process.kill(host, 'SIGKILL');
  await until(
    'the extension host to end',
    async () => !(await extensionHosts(server)).includes(host),
  );
}
