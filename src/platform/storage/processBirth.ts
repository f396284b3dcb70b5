import { readFile } from 'node:fs/promises';

/** Fields of `/proc/PID/stat` after the name of the program, which may hold spaces and brackets: the first is field 3. */
const START_FIELD = 22 - 3;

/**
 * What tells a process from every later one with its number: which boot of the machine it was born in, and how many
 * ticks after that. Undefined where there is no such process, and where the system does not say (only Linux does).
 *
 * Numbers come again soon in a container that is started anew: there they begin at 1, while the machine runs on.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const ticks = startTicks(stat);
    return ticks === undefined ? undefined : `${boot.trim()} ${ticks}`;
  } catch {
    return undefined;
  }
}

/** When a process started, in ticks since the machine did, from the text of its `/proc/PID/stat`. */
export function startTicks(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 1).trim();
  return fields.split(' ')[START_FIELD];
}
