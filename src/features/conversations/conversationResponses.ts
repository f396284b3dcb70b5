import { join } from 'node:path';
import { globalFetch, type FetchLike } from '../../api/index.ts';
import type { ResponseStore } from '../../conversation/ports.ts';
import type { Log } from '../../platform/log/log.ts';
import { hasOtherVersion, reserveResponse } from '../../platform/keeper/foreignKeeper.ts';
import type { StreamKeeperClient } from '../../platform/keeper/keeperClient.ts';
import { fileExists, fileNamesIn, removeFile } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import type { Account, AccountServices } from '../accounts/account.ts';

/** Files are called `CONVERSATION.RESPONSE.response`. */
export const RESPONSE_EXTENSION = '.response';

/** Returns the file name of the conversation that a response file belongs to. */
export function conversationOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** The part of the stream keeper that conversations use. */
export type KeeperFetches = Pick<StreamKeeperClient, 'fetchTo' | 'fetchFrom'>;

/** The responses of one conversation that a stream keeper wrote to files and that are not on record yet. */
interface ConversationResponses extends ResponseStore {
  /**
   * Returns the fetch of a request. If it was sent before, the fetch only reads the response. Otherwise it is sent once
   * the record is on disk, so that after a crash the record shows that it may have been received.
   *
   * @param onFallback called before the window sends the request itself
   */
  fetch(
    response: string,
    isSent: boolean,
    whenRecorded: () => Promise<unknown>,
    onFallback: () => void,
  ): FetchLike | undefined;
}

export function createResponses(
  { store }: Pick<Account, 'store'>,
  conversation: string,
  { keeper, log, window }: Pick<AccountServices, 'log' | 'window'> & { keeper?: KeeperFetches },
): ConversationResponses {
  const pathOf = (response: string): string =>
    join(store.paths.responses, `${toFileName(conversation)}.${response}${RESPONSE_EXTENSION}`);
  return {
    find: async (response) => {
      const path = pathOf(response);
      if (!(await fileExists(path))) return 'none';
      try {
        return (await hasOtherVersion(path)) ? 'foreign' : 'readable';
      } catch (failure) {
        log.warn('A response could not be read', failure);
        return 'none';
      }
    },
    reserve: (response) => reserveResponse(pathOf(response), window),
    remove: (response) => removeOrWarn(pathOf(response), log),
    fetch: (response, isSent, whenRecorded, onFallback) => {
      if (isSent) return keeper?.fetchFrom(pathOf(response));
      const send = keeper?.fetchTo(pathOf(response), onFallback) ?? globalFetch;
      return async (url, init) => {
        await whenRecorded();
        return send(url, init);
      };
    },
  };
}

/** Removes the response files of an account or of one conversation. This stops requests that are still in progress. */
export async function removeResponses(
  { store }: Pick<Account, 'store'>,
  log: Pick<Log, 'warn'>,
  conversation?: string,
): Promise<void> {
  const wanted = conversation && toFileName(conversation);
  const names = await fileNamesIn(store.paths.responses).catch(() => []);
  const ended = names.filter((name) => wanted === undefined || conversationOf(name) === wanted);
  await Promise.all(ended.map((name) => removeOrWarn(join(store.paths.responses, name), log)));
}

async function removeOrWarn(path: string, log: Pick<Log, 'warn'>): Promise<void> {
  await removeFile(path).catch((failure: unknown) =>
    log.warn('A response could not be removed', failure),
  );
}
