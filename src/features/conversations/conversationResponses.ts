import { join } from 'node:path';
import type { FetchLike } from '../../api/index.ts';
import type { ResponseStore } from '../../conversation/ports.ts';
import type { Log } from '../../platform/log/log.ts';
import { isReadableResponse } from '../../platform/keeper/foreignKeeper.ts';
import { fileExists, makeFolder, fileNamesIn, removeFile } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import type { Account } from '../accounts/account.ts';

/** Files are called `CONVERSATION.RESPONSE.response`. */
export const RESPONSE_EXTENSION = '.response';

/** Returns the file name of the conversation that a response file belongs to. */
export function conversationOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** The part of the stream keeper that conversations use. */
export interface KeeperFetches {
  /** Returns a fetch whose response a keeper writes to a file. Calls `onWindow` if the window sends the request. */
  fetchTo(path: string, onWindow: () => void): FetchLike;
  /** Returns a fetch that only reads the response in a file. */
  fetchFrom(path: string): FetchLike;
  /** Makes sure that no keeper sends the request of a response anymore. Returns false if it may have been sent. */
  reserve(path: string): Promise<boolean>;
}

interface ResponsePorts {
  readonly keeper?: KeeperFetches;
  readonly log: Pick<Log, 'warn'>;
}

interface SendingPorts {
  /** Resolves when the record is on disk. */
  readonly whenRecorded: () => Promise<unknown>;
  /** Called before the window sends the request itself. */
  readonly onWindow: () => void;
}

/** The responses of one conversation that a stream keeper wrote to files and that are not on record yet. */
export class ConversationResponses implements ResponseStore {
  readonly #folder: string;
  readonly #name: string;
  readonly #ports: ResponsePorts;

  constructor({ store }: Pick<Account, 'store'>, conversation: string, ports: ResponsePorts) {
    this.#folder = store.responsesDir;
    this.#name = toFileName(conversation);
    this.#ports = ports;
  }

  async find(response: string): Promise<'none' | 'readable' | 'foreign'> {
    const path = this.#path(response);
    if (!(await fileExists(path))) return 'none';
    try {
      return (await isReadableResponse(path)) ? 'readable' : 'foreign';
    } catch (failure) {
      this.#ports.log.warn('A response could not be read', failure);
      return 'none';
    }
  }

  async reserve(response: string): Promise<boolean> {
    const { keeper } = this.#ports;
    if (keeper === undefined) return true;
    await makeFolder(this.#folder).catch(() => undefined);
    return keeper.reserve(this.#path(response));
  }

  async remove(response: string): Promise<void> {
    await removeOrWarn(this.#path(response), this.#ports.log);
  }

  /**
   * Returns the fetch of a request. If it was sent before, the fetch only reads the response. Otherwise it is sent once
   * the record is on disk, so that after a crash the record names the response.
   */
  fetch(
    keeper: KeeperFetches,
    response: string,
    isSent: boolean,
    { whenRecorded, onWindow }: SendingPorts,
  ): FetchLike {
    const path = this.#path(response);
    if (isSent) return keeper.fetchFrom(path);
    const send = keeper.fetchTo(path, onWindow);
    return async (url, init) => {
      // If the disk fails, the keeper reports it.
      await Promise.all([whenRecorded(), makeFolder(this.#folder).catch(() => undefined)]);
      return send(url, init);
    };
  }

  #path(response: string): string {
    return join(this.#folder, `${this.#name}.${response}${RESPONSE_EXTENSION}`);
  }
}

/** Removes the response files of an account or of one conversation. This stops requests that are still in progress. */
export async function removeResponses(
  { store }: Pick<Account, 'store'>,
  log: Pick<Log, 'warn'>,
  conversation?: string,
): Promise<void> {
  const of = conversation && toFileName(conversation);
  const names = await fileNamesIn(store.responsesDir).catch(() => []);
  const ended = names.filter((name) => of === undefined || conversationOf(name) === of);
  await Promise.all(ended.map((name) => removeOrWarn(join(store.responsesDir, name), log)));
}

async function removeOrWarn(path: string, log: Pick<Log, 'warn'>): Promise<void> {
  await removeFile(path).catch((failure: unknown) =>
    log.warn('A response could not be removed', failure),
  );
}
