import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Log } from '../log/log.ts';
import {
  errorCode,
  makeFolder,
  fileNamesIn,
  ifExists,
  PRIVATE_FILE_MODE,
  removeFile,
} from './files.ts';
import { toFileName } from './layout.ts';
import { createProcessMark, isAlive, readProcessMark } from './processMark.ts';

/** How long a file may exist without its content, in ms: it is created first and written then. */
const MAX_WRITE_MS = 5_000;

/** Matches `NAME.run` and `NAME.2.run`. */
const CLAIM_FILE = /^([^.]+)(?:\.(\d+))?\.run$/;

interface Claim {
  readonly path: string;
  readonly name: string;
  readonly number: number;
  /** True if another living window made the claim, also if its file cannot be read yet. */
  readonly isForeign: boolean;
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
  readonly #folder: string;
  readonly #id: string;
  readonly #options: OwnerFileOptions;
  #held: string | undefined;
  /** True from a successful {@link take} to {@link release}. */
  isOurs = false;
  readonly #inOrder = pLimit(1);

  /** @param folder absolute path; created if needed */
  constructor(folder: string, id: string, options: OwnerFileOptions) {
    this.#folder = folder;
    this.#id = id;
    this.#options = options;
  }

  /** Takes the ownership. Returns false if another living window has it, true if the disk fails. */
  async take(): Promise<boolean> {
    this.isOurs = await this.#attempt('take', true, async () => {
      if (this.#held !== undefined) return true;
      const name = toFileName(this.#id);
      const before = await readClaims(this.#folder, new Set([name]), this.#options.window);
      if (before.some(({ isForeign }) => isForeign)) return false;
      const number = Math.max(-1, ...before.map((each) => each.number)) + 1;
      const path = join(this.#folder, `${name}${number === 0 ? '' : `.${number}`}.run`);
      if (!(await this.#create(path))) return false;
      const after = await readClaims(this.#folder, new Set([name]), this.#options.window);
      if (after.some(({ isForeign }) => isForeign)) {
        await removeFile(path);
        return false;
      }
      this.#held = path;
      for (const dead of after) if (dead.path !== path) await removeFile(dead.path);
      return true;
    });
    return this.isOurs;
  }

  async release(): Promise<void> {
    this.isOurs = false;
    await this.#attempt('release', undefined, async () => {
      const path = this.#held;
      this.#held = undefined;
      if (path !== undefined) await removeFile(path);
    });
  }

  /** Returns whether another living window has the ownership; false if the disk fails. */
  isElsewhere(): Promise<boolean> {
    const [folder, id] = [this.#folder, this.#id];
    return this.#inOrder(async () => (await ownedElsewhere(folder, [id], this.#options)).has(id));
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
      // A full disk takes an empty file, which would count as that of another window.
      await removeFile(path).catch(() => undefined);
      throw failure;
    }
  }
}

/** Returns which of the IDs another living window owns; none if the disk fails. */
export async function ownedElsewhere(
  folder: string,
  ids: readonly string[],
  { window, log }: OwnerFileOptions,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  try {
    const byName = new Map(ids.map((id) => [toFileName(id), id]));
    const owned = (await readClaims(folder, byName, window)).filter(({ isForeign }) => isForeign);
    return new Set(owned.flatMap(({ name }) => byName.get(name) ?? []));
  } catch (failure) {
    log.warn('Could not read the ownership of a conversation', failure);
    return new Set();
  }
}

/** Removes the files that dead windows left of their ownership of an ID. */
export async function removeDeadClaims(
  folder: string,
  id: string,
  { window }: Pick<OwnerFileOptions, 'window'>,
): Promise<void> {
  for (const { path, isForeign } of await readClaims(folder, new Set([toFileName(id)]), window))
    if (!isForeign) await removeFile(path);
}

async function readClaims(
  folder: string,
  names: Pick<ReadonlySet<string>, 'has'>,
  window: string,
): Promise<readonly Claim[]> {
  const claims = (await fileNamesIn(folder)).map(async (file) => {
    const [, name = '', number = 0] = CLAIM_FILE.exec(file) ?? [];
    if (!names.has(name)) return undefined;
    const path = join(folder, file);
    const isForeign = await isMarkedByOther(path, window);
    return isForeign === undefined ? undefined : { path, name, number: Number(number), isForeign };
  });
  return (await Promise.all(claims)).filter((each) => each !== undefined);
}

/** Returns whether another living window made a claim; undefined if its file is gone. */
async function isMarkedByOther(path: string, window: string): Promise<boolean | undefined> {
  const mark = await readProcessMark(path);
  if (mark !== undefined) return mark.window !== window && (await isAlive(mark));
  const found = await ifExists(stat(path));
  return found && Math.abs(Date.now() - found.mtimeMs) < MAX_WRITE_MS;
}
