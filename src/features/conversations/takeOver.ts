import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import { namesIn, removeFile } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { Conversations } from './conversations.ts';
import { EXTENSION } from './keptResponses.ts';

/** How often a window looks for runs whose window is gone, in ms. */
const LOOK_MS = 5_000;
/** Time without a window after which the user is notified that a run continued, in ms. */
const ALONE_MS = 60_000;
/** Age at which a response that no record needs is removed, in ms: one day. */
const STALE_MS = 86_400_000;

interface TakeOverPorts {
  readonly accounts: Pick<Accounts, 'all' | 'onDidChange'>;
  readonly conversations: Pick<Conversations, 'live' | 'list' | 'open' | 'isUnderWay'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Called if a run continued for a minute or more without a window. */
  readonly onDidContinueAlone: () => void;
}

/** Continues the runs whose window is gone: when the accounts are known, and every 5 s. */
export function takeOverRuns(ports: TakeOverPorts): Disposable {
  const { accounts, clock } = ports;
  const store = new DisposableStore();
  const inOrder = pLimit(1);
  const takeOver = (): void => void inOrder(() => takeOverAll(ports));
  const lookLater = (): Disposable =>
    clock.setTimeout(() => {
      takeOver();
      timer = lookLater();
    }, LOOK_MS);
  let timer = lookLater();
  store.add({ dispose: () => timer.dispose() });
  store.add(accounts.onDidChange(takeOver));
  return store;
}

async function takeOverAll(ports: TakeOverPorts): Promise<void> {
  for (const account of ports.accounts.all)
    try {
      await takeOverAccount(ports, account);
    } catch (failure) {
      ports.log.warn('A run could not be continued', failure);
    }
}

/** Opens each conversation that has a response file and no open window as its owner, which continues its run. */
async function takeOverAccount(
  { conversations, clock, onDidContinueAlone }: TakeOverPorts,
  account: Account,
): Promise<void> {
  const folder = account.store.responsesDir;
  const live = new Set(conversations.live.map(({ conversation: { id } }) => toFileName(id)));
  const left = (await namesIn(folder)).filter((name) => !live.has(conversationOf(name)));
  if (left.length === 0) return;
  const heads = await conversations.list(account);
  const ids = new Map(heads.map(({ id }) => [toFileName(id), id]));
  for (const name of left) {
    const id = ids.get(conversationOf(name));
    if (id !== undefined && (await conversations.isUnderWay(account, id))) continue;
    const lastSeen = heads.find((head) => head.id === id)?.at ?? clock.now();
    const open = id === undefined ? undefined : await conversations.open(account, id);
    if (open !== undefined && clock.now() - lastSeen >= ALONE_MS) onDidContinueAlone();
    const needed = open?.conversation.transcript.lastResponse?.id;
    const isNeeded = needed !== undefined && name.endsWith(`.${needed}${EXTENSION}`);
    if (!isNeeded) await removeStale(join(folder, name));
  }
}

function conversationOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

async function removeStale(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > STALE_MS) await removeFile(path);
}
