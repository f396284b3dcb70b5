/**
 * `node measure.ts CONVERSATIONS`: the cost of the Conversations view to the extension host. The conversations have heads and
 * read positions, but no records. Prints a {@link ListRun} as JSON.
 */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { ConversationList } from '../../../src/features/conversations/conversationList.ts';
import { ConversationsView } from '../../../src/features/conversations/conversationsView.ts';
import {
  type ConversationHead,
  ConversationHeads,
} from '../../../src/features/conversations/heads.ts';
import { ReadPositions } from '../../../src/features/conversations/readPositions.ts';
import { accountOf } from '../../unit/support/fakeAccounts.ts';
import { never } from '../../unit/support/chatPages.ts';
import { FakeMemento } from '../../unit/support/fakeMemento.ts';
import { nodeWatcher } from '../../unit/support/folders.ts';
import { RecordingLog } from '../../unit/support/recordingLog.ts';
import { median } from '../figures.ts';
import { pathsIn } from '../../unit/support/pathsIn.ts';

/** CPU time in ms. */
export interface ListRun {
  /** Reading all heads and read positions, once in a window. */
  readonly readMs: number;
  /** Opening the view: its rows and their items. */
  readonly openMs: number;
  /** A change of one conversation, from its file to the drawn row. */
  readonly changeMs: number;
  /** The rows that were drawn for a change. */
  readonly drawn: number;
}

const CHANGES = 21;
const HOUR_MS = 3_600_000;

const count = Number(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'interns-bench-'));
const now = Date.now();
const { heads: headsFolder } = pathsIn(folder);
await mkdir(headsFolder, { recursive: true });
for (let index = 0; index < count; index += 1) {
  const head = headOf(index, 'idle', now - HOUR_MS * (index + 1));
  const position = { conversation: head.id, at: now - HOUR_MS };
  await writeFile(join(headsFolder, `${head.id}.json`), JSON.stringify(head));
  await writeFile(join(headsFolder, `${head.id}.read`), JSON.stringify(position));
}

const account = accountOf('account-1');
Object.assign(account.store, { paths: pathsIn(folder) });
let onDraw: (rows: unknown[] | undefined) => void = () => undefined;
Object.assign(vscode.window, {
  createTreeView: () => ({
    visible: false,
    onDidChangeVisibility: never,
    dispose: () => undefined,
  }),
  registerFileDecorationProvider: () => ({ dispose: () => undefined }),
});
Object.assign(vscode.Uri, { parse: (text: string) => ({ toString: () => text }) });

const files = {
  clock: systemClock,
  log: new RecordingLog(),
  watch: nodeWatcher,
  reportUnreadable: (path: string) => {
    throw new Error(`${path} cannot be read`);
  },
};
const heads = new ConversationHeads(files);
const recordsAreNotRead = () => {
  throw new Error('A record is read');
};
const ports = {
  ...files,
  accounts: { active: account, all: [account], whenLoaded: Promise.resolve(), onDidChange: never },
  contextKeys: { set: () => undefined },
  conversations: {
    list: () => heads.list(account),
    onDidChange: heads.onDidChange,
    onDidOpen: never,
    readPositions: new ReadPositions(files),
    inUse: (_: unknown, ids: readonly string[]) => Promise.resolve(new Set(ids)),
    ...{ read: recordsAreNotRead, costs: recordsAreNotRead },
  },
  interns: { name: () => 'ada', onDidChange: never },
  refresh: { fire: () => undefined },
  registrar: { register: () => undefined },
  workspaceState: new FakeMemento(),
  workspaceUri: undefined,
};
const list = new ConversationList(
  ports as unknown as ConstructorParameters<typeof ConversationList>[0],
);
const view = new ConversationsView({
  ...ports,
  list,
  pendingQuestions: { listOpen: () => [], onDidChange: never },
} as unknown as ConstructorParameters<typeof ConversationsView>[0]);
view.onDidChangeTreeData((rows) => onDraw(rows));

const readMs = await cpuOf(() => list.load());
const openMs = await cpuOf(draw);
const changes: number[] = [];
const drawn: number[] = [];
for (let change = 0; change < CHANGES; change += 1) {
  const head = headOf(change, change % 2 === 0 ? 'working' : 'failed', Date.now());
  const isDrawn = new Promise<readonly unknown[] | undefined>((resolve) => (onDraw = resolve));
  changes.push(
    await cpuOf(async () => {
      await heads.of(account).put(head);
      const rows = (await isDrawn) ?? (await view.getChildren());
      for (const row of rows) view.getTreeItem(row as Parameters<typeof view.getTreeItem>[0]);
      drawn.push(rows.length);
    }),
  );
}
const run: ListRun = { readMs, openMs, changeMs: median(changes), drawn: median(drawn) };
console.log(JSON.stringify(run));
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

async function draw(): Promise<void> {
  for (const row of await view.getChildren()) view.getTreeItem(row);
}

function headOf(index: number, state: ConversationHead['state'], at: number): ConversationHead {
  const id = `conversation-${index}`;
  return { id, intern: `intern-${index % 10}`, title: `Title ${index}`, createdAt: at, at, state };
}

/** Returns the CPU time of some work in ms, which other processes do not lengthen. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
