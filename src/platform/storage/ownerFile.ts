import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Log } from '../log/log.ts';
import { errorCode, makeFolder, fileNamesIn, PRIVATE_FILE_MODE, removeFile } from './files.ts';
import { toFileName } from './layout.ts';
import { createProcessMark, isAlive, readProcessMark } from './processMark.ts';

/** How long a file may exist without its content, in ms: it is created first and written then. */
const MAX_WRITE_MS = 5_000;

interface Claim {
  readonly path: string;
  readonly number: number;
  /** Undefined if the file cannot be read. */
  readonly window: string | undefined;
  readonly isAlive: boolean;
}

interface OwnerFileOptions {
  readonly log: Pick<Log, 'warn'>;
  /** ID of this window. */
  readonly window: string;
}

/**
 * A lock that one window holds: the living one named in `ID.run`, `ID.1.run`, `ID.2.run`…
 *
 * Only one window can create each of these files. The file of a dead window cannot be replaced atomically, so the next
 * owner creates the next number and then reads all again: of two windows that created different numbers at once, at
 * least one sees the other and gives up. The new owner removes the files of dead windows.
 */
export class OwnerFile {
  readonly #path: string;
  readonly #options: OwnerFileOptions;
  #held: string | undefined;
  readonly #inOrder = pLimit(1);

  /** @param folder Absolute path; created if needed. */
  constructor(folder: string, id: string, options: OwnerFileOptions) {
    this.#path = join(folder, toFileName(id));
    this.#options = options;
  }

  /** Takes ownership. Returns false if another living window has it, true if the disk fails. */
  take(): Promise<boolean> {
    return this.#attempt('take', true, async () => {
      if (this.#held !== undefined) return true;
      const before = await readClaims(this.#path);
      if (this.#isOwned(before)) return false;
      const number = Math.max(-1, ...before.map((each) => each.number)) + 1;
      const path = `${this.#path}${number === 0 ? '' : `.${number}`}.run`;
      if (!(await this.#create(path))) return false;
      const after = await readClaims(this.#path);
      if (this.#isOwned(after)) {
        await removeFile(path);
        return false;
      }
      this.#held = path;
      for (const dead of after) if (dead.path !== path) await removeFile(dead.path);
      return true;
    });
  }

  async release(): Promise<void> {
    await this.#attempt('release', undefined, async () => {
      const path = this.#held;
      this.#held = undefined;
      if (path !== undefined) await removeFile(path);
    });
  }

  /** Returns whether another living window has it; false if the disk fails. */
  isElsewhere(): Promise<boolean> {
    return this.#attempt('read', false, async () => this.#isOwned(await readClaims(this.#path)));
  }

  /** Resolves when the last call has reached the disk or failed. */
  async settled(): Promise<void> {
    await this.#inOrder(() => undefined);
  }

  async #attempt<T>(doing: string, fallback: T, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#inOrder(work);
    } catch (failure) {
      this.#options.log.warn(`Could not ${doing} the ownership of a conversation`, failure);
      return fallback;
    }
  }

  /** Returns false if another window created the file first. */
  async #create(path: string): Promise<boolean> {
    const owner = await createProcessMark(this.#options.window);
    await makeFolder(dirname(path));
    try {
      const text = JSON.stringify({ version: 1, ...owner });
      await writeFile(path, text, { flag: 'wx', mode: PRIVATE_FILE_MODE });
      return true;
    } catch (failure) {
      if (errorCode(failure) === 'EEXIST') return false;
      throw failure;
    }
  }

  #isOwned(claims: readonly Claim[]): boolean {
    return claims.some(({ isAlive, window }) => isAlive && window !== this.#options.window);
  }
}

async function readClaims(path: string): Promise<readonly Claim[]> {
  const name = basename(path);
  const names = await fileNamesIn(dirname(path));
  const claims = names.map(async (each) => {
    const number = numberOf(each, name);
    return number === undefined ? undefined : readClaim(join(dirname(path), each), number);
  });
  return (await Promise.all(claims)).filter((each) => each !== undefined);
}

/** Returns 0 for `NAME.run`, 2 for `NAME.2.run`; undefined for any other file. */
function numberOf(file: string, name: string): number | undefined {
  if (!file.startsWith(`${name}.`)) return undefined;
  const match = /^(?:\.(\d+))?\.run$/.exec(file.slice(name.length));
  return match === null ? undefined : Number(match[1] ?? 0);
}

/** Returns undefined if the file is gone. */
async function readClaim(path: string, number: number): Promise<Claim | undefined> {
  const mark = await readProcessMark(path);
  if (mark !== undefined)
    return { path, number, window: mark.window, isAlive: await isAlive(mark) };
  const age = await ageOf(path);
  return age === undefined
    ? undefined
    : { path, number, window: undefined, isAlive: age < MAX_WRITE_MS };
}

/** Returns the ms since a file was written; undefined if it is gone. */
async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return undefined;
    throw failure;
  }
}
