import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import * as v from 'valibot';
import { errorCode } from './files.ts';

/** Fields of `/proc/PID/stat` after the name of the program, which may hold spaces and brackets: the first is field 3. */
const START_FIELD = 22 - 3;

/** Names a window in a file that others read, so that they can tell whether it still lives. */
export const windowMark = v.object({
  /** An id that no other window has. */
  window: v.string(),
  /** The process of its extension host. */
  pid: v.number(),
  /** Epoch ms. */
  at: v.number(),
  /** What tells the process from a later one with its number, where the system says it. */
  born: v.optional(v.string()),
});

export type WindowMark = v.InferOutput<typeof windowMark>;

/** The mark of this window, by its id. */
export async function markOf(window: string): Promise<WindowMark> {
  const { pid } = process;
  return { window, pid, at: Date.now(), born: await birthOf(pid) };
}

/** Whether a window's process still runs, and not only another one that has its number today. */
export async function isAlive({ pid, at, born }: WindowMark): Promise<boolean> {
  if (at < Date.now() - uptime() * 1000 || !isRunning(pid)) return false;
  const birth = await birthOf(pid);
  if (born !== undefined && birth !== undefined) return born === birth;
  return pid !== process.pid || at >= performance.timeOrigin;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return errorCode(failure) === 'EPERM';
  }
}

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
