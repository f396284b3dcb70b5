import { open, writeFile } from 'node:fs/promises';
import { NEVER_SENT } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { encodeFrame, FILE_START, type Opening } from '../../streamKeeper/responseFrames.ts';
import { errorCode, PRIVATE_FILE_MODE } from '../storage/files.ts';
import { isAlive, createProcessMark } from '../storage/processMark.ts';
import { fetchError } from './storedResponse.ts';

/** Interval of checks whether the process runs, in ms. */
const PROCESS_CHECK_INTERVAL_MS = 2_000;
/** Silence after which a keeper counts as dead, in ms. It writes a heartbeat every 15 s. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Longest time until a keeper has created its file with the first frame, in ms. */
const OPEN_TIMEOUT_MS = 2_000;
/** Maximum number of ms that count between two checks. The machine slept for the rest. */
const MAX_STEP_MS = 1_000;

/** Returns whether a keeper is gone, from its first frame and the number of bytes that were read. */
type CheckLost = (opening: Opening | undefined, offset: number) => Promise<boolean>;

/**
 * Returns a check whether a keeper that another window started is gone. It must be called repeatedly while no frame comes.
 * If there is no file, it creates the file, so that no keeper does, and throws an Error with the code {@link NEVER_SENT}.
 */
export function watchForeignKeeper(path: string, clock: Clock, window: string): CheckLost {
  let checkedAt = clock.monotonic();
  let lastOffset = 0;
  let quietMs = 0;
  let untilCheckMs = 0;
  return async (opening, offset) => {
    const now = clock.monotonic();
    const step = Math.min(now - checkedAt, MAX_STEP_MS);
    checkedAt = now;
    quietMs = offset === lastOffset ? quietMs + step : 0;
    lastOffset = offset;
    untilCheckMs -= step;
    if (opening === undefined) {
      if (quietMs <= OPEN_TIMEOUT_MS) return false;
      if (await reserveResponse(path, window)) throw fetchError(NEVER_SENT);
      // There is a file without a first frame.
      return true;
    }
    // If only the process ID is known, another process may have it now.
    if (opening.keeper.born === undefined && quietMs > SILENCE_TIMEOUT_MS) return true;
    if (untilCheckMs > 0) return false;
    untilCheckMs = PROCESS_CHECK_INTERVAL_MS;
    return !(await isAlive(opening.keeper));
  };
}

/** Creates the file of a response, so that no keeper sends its request anymore. @returns false if it exists */
export async function reserveResponse(path: string, window: string): Promise<boolean> {
  const at = Date.now();
  try {
    const opened = encodeFrame({ type: 'opened', at, keeper: await createProcessMark(window) });
    const end = encodeFrame({ type: 'end', at, outcome: 'failed', code: NEVER_SENT });
    const options = { flag: 'wx', mode: PRIVATE_FILE_MODE };
    await writeFile(path, Buffer.concat([FILE_START, opened, end]), options);
  } catch (failure) {
    if (errorCode(failure) === 'EEXIST') return false;
    // No keeper can create it either, or it exists and is empty.
  }
  return true;
}

/** Returns whether a response file has a version, and another one than this window's. @throws the system's error */
export async function hasOtherVersion(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FILE_START.length));
    const isWhole = bytesRead === FILE_START.length;
    const isResponse = isWhole && buffer.subarray(0, -1).equals(FILE_START.subarray(0, -1));
    return isResponse && !buffer.equals(FILE_START);
  } finally {
    await file.close();
  }
}
