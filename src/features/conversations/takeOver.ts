import { join } from 'node:path';
import pLimit from 'p-limit';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { fileExists, fileNamesIn, removeStale } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { ignoreUnreadable } from '../../platform/storage/unreadable.ts';
import type { Account, Accounts, AccountServices } from '../accounts/account.ts';
import { isReadingStream } from '../../conversation/machine/state.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';
import { recordPathOf } from './conversationRecord.ts';
import { conversationOf, RESPONSE_EXTENSION } from './conversationResponses.ts';

/** Interval of checks for runs whose window is gone, in ms. */
const TAKE_OVER_INTERVAL_MS = 5_000;

interface TakeOverPorts extends Pick<AccountServices, 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'all' | 'onDidChange'>;
  readonly conversations: Conversations;
  /** When the last window before this one closed, epoch ms; undefined if one was open until a moment ago. */
  readonly unattendedSince: number | undefined;
  /** Called if a run continued since {@link unattendedSince}. */
  readonly onDidContinueUnattended: () => void;
}

/**
 * Continues the runs whose window is gone. Looks for them when accounts or conversations change, and every 5 s while
 * another window has a run.
 */
export function takeOverRuns(ports: TakeOverPorts): Disposable {
  const { accounts, conversations, clock } = ports;
  const store = new DisposableStore();
  const inOrder = pLimit(1);
  let timer: Disposable | undefined;
  const takeOver = async (): Promise<void> => {
    const isRunElsewhere = await takeOverAll(ports);
    timer?.dispose();
    timer = undefined;
    if (isRunElsewhere && !store.isDisposed)
      timer = clock.setTimeout(takeOverNext, TAKE_OVER_INTERVAL_MS);
  };
  const takeOverNext = (): void => {
    if (inOrder.pendingCount === 0) void inOrder(takeOver);
  };
  store.add({ dispose: () => timer?.dispose() });
  store.add(accounts.onDidChange(takeOverNext));
  store.add(conversations.onDidChange(takeOverNext));
  return store;
}

/**
 * Opens each conversation that has a response file and no open window as its owner, which continues its run. Returns
 * whether other windows have runs.
 */
async function takeOverAll(ports: TakeOverPorts): Promise<boolean> {
  const { accounts, conversations, log } = ports;
  let isRunElsewhere = false;
  const attempt = (work: () => Promise<void>): Promise<void> =>
    work().catch((failure: unknown) => log.warn('A run could not be continued', failure));
  for (const account of accounts.all)
    await attempt(async () => {
      const live = new Set(conversations.live.map(({ conversation: { id } }) => toFileName(id)));
      const names = await fileNamesIn(account.store.paths.responses);
      const others = names.filter((name) => !live.has(conversationOf(name)));
      const heads = others.length === 0 ? [] : await conversations.list(account);
      const byName = new Map(heads.map((head) => [toFileName(head.id), head]));
      for (const name of others)
        await attempt(async () => {
          const head = byName.get(conversationOf(name));
          if (head !== undefined && (await conversations.inUse(account, [head.id])).size > 0)
            isRunElsewhere = true;
          else await takeOverOne(ports, account, name, head);
        });
    });
  return isRunElsewhere;
}

async function takeOverOne(
  { conversations, unattendedSince, onDidContinueUnattended }: TakeOverPorts,
  account: Account,
  name: string,
  head: ConversationHead | undefined,
): Promise<void> {
  const open = head && (await conversations.open(account, head.id).catch(ignoreUnreadable));
  if (head !== undefined && open !== undefined) {
    const { state, transcript } = open.conversation;
    if (isReadingStream(state) && head.at <= (unattendedSince ?? 0)) onDidContinueUnattended();
    const isNeeded = name.endsWith(`.${transcript.lastResponse?.id ?? ''}${RESPONSE_EXTENSION}`);
    // This includes a response that only another version can read.
    if (isNeeded && state.phase.kind !== 'idle') return;
  } else if (await fileExists(recordPathOf(account, conversationOf(name)))) return;
  await removeStale(join(account.store.paths.responses, name));
}
