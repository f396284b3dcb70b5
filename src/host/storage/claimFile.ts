import { stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { errorCode, makeFolder, PRIVATE_FILE, readText, removeFile } from './files.ts';
import { birthOf } from './processBirth.ts';

/** How long a claim may be on disk without its owner's name in it: it is made first and written then. */
const WRITING_MS = 5_000;

const ownerSchema = v.object({
  window: v.string(),
  pid: v.number(),
  at: v.number(),
  born: v.optional(v.string()),
});

/** Who holds a claim: a window, by its id and the process of its extension host. */
export interface ClaimOwner {
  /** An id that no other window has. */
  readonly window: string;
  readonly pid: number;
  /** When it was claimed, epoch ms. */
  readonly at: number;
  /** What tells its process from a later one with the same number; found out where it is left out. */
  readonly born?: string | undefined;
}

/** A claim that this window holds. */
export interface Claim {
  /** Lets others claim it. Does nothing where the file is gone already. */
  release(): Promise<void>;
}

/** Who has a claim that another window made. */
export interface HeldClaim {
  /** Undefined where the file does not tell. */
  readonly owner: ClaimOwner | undefined;
  /** Whether the window that made it still runs. */
  readonly alive: boolean;
}

/** What became of an attempt to claim. */
export type ClaimResult =
  { readonly kind: 'claimed'; readonly claim: Claim } | ({ readonly kind: 'taken' } & HeldClaim);

/**
 * Claims something for one window by creating a file that only one can create.
 *
 * A claim is never taken over, even from a window that is gone: what that window did last is not known.
 *
 * @param path Absolute path of the claim's file; its folder is made.
 * @throws The system's error where the file can neither be created nor is there.
 */
export async function claimFile(path: string, owner: ClaimOwner): Promise<ClaimResult> {
  await makeFolder(dirname(path));
  try {
    const text = JSON.stringify({ born: await birthOf(owner.pid), ...owner });
    await writeFile(path, text, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (failure) {
    if (errorCode(failure) !== 'EEXIST') throw failure;
    const held = await readClaim(path, owner.at);
    return { kind: 'taken', ...(held ?? { owner: undefined, alive: true }) };
  }
  return {
    kind: 'claimed',
    claim: {
      release: async () => {
        await removeFile(path);
      },
    },
  };
}

/** Who holds a claim; undefined where nobody does. `now` is epoch ms. */
export async function readClaim(path: string, now = Date.now()): Promise<HeldClaim | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const owner = parseOwner(text);
  if (owner !== undefined) return { owner, alive: await isAlive(owner, now) };
  const age = await ageOf(path, now);
  return age === undefined ? undefined : { owner, alive: age < WRITING_MS };
}

function parseOwner(text: string): ClaimOwner | undefined {
  try {
    const result = v.safeParse(ownerSchema, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process that claimed still runs, and not only another one that has its number today. */
async function isAlive({ pid, at, born }: ClaimOwner, now: number): Promise<boolean> {
  if (at < now - uptime() * 1000 || !isRunning(pid)) return false;
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

/** Milliseconds since a file was written; undefined where it is gone. */
async function ageOf(path: string, now: number): Promise<number | undefined> {
  try {
    return now - (await stat(path)).mtimeMs;
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return undefined;
    throw failure;
  }
}
