import { uptime } from 'node:os';
import * as v from 'valibot';
import { errorCode } from './files.ts';
import { birthOf } from './processBirth.ts';

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
