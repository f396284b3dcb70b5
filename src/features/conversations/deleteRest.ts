import { join } from 'node:path';
import type { Log } from '../../platform/log/log.ts';
import { fileNamesIn, removeFile } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { removeDeadClaims } from '../../platform/storage/ownerFile.ts';
import type { Account } from '../accounts/account.ts';
import { removeResponses } from './conversationResponses.ts';
import type { ConversationHeads } from './heads.ts';
import type { QuestionHeadFiles } from './questionHeads.ts';
import type { ReadPositions } from './readPositions.ts';

interface RestPorts {
  readonly heads: Pick<ConversationHeads, 'of'>;
  readonly questionHeads: Pick<QuestionHeadFiles, 'forget'>;
  readonly readPositions: Pick<ReadPositions, 'forget'>;
  readonly log: Pick<Log, 'warn'>;
  /** ID of this window. */
  readonly window: string;
}

/**
 * Deletes what a conversation has beside its record. Its head is the last: without a record, it shows after a crash that
 * this has to be repeated.
 */
export async function deleteRest(account: Account, id: string, ports: RestPorts): Promise<void> {
  const { heads, questionHeads, readPositions, log } = ports;
  await removeResponses(account, log, id);
  await questionHeads.forget(account, id);
  await readPositions.forget(account, id);
  // A failure must not keep the user from restoring the record. Deleting the draft again reports it.
  await removeDrafts(account, id).catch((failure: unknown) =>
    log.warn('The drafts of a conversation could not be removed', failure, id),
  );
  await removeDeadClaims(account.store.conversationsDir, id, ports);
  await heads.of(account).remove(id);
}

/** Removes the files of a conversation's drafts, of all workspaces. */
export async function removeDrafts({ store }: Account, conversation: string): Promise<void> {
  const { draftsDir } = store;
  for (const workspace of await fileNamesIn(draftsDir))
    for (const name of await fileNamesIn(join(draftsDir, workspace)))
      // A crash may have left a second file, with another extension.
      if (name.startsWith(`${toFileName(conversation)}.`))
        await removeFile(join(draftsDir, workspace, name));
}
