import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';
import type { Log } from '../log/log.ts';
import { errorCode, makeFolder, namesIn, PRIVATE_FILE, readText, removeFile } from './files.ts';
import { toFileName } from './layout.ts';
import { isAlive, markOf, windowMark, type WindowMark } from './windowMark.ts';

/** How long a file may be on disk without its window's name in it, in ms: it is made first and written then. */
const WRITING_MS = 5_000;

/** One of the files that name an owner. */
interface Holding {
  readonly path: string;
  readonly number: number;
  /** Undefined where the file does not tell. */
  readonly window: string | undefined;
  /** Whether the window that made it still runs. */
  readonly isAlive: boolean;
}

/** What an {@link OwnerFile} is made of. */
interface OwnerFileOptions {
  readonly log: Pick<Log, 'warn'>;
  /** Id of this window. */
  readonly window: string;
}

/**
 * Which window owns a thing that all windows see: the living one that is named in `ID.run`, `ID.1.run`, `ID.2.run`…
 *
 * Each of these files can be made by one window only. What a dead one left cannot be replaced in one step, so that its
 * follower takes the next number and then looks again: of two windows that took different numbers at once, at least one
 * sees the other and gives way. The follower removes what the dead left.
 */
export class OwnerFile {
  readonly #path: string;
  readonly #options: OwnerFileOptions;
  #held: string | undefined;
  /** Runs the work on the files one task at a time. */
  readonly #inOrder = pLimit(1);

  /** @param folder Absolute path; made where it is not there. */
  constructor(folder: string, id: string, options: OwnerFileOptions) {
    this.#path = join(folder, toFileName(id));
    this.#options = options;
  }

  /** Takes ownership. False where another living window has it; true where the disk fails, since nobody can be asked then. */
  take(): Promise<boolean> {
    return this.#attempt('take', true, async () => {
      if (this.#held !== undefined) return true;
      const before = await readHoldings(this.#path);
      if (this.#isOwned(before)) return false;
      const number = Math.max(-1, ...before.map((each) => each.number)) + 1;
      const path = `${this.#path}${number === 0 ? '' : `.${number}`}.run`;
      if (!(await this.#create(path))) return false;
      const after = await readHoldings(this.#path);
      if (this.#isOwned(after)) {
        await removeFile(path);
        return false;
      }
      this.#held = path;
      for (const left of after) if (left.path !== path) await removeFile(left.path);
      return true;
    });
  }

  /** Lets other windows take it. */
  async release(): Promise<void> {
    await this.#attempt('release', undefined, async () => {
      const path = this.#held;
      this.#held = undefined;
      if (path !== undefined) await removeFile(path);
    });
  }

  /** Whether another living window has it; one that cannot be read tells of none. */
  isElsewhere(): Promise<boolean> {
    return this.#attempt('read', false, async () => this.#isOwned(await readHoldings(this.#path)));
  }

  /** Resolves when other windows can see what was asked for last, or when the disk has refused it. */
  async settled(): Promise<void> {
    await this.#inOrder(() => undefined);
  }

  async #attempt<T>(doing: string, otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#inOrder(work);
    } catch (failure) {
      this.#options.log.warn(`Could not ${doing} the ownership of a conversation`, failure);
      return otherwise;
    }
  }

  /** False where another window made the file first. */
  async #create(path: string): Promise<boolean> {
    const owner = await markOf(this.#options.window);
    await makeFolder(dirname(path));
    try {
      const text = JSON.stringify({ version: 1, ...owner });
      await writeFile(path, text, { flag: 'wx', mode: PRIVATE_FILE });
      return true;
    } catch (failure) {
      if (errorCode(failure) === 'EEXIST') return false;
      throw failure;
    }
  }

  /** Whether another window that lives is among those that are named. */
  #isOwned(holdings: readonly Holding[]): boolean {
    return holdings.some(({ isAlive, window }) => isAlive && window !== this.#options.window);
  }
}

async function readHoldings(path: string): Promise<readonly Holding[]> {
  const name = basename(path);
  const names = await namesIn(dirname(path));
  const holdings = names.map(async (each) => {
    const number = numberOf(each, name);
    return number === undefined ? undefined : readHolding(join(dirname(path), each), number);
  });
  return (await Promise.all(holdings)).filter((each) => each !== undefined);
}

/** The number of one of a thing's files: 0 for `NAME.run`, 2 for `NAME.2.run`; undefined for any other file. */
function numberOf(file: string, name: string): number | undefined {
  if (!file.startsWith(`${name}.`)) return undefined;
  const match = /^(?:\.(\d+))?\.run$/.exec(file.slice(name.length));
  return match === null ? undefined : Number(match[1] ?? 0);
}

/** Undefined where the file is gone. */
async function readHolding(path: string, number: number): Promise<Holding | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const owner = parseOwner(text);
  if (owner !== undefined)
    return { path, number, window: owner.window, isAlive: await isAlive(owner) };
  const age = await ageOf(path);
  return age === undefined
    ? undefined
    : { path, number, window: undefined, isAlive: age < WRITING_MS };
}

function parseOwner(text: string): WindowMark | undefined {
  const result = v.safeParse(windowMark, parseJson(text));
  return result.success ? result.output : undefined;
}

/** Milliseconds since a file was written; undefined where it is gone. */
async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return undefined;
    throw failure;
  }
}
