import {
  digestOf,
  sumOfCounts,
  type ConversationDigest,
  type DigestCounts,
} from '../../conversation/digest.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationHead } from '../conversations/heads.ts';

/** What happened in one of the conversations of this editor. */
export interface DigestEntry extends ConversationDigest {
  readonly account: Account;
  readonly conversation: string;
}

/** What happened in all conversations of this editor. */
export interface Digest {
  /** Epoch ms. */
  readonly since: number;
  /** Those that need their user come first, then the latest. */
  readonly entries: readonly DigestEntry[];
  readonly counts: DigestCounts;
}

interface DigestSources {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly conversations: Pick<Conversations, 'list' | 'read' | 'isUnderWay'>;
}

/**
 * Reads what happened since a time in the conversations of all accounts, as the records of all windows tell it. One record
 * after the other is read, of those conversations in which something may have happened since.
 */
export async function readDigest(
  since: number,
  now: number,
  { accounts, conversations }: DigestSources,
): Promise<Digest> {
  const entries: DigestEntry[] = [];
  for (const account of accounts.all) {
    for (const head of await conversations.list(account)) {
      const { id, state } = head;
      if (!mayTell(head, since)) continue;
      // Before the record is read: whoever gives a conversation up has recorded the end of its run.
      const isUnderWay = state !== 'working' || (await conversations.isUnderWay(account, id));
      const digest = digestOf(await conversations.read(account, id), since, now, isUnderWay);
      if (digest !== undefined) entries.push({ ...digest, account, conversation: id });
    }
  }
  entries.sort((a, b) => urgency(b) - urgency(a) || latest(b) - latest(a));
  return { since, entries, counts: sumOfCounts(entries.map(({ counts }) => counts)) };
}

/** A head is written when a run begins, pauses or ends: one of a run that is not over may be older than its record. */
function mayTell({ at, state }: ConversationHead, since: number): boolean {
  return at >= since || state === 'working' || state === 'waiting';
}

function urgency({ counts: { waiting, unanswered, expired, failed } }: DigestEntry): number {
  return waiting > 0 ? 3 : unanswered + expired > 0 ? 2 : failed > 0 ? 1 : 0;
}

function latest({ runs }: DigestEntry): number {
  return Math.max(...runs.map(({ at }) => at));
}
