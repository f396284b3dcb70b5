import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ConversationRow } from '../../../../src/features/conversations/conversationList.ts';
import { ConversationsView } from '../../../../src/features/conversations/conversationsView.ts';
import { compareListed, changedSince } from '../../../../src/features/conversations/listOrder.ts';
import { commands } from '../../../../src/platform/commands/ids.ts';
import { never } from '../../support/chatPages.ts';
import { accountOf, FakeAccounts } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('ConversationsView', () => {
  const stub = useStubs();
  let rows: ConversationRow[];
  let drawn: (string | undefined)[][];
  let waiting: number;
  let marked: readonly string[];
  let tree: { title?: string; message?: string; visible: boolean; badge?: vscode.ViewBadge };
  let view: ConversationsView;
  let keys: Map<string, unknown>;
  let listInterns: () => Promise<readonly object[]>;
  let accounts: { active?: object | undefined };
  let run: (id: string, ...given: readonly unknown[]) => Promise<void>;
  const changed = new Emitter<ReadonlySet<ConversationRow>>();
  const questionsChanged = new Emitter<void>();

  beforeEach(() => {
    const { ports, registrar } = new FakeAccounts();
    [rows, drawn, waiting] = [[], [], 0];
    keys = new Map<string, unknown>();
    listInterns = () => Promise.resolve([]);
    accounts = { ...ports.accounts };
    tree = { visible: false };
    const dispose = () => undefined;
    stub(vscode.window, {
      createTreeView: () => Object.assign(tree, { onDidChangeVisibility: never, dispose }),
      registerFileDecorationProvider: () => ({ dispose }),
    });
    stub(vscode.Uri, { parse: (text: string) => text });
    stub(vscode.commands, { executeCommand: () => Promise.resolve() });
    view = new ConversationsView({
      ...{ ...ports, accounts, registrar },
      pendingQuestions: {
        listOpen: () => Array.from({ length: waiting }, () => ({ isCountedAsWaiting: true })),
        onDidChange: questionsChanged.event,
      },
      contextKeys: { set: (key: string, value: unknown) => keys.set(key, value) },
      interns: { name: () => 'ada', list: () => listInterns(), onDidChange: never },
      refresh: { fire: () => undefined },
      list: {
        load: () => Promise.resolve(),
        onDidChange: changed.event,
        scope: { workspace: undefined },
        get all() {
          return rows.sort(compareListed);
        },
        get listed() {
          return rows.filter(({ head }) => head.workspace === undefined).sort(compareListed);
        },
        get ofAllWorkspaces() {
          return rows.sort(compareListed);
        },
        markAllRead: (shown: readonly ConversationRow[]) => {
          marked = shown.map(({ conversation }) => conversation);
          return Promise.resolve(marked.length);
        },
        changedSince: (since: number) => rows.filter((row) => changedSince(row, since)),
      },
    } as unknown as ConstructorParameters<typeof ConversationsView>[0]);
    view.onDidChangeTreeData((changes) =>
      drawn.push(
        changes?.map((row) => (row.kind === 'conversation' ? row.conversation : undefined)) ?? [],
      ),
    );
    run = (id, ...given) => registrar.run(id, given);
  });

  afterEach(() => view.dispose());

  function add(conversation: string, at: number, intern = 'i'): ConversationRow {
    const head = { id: conversation, intern, title: conversation, createdAt: 0, at };
    const state = { state: 'finished', isUnread: false, deadline: undefined } as const;
    const row = { kind: 'conversation', intern, conversation, ...state } as const;
    rows.push({ ...row, head: { ...head, state: 'idle' } });
    return rows.at(-1)!;
  }

  const shown = async (): Promise<string> =>
    (await view.getChildren())
      .map((row) => (row.kind === 'conversation' ? row.conversation : '…'))
      .join(' ');

  it('the context key says whether there are interns to start a first conversation with', async () => {
    for (const [list, hasInterns] of [
      [() => Promise.resolve([{}]), true],
      [() => Promise.resolve([]), false],
      [() => Promise.reject(new Error('no such folder')), false],
    ] as const) {
      listInterns = list;
      assert.equal(await shown(), '');
      assert.equal(keys.get('interns.hasInterns'), hasInterns);
    }
  });

  it('the context key says that there are no conversations once the list is read', async () => {
    const key = 'interns.noConversations';
    assert.deepEqual([keys.get(key), await shown(), keys.get(key)], [undefined, '', true]);
    accounts.active = undefined;
    assert.deepEqual([await shown(), keys.get(key)], ['', false]);
    accounts.active = accountOf('account-1');
    add('a', 1);
    assert.deepEqual([await shown(), keys.get(key)], ['a', false]);
  });

  it('the view sets its texts with its first rows, which VS Code else lays out late', async () => {
    add('a', 1);
    assert.equal(tree.message, undefined);
    assert.equal(await shown(), 'a');
    assert.deepEqual([tree.title, tree.message], ['Conversations', '']);
  });

  it('the view draws only the rows that changed, and all rows if their order did', async () => {
    const [, b] = [add('a', 3), add('b', 2), add('c', 1)];
    assert.equal(await shown(), 'a b c');
    changed.fire(new Set());
    Object.assign(b, { head: { ...b.head, title: 'renamed' } });
    changed.fire(new Set([b]));
    Object.assign(b, { isUnread: true });
    changed.fire(new Set([b]));
    assert.deepEqual(drawn, [['b'], []]);
    assert.equal(await shown(), 'b a c');
  });

  it('the badge adds up questions and unread conversations', () => {
    const badge = () => [tree.badge?.value, tree.badge?.tooltip];
    const row = add('a', 1);
    Object.assign(row, { isUnread: true });
    changed.fire(new Set([row]));
    assert.deepEqual(badge(), [1, '1 unread conversation']);
    waiting = 2;
    questionsChanged.fire();
    assert.deepEqual(badge(), [3, '2 questions\n1 unread conversation']);
    Object.assign(row, { state: 'waiting' });
    changed.fire(new Set([row]));
    assert.deepEqual(badge(), [2, '2 questions']);
    Object.assign(row, { isUnread: false });
    waiting = 0;
    questionsChanged.fire();
    assert.deepEqual(badge(), [undefined, undefined]);
  });

  it('the view shows 200 rows until the user asks for more', async () => {
    for (let index = 0; index < 300; index += 1) add(`c${index}`, 1_000 - index);
    assert.match(await shown(), /^c0 .* c199 …$/);
    await run('interns.showMore');
    assert.match(await shown(), / c299$/);
  });

  it('a key on the row that shows more does not change the conversation of the active chat', async () => {
    for (let index = 0; index < 201; index += 1) add(`c${index}`, 1_000 - index);
    const more = (await view.getChildren()).at(-1);
    const [targets] = commands['interns.deleteSession']([more]);
    assert.equal(targets.length, 1);
  });

  it('the view shows one intern, or what changed since a time with its number', async () => {
    add('old', 1, 'bob');
    add('new', 3, 'ada');
    await run('interns.showConversations', { intern: 'bob' });
    assert.deepEqual([await shown(), tree.message], ['old', 'Only conversations with ada']);
    await view.showChanges(2);
    assert.deepEqual([await shown(), tree.title], ['new', 'Activity Summary (1)']);
    await run('interns.clearFilter');
    assert.deepEqual([await shown(), tree.title, tree.message], ['new old', 'Conversations', '']);
  });

  it('the activity summary says whether anything changed', async () => {
    add('old', 1, 'bob');
    await view.showChanges(1);
    assert.match(tree.message ?? '', /^Changed since /);
    await view.showChanges(2);
    assert.match(tree.message ?? '', /^Nothing changed since /);
  });

  it('the view shows the conversations of one intern in all workspaces, as its row counts them', async () => {
    const row = add('elsewhere', 1, 'bob');
    Object.assign(row, { head: { ...row.head, workspace: 'file:///b' } });
    add('here', 2, 'bob');
    assert.equal(await shown(), 'here');
    await run('interns.showConversations', { intern: 'bob' });
    assert.equal(await shown(), 'here elsewhere');
  });

  it('Mark All as Read also marks the conversations that only a filter shows', async () => {
    const row = add('elsewhere', 1, 'bob');
    Object.assign(row, { head: { ...row.head, workspace: 'file:///b' } });
    await view.showChanges(1);
    await run('interns.markAllRead');
    assert.deepEqual(marked, ['elsewhere']);
  });

  it('Mark All as Read says so if there is nothing to mark', async () => {
    const said: string[] = [];
    stub(vscode.window, { showInformationMessage: (text: string) => said.push(text) });
    await run('interns.markAllRead');
    assert.deepEqual(said, ['All conversations are read.']);
    add('a', 1);
    await run('interns.markAllRead');
    assert.equal(said.length, 1);
  });

  it('the view shows all conversations after the user switched to another account', async () => {
    add('old', 1, 'bob');
    await run('interns.showConversations', { intern: 'bob' });
    accounts.active = accountOf('account-2');
    rows = [];
    add('new', 3, 'ada');
    changed.fire(new Set());
    assert.deepEqual([await shown(), tree.message], ['new', '']);
  });
});
