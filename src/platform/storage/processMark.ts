import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';
import { errorCode, fileNamesIn, readText } from './files.ts';

/** Indexes among the fields of `/proc/PID/stat` after the program name, the first of which is field 3. */
const STATE_INDEX = 3 - 3;
const START_TIME_INDEX = 22 - 3;

/** State of a process that has ended, and whose parent has not noticed. Some containers have no parent that does. */
const ZOMBIE = 'Z';

/** Identifies a process of a window in a file, so that other windows can check whether it still runs. */
export const processMarkSchema = v.object({
  window: v.string(),
  pid: v.number(),
  /** Epoch ms. */
  at: v.number(),
  /** Result of {@link processStartTime}. */
  born: v.optional(v.string()),
});

type ProcessMark = v.InferOutput<typeof processMarkSchema>;

export async function createProcessMark(window: string): Promise<ProcessMark> {
  const { pid } = process;
  return { window, pid, at: Date.now(), born: await processStartTime(pid) };
}

/** Reads the mark in a file; undefined if there is none. @throws the system's error */
export async function readProcessMark(path: string): Promise<ProcessMark | undefined> {
  const text = (await readText(path)) ?? '';
  const { success, output } = v.safeParse(processMarkSchema, parseJson(text));
  return success ? output : undefined;
}

/** Returns whether any process with a mark in a folder still runs. */
export async function isAnyAlive(folder: string): Promise<boolean> {
  for (const name of await fileNamesIn(folder)) {
    const mark = await readProcessMark(join(folder, name));
    if (mark !== undefined && (await isAlive(mark))) return true;
  }
  return false;
}

/** Returns whether a process still runs. A later process with the same ID does not count. */
export async function isAlive({ pid, at, born }: ProcessMark): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const birth = await processStartTime(pid);
  // The start time names the boot of the machine, so a clock that was set does not matter.
  if (born !== undefined && birth !== undefined) return born === birth;
  if (at < Date.now() - uptime() * 1000) return false;
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
 * Returns the ID of the machine's boot and the ticks from then to the start of a process, which identify the process: a
 * container that restarts gives out process IDs from 1 again. Undefined if there is no such process, or not on Linux.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
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

/** Returns the start of a process in ticks since boot, from its `/proc/PID/stat`; {@link ZOMBIE} if it has ended. */
export function startTicks(stat: string): string | undefined {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  return fields[STATE_INDEX] === ZOMBIE ? ZOMBIE : fields[START_TIME_INDEX];
}
