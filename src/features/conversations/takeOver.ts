import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import { fileExists, fileNamesIn, removeStale } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import { isReadingStream } from '../../conversation/machine/state.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';
import { recordPathOf } from './conversationRecord.ts';
import { conversationOf, RESPONSE_EXTENSION } from './conversationResponses.ts';

/** Interval of checks for runs whose window is gone, in ms. */
const TAKE_OVER_INTERVAL_MS = 5_000;

interface TakeOverPorts {
  readonly accounts: Pick<Accounts, 'all' | 'onDidChange'>;
  readonly conversations: Pick<
    Conversations,
    'live' | 'list' | 'open' | 'underWay' | 'onDidChange'
  >;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
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

/** Returns whether other windows have runs. */
async function takeOverAll(ports: TakeOverPorts): Promise<boolean> {
  let isRunElsewhere = false;
  for (const account of ports.accounts.all)
    try {
      if (await takeOverAccount(ports, account)) isRunElsewhere = true;
    } catch (failure) {
      ports.log.warn('A run could not be continued', failure);
    }
  return isRunElsewhere;
}

/** Opens each conversation that has a response file and no open window as its owner, which continues its run. */
async function takeOverAccount(ports: TakeOverPorts, account: Account): Promise<boolean> {
  const { conversations } = ports;
  const live = new Set(conversations.live.map(({ conversation: { id } }) => toFileName(id)));
  const left = (await fileNamesIn(account.store.responsesDir)).filter(
    (name) => !live.has(conversationOf(name)),
  );
  if (left.length === 0) return false;
  const heads = await conversations.list(account);
  const byName = new Map(heads.map((head) => [toFileName(head.id), head]));
  let isRunElsewhere = false;
  for (const name of left)
    try {
      const head = byName.get(conversationOf(name));
      if (head !== undefined && (await conversations.underWay(account, [head.id])).size > 0)
        isRunElsewhere = true;
      else await takeOverOne(ports, account, name, head);
    } catch (failure) {
      ports.log.warn('A run could not be continued', failure);
    }
  return isRunElsewhere;
}

async function takeOverOne(
  { conversations, unattendedSince, onDidContinueUnattended }: TakeOverPorts,
  account: Account,
  name: string,
  head: ConversationHead | undefined,
): Promise<void> {
  const open = head && (await conversations.open(account, head.id));
  if (head !== undefined && open !== undefined) {
    const { state, transcript } = open.conversation;
    if (isReadingStream(state) && head.at <= (unattendedSince ?? 0)) onDidContinueUnattended();
    const isNeeded = name.endsWith(`.${transcript.lastResponse?.id ?? ''}${RESPONSE_EXTENSION}`);
    // This includes a response that only another version can read.
    if (isNeeded && state.phase.kind !== 'idle') return;
  } else if (await fileExists(recordPathOf(account, conversationOf(name)))) return;
  await removeStale(join(account.store.responsesDir, name));
}
