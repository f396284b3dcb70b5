import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import { ConversationList } from '../../../../src/features/conversations/conversationList.ts';
import {
  conversationTooltip,
  rowTexts,
} from '../../../../src/features/conversations/conversationRows.ts';
import {
  ConversationHeads,
  type ConversationHead,
} from '../../../../src/features/conversations/heads.ts';
import { ReadPositions } from '../../../../src/features/conversations/readPositions.ts';
import { eventually } from '../../../harness/until.ts';
import { never } from '../../support/chatPages.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { stubJapaneseComma, useStubs } from '../../support/stubEditor.ts';
import { pathsIn } from '../../support/pathsIn.ts';

type Options = ConstructorParameters<typeof ConversationList>[0];

describe('ConversationList', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let parts: DisposableStore;
  let fake: FakeAccounts;
  let inUse: string[];

  beforeEach(() => {
    parts = new DisposableStore();
    fake = new FakeAccounts();
    inUse = [];
    Object.assign(fake.account.store, {
      paths: { ...pathsIn(folder.path), heads: join(folder.path, 'heads') },
    });
  });

  afterEach(() => parts.dispose());

  /** Opens the list of a window. All windows share the folder and the clock. */
  function openWindow(workspaceUri?: string) {
    const { accounts, clock, log } = fake;
    const files = { clock, log, watch: nodeWatcher, reportUnreadable: () => undefined };
    const heads = parts.add(new ConversationHeads(files));
    const readPositions = parts.add(new ReadPositions(files));
    const conversations = {
      list: () => heads.list(fake.account),
      readPositions,
      onDidChange: heads.onDidChange,
      onDidOpen: never,
      read: () => assert.fail('a record is read'),
      inUse: () => Promise.resolve(new Set(inUse)),
    } as unknown as Options['conversations'];
    const workspaceState = new FakeMemento();
    const contextKeys = { set: () => undefined } as unknown as Options['contextKeys'];
    const list = parts.add(
      new ConversationList({
        ...{ accounts, clock, log, conversations, workspaceState, contextKeys, workspaceUri },
      }),
    );
    const put = (id: string, change: Partial<ConversationHead> = {}) =>
      heads.of(fake.account).put({
        ...{ id, intern: 'i', title: id, createdAt: 0, at: fake.clock.now(), state: 'idle' },
        ...change,
      });
    const mark = (id: string, isRead: boolean) =>
      readPositions.mark(fake.account, { id, at: 0 }, isRead);
    return { list, put, mark };
  }

  /** Waits until a list has read what was written, so that a condition holds. */
  const read = (isDone: () => boolean): Promise<void> =>
    eventually(() => {
      fake.clock.advance(50);
      return isDone();
    });

  /** Waits until a list shows rows such as `c1*`, with a star for unread ones. */
  async function shows(list: ConversationList, expected: string): Promise<void> {
    const rows = () =>
      list.listed.map(({ conversation, isUnread }) => conversation + (isUnread ? '*' : ''));
    await read(() => rows().join(' ') === expected);
  }

  it('each window shows what any window reads, marks and receives', async () => {
    const [one, two] = [openWindow(), openWindow()];
    for (const { list } of [one, two]) await list.load();
    fake.clock.advance(1_000);
    await one.put('c1');
    await two.put('c2', { at: fake.clock.now() - 1, state: 'failed' });
    for (const { list } of [one, two]) await shows(list, 'c2* c1*');
    assert.equal(await one.list.markAllRead([]), 2);
    for (const { list } of [one, two]) await shows(list, 'c1 c2');
    assert.equal(await one.list.markAllRead([]), 0);
    await two.mark('c2', false);
    for (const { list } of [one, two]) await shows(list, 'c2* c1');
    await one.put('c2', { at: fake.clock.now() - 1, state: 'working' });
    await one.mark('c2', true);
    await two.put('c1', { at: fake.clock.now() + 1 });
    for (const { list } of [one, two]) await shows(list, 'c1* c2');
  });

  it('the user marks conversations as read though the clock was set back', async () => {
    const { list, put } = openWindow();
    await list.load();
    await put('c', { at: fake.clock.now() + 3_600_000 });
    await shows(list, 'c*');
    await list.markAllRead([]);
    await shows(list, 'c');
  });

  it('the conversations of version 0.2.0 are read when they are first listed', async () => {
    const { list, put } = openWindow('file:///a');
    await put('old');
    await list.load();
    await shows(list, 'old');
    const files = () => readdir(join(folder.path, 'heads'));
    await eventually(async () => (await files()).toSorted().join(' ') === 'old.json ~-.read');
  });

  it('a reply is unread although a power cut damaged the file that says since when', async () => {
    await mkdir(join(folder.path, 'heads'));
    await writeFile(join(folder.path, 'heads', '~-.read'), Buffer.alloc(64));
    const { list, put } = openWindow();
    await list.load();
    await put('new', { at: fake.clock.now() + 1 });
    fake.clock.advance(1_000);
    await shows(list, 'new*');
  });

  it('each window lists its own workspace until it shows all', async () => {
    const [a, b] = [openWindow('file:///a'), openWindow('file:///b')];
    for (const { list } of [a, b]) await list.load();
    fake.clock.advance(1_000);
    await a.put('of-a', { workspace: 'file:///a' });
    await a.put('of-b', { workspace: 'file:///b', at: 0 });
    await shows(a.list, 'of-a*');
    await shows(b.list, 'of-b');
    assert.equal(b.list.ofAllWorkspaces.length, 2);
    await b.list.markAllRead([]);
    await shows(a.list, 'of-a*');
    await b.list.markAllRead(b.list.ofAllWorkspaces);
    await shows(a.list, 'of-a');
    await a.mark('of-a', false);
    await b.list.setScope('showsAllWorkspaces', true);
    await shows(b.list, 'of-a* of-b');
  });

  it('the list counts the waiting and running conversations of each intern', async () => {
    const { list, put } = openWindow();
    inUse = ['run'];
    await put('ask', { state: 'waiting', intern: 'ada' });
    await put('run', { state: 'working', intern: 'ada' });
    await put('lost', { state: 'working', intern: 'bob' });
    await list.load();
    await read(() => list.get('lost')?.state === 'failed');
    assert.deepEqual([...list.counts()], [['ada', { waiting: 1, running: 1 }]]);
  });

  it('a conversation whose run was interrupted is running again with its next run', async () => {
    const { list, put } = openWindow();
    await put('c', { state: 'working' });
    await list.load();
    for (const [at, state] of [
      [0, 'failed'],
      [1, 'running'],
    ] as const) {
      if (at > 0) await put('c', { state: 'working', at: fake.clock.now() + at });
      await read(() => list.get('c')?.state === state);
    }
  });

  it('only the changed rows change, and the others stay the same objects', async () => {
    const { list, put } = openWindow();
    for (const id of ['a', 'b', 'c']) await put(id);
    await list.load();
    const before = list.listed;
    const changes: string[][] = [];
    parts.add(list.onDidChange((rows) => changes.push([...rows].map((row) => row.conversation))));
    await put('b', { state: 'failed' });
    await read(() => changes.some((ids) => ids.length > 0));
    assert.deepEqual(changes.flat(), ['b']);
    assert.ok(before.every((row) => list.listed.includes(row)));
  });

  it('the list pauses for 200 ms between steady changes, so that VS Code can draw it', async () => {
    const { list, put } = openWindow();
    await list.load();
    const times: number[] = [];
    parts.add(list.onDidChange(() => times.push(fake.clock.now())));
    for (let change = 0; change < 40; change += 1) {
      await put('a', { at: fake.clock.now() });
      fake.clock.advance(50);
      await list.load();
    }
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    assert.ok(gaps.length > 3);
    for (const gap of gaps) assert.ok(gap >= 200, `${gap} ms`);
  });

  it('a screen reader hears title, unread, state, time left, intern and folder', async () => {
    const { list, put } = openWindow('file:///work/a');
    await list.load();
    const internName = () => 'ada';
    const texts = (id: string) =>
      rowTexts(list.get(id)!, { internName, scope: list.scope, now: fake.clock.now() });
    const spoken = (id: string): string => texts(id).spoken;
    fake.clock.advance(1_000);
    const workspace = 'file:///work/api%20server.code-workspace';
    await put('plants', { state: 'waiting', workspace, at: fake.clock.now() });
    await put('fence', { state: 'working', listed: 'pinned' });
    await put('roof', { at: 0 });
    await read(() => list.all.length === 3);
    assert.equal(
      spoken('plants'),
      'plants, unread, waiting for you, less than 5 minutes left, ada, api server, just now',
    );
    assert.equal(
      texts('plants').description,
      'waiting for you · 5m left · ada · api server · just now',
    );
    assert.equal(spoken('fence'), 'fence, running, ada, Pinned, just now');
    assert.match(spoken('roof'), /^roof, finished, ada, /);
    stubJapaneseComma(stub);
    assert.equal(spoken('fence'), 'fence、running、ada、Pinned、just now');
  });
});

describe('conversationTooltip', () => {
  it('the tooltip of a conversation shows session ID and cost if they are known', () => {
    const item = { title: 'Garden', at: 0 };
    const cost = { spent: 0, unknown: 0, limit: null };
    const known = { session: 'session_7', cost: { ...cost, spent: 0.84 } };
    const tooltip = conversationTooltip(item, known);
    assert.match(tooltip, /^Garden\n.*\nCost: \$0\.84\nSession ID: session_7$/);
    assert.doesNotMatch(conversationTooltip(item, { session: null, cost }), /Session|Cost/);
  });
});
