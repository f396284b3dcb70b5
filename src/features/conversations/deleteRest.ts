import type { Log } from '../../platform/log/log.ts';
import { removeDeadClaims } from '../../platform/storage/ownerFile.ts';
import type { Account } from '../accounts/account.ts';
import { removeResponses } from './conversationResponses.ts';
import { removeDrafts } from './drafts.ts';
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
