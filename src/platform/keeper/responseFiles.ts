import { open } from 'node:fs/promises';
import { NEVER_SENT } from '../../api/index.ts';
import {
  encodeFrame,
  FILE_START,
  UnreadableResponse,
  type Opening,
} from '../../streamKeeper/frames.ts';
import { errorCode, PRIVATE_FILE_MODE } from '../storage/files.ts';
import { isAlive, createWindowMark } from '../storage/windowMark.ts';
import { FrameReader } from './frameReader.ts';

/** Returns who writes a response file; undefined if there is no such file, or if it cannot be read. */
export async function readOpening(path: string): Promise<Opening | undefined> {
  return (await readState(path)).opening;
}

/** Returns whether a response is still being written. */
export async function isResponseAlive(path: string): Promise<boolean> {
  const { opening, hasEnded } = await readState(path);
  return opening !== undefined && !hasEnded && (await isAlive(opening.keeper));
}

/**
 * Creates the file of a response that no keeper has created, so that none sends its request any more.
 *
 * @returns false if the file exists
 */
export async function reserveResponse(path: string, window: string): Promise<boolean> {
  const at = Date.now();
  try {
    const file = await open(path, 'wx', PRIVATE_FILE_MODE);
    try {
      const opened = encodeFrame({ type: 'opened', at, keeper: await createWindowMark(window) });
      const end = encodeFrame({ type: 'end', at, outcome: 'failed', code: NEVER_SENT });
      await file.writeFile(Buffer.concat([FILE_START, opened, end]));
    } finally {
      await file.close();
    }
  } catch (failure) {
    if (errorCode(failure) === 'EEXIST') return false;
    // No keeper can create it either, or it exists and is empty.
  }
  return true;
}

async function readState(
  path: string,
): Promise<{ readonly opening: Opening | undefined; readonly hasEnded: boolean }> {
  const reader = new FrameReader(path);
  let opening: Opening | undefined;
  let hasEnded = false;
  try {
    for (let frame = await reader.next(); frame !== undefined; frame = await reader.next()) {
      if (frame.type === 'opened') opening = { keeper: frame.keeper };
      hasEnded ||= frame.type === 'end';
    }
  } catch (failure) {
    if (!(failure instanceof UnreadableResponse)) throw failure;
  } finally {
    await reader.close();
  }
  return { opening, hasEnded };
}
