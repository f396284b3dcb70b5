import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ChatPages } from '../../../../src/features/chatPanel/chatPages.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import {
  accountsOf,
  chatPages,
  never,
  openConversation,
  stubChats,
} from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the chat in the side bar', () => {
  const stub = useStubs();
  const account = accountOf('account-1');
  let accounts: ReturnType<typeof accountsOf>;
  let clock: FakeClock;
  let memento: FakeMemento;
  const deletionChanged = new Emitter<OpenConversation>();
  let keys: Map<string, unknown>;
  let drafts: Map<string, object>;
  let opened: Map<string, OpenConversation>;
  let tabs: FakeSurface[];
  let view: FakeSurface;
  let isResolved: boolean;
  let pages: ChatPages;
  /** The tabs that VS Code lists. */
  let listed: vscode.Tab[];
  let list: () => Promise<readonly { id: string; intern: string }[]>;

  beforeEach(() => {
    clock = new FakeClock();
    memento = new FakeMemento();
    keys = new Map();
    drafts = new Map();
    tabs = [];
    listed = [];
    list = () => Promise.resolve([{ id: 'latest', intern: 'intern_1' }]);
    accounts = accountsOf(account);
    stubChats(stub, {
      tabGroups: { all: [{ tabs: listed }], onDidChangeTabs: never, onDidChangeTabGroups: never },
      createWebviewPanel: () => {
        tabs.at(-1)?.show(false);
        tabs.push(new FakeSurface());
        return tabs.at(-1);
      },
    });
    stub(vscode.commands, {
      executeCommand: (command: string) => {
        assert.equal(command, 'interns.chatView.focus');
        openView();
      },
    });
    reload();
  });

  afterEach(() => pages.dispose());

  /** Opens the next window of the workspace. */
  function reload(): void {
    opened = new Map();
    view = new FakeSurface();
    view.visible = false;
    isResolved = false;
    const create = (id: string): OpenConversation => {
      const open = openConversation(account, id);
      opened.set(id, open);
      return open;
    };
    const conversations = {
      onDidChange: never,
      onDidChangeDeletion: deletionChanged.event,
      create: (_account: unknown, intern: string, id = `new with ${intern}`) => create(id),
      open: (_account: unknown, id: string) => Promise.resolve(opened.get(id) ?? create(id)),
      list: () => list(),
    };
    pages = chatPages({
      accounts,
      conversations,
      drafts: {
        get: () => ({ text: '', scroll: null, editing: 'no' }),
        set: (id: string, change: object) => drafts.set(id, { ...drafts.get(id), ...change }),
      },
      workspaceState: memento,
      contextKeys: { set: (key: string, value: unknown) => keys.set(key, value) },
      clock,
    });
  }

  function openView(): void {
    if (view.visible) return;
    view.show(true);
    if (!isResolved) pages.sideBar.resolveWebviewView(view as unknown as vscode.WebviewView);
    isResolved = true;
  }

  async function reopen(): Promise<void> {
    pages.dispose();
    reload();
    await showView();
  }

  async function showView(): Promise<void> {
    openView();
    await settle();
  }

  /** Waits for disks and pages. */
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  async function bring(id: string): Promise<void> {
    const open = opened.get(id) ?? (await pagesOpen(id));
    const moving = pages.moveToSideBar(open);
    await settle();
    await moving;
    await settle();
  }

  const pagesOpen = async (id: string): Promise<OpenConversation> => {
    const page = await pages.show(account, id);
    await settle();
    return page!.open;
  };

  const inView = (): string | undefined => pages.sideBar.page?.open.conversation.id;
  const inTabs = (): number => tabs.filter(({ isOpen }) => isOpen).length;

  it('a conversation moves to the side bar and back with its draft', async () => {
    await pagesOpen('a');
    await bring('a');
    assert.deepEqual([inView(), inTabs()], ['a', 0]);
    assert.equal(tabs[0]?.bodies('leave').length, 1);
    assert.equal(keys.get('interns.chatViewActive'), true);
    await pages.moveToEditor();
    await settle();
    assert.equal(view.bodies('leave').length, 1);
    assert.deepEqual([inView(), inTabs()], [undefined, 1]);
    assert.equal(keys.get('interns.chatViewShown'), false);
    assert.equal(pages.activePage?.open.conversation.id, 'a');
  });

  it('the side bar ignores late messages of the previous page', async () => {
    await bring('a');
    view.isAlive = false;
    const before = view.loaded.length;
    view.focus();
    await pagesOpen('b');
    view.say('draft', { text: 'of a' });
    assert.deepEqual(drafts.get('a'), { text: 'of a', editing: 'no' });
    assert.equal(drafts.has('b'), false);
    assert.equal(view.loaded.length, before, 'the page of b loads once that of a has left');
    clock.advance(500);
    await settle();
    assert.equal(view.loaded.length, before + 1);
    view.say('draft', { text: 'of b' });
    assert.deepEqual(drafts.get('b'), { text: 'of b', editing: 'no' });
  });

  it('the side bar shows the next page after one that failed to leave', async () => {
    await bring('a');
    view.focus();
    const before = view.loaded.length;
    const failure = new Error('no answer');
    Object.assign(pages.sideBar.page!, { leave: () => Promise.reject(failure) });
    await pagesOpen('b');
    await settle();
    assert.deepEqual([inView(), view.loaded.length], ['b', before + 1]);
  });

  it('the side bar shows the chat that was opened last while the previous page still leaves', async () => {
    await bring('a');
    view.isAlive = false;
    for (const id of ['b', 'a']) await pagesOpen(id);
    assert.deepEqual([inView(), inTabs()], ['a', 0]);
    view.isAlive = true;
    clock.advance(500);
    await settle();
    view.say('draft', { text: 'of a' });
    assert.deepEqual(drafts.get('a'), { text: 'of a', editing: 'no' });
    assert.equal(pages.get('a'), pages.sideBar.page);
    assert.equal(pages.activePage, pages.sideBar.page);
    await pagesOpen('b');
    pages.close('a');
    await settle();
    assert.deepEqual([inView(), inTabs()], ['b', 0]);
  });

  it('the side bar shows an opened chat only while it is the chat in use', async () => {
    await bring('a');
    await pagesOpen('b');
    assert.deepEqual([inView(), inTabs()], ['b', 0]);
    pages.sideBar.setPinned(true);
    await pagesOpen('c');
    assert.deepEqual([inView(), inTabs()], ['b', 1]);
    pages.sideBar.setPinned(false);
    await pagesOpen('d');
    assert.deepEqual([inView(), inTabs()], ['b', 2], 'the tab was used last');
    view.focus();
    await pagesOpen('c');
    assert.deepEqual([inView(), inTabs()], ['b', 2], 'it has a tab');
    view.focus();
    pages.start(account, 'intern_2');
    await settle();
    assert.deepEqual([inView(), inTabs()], ['new with intern_2', 2]);
  });

  it('the side bar opens with the last conversation without a tab unless it is pinned', async () => {
    await showView();
    assert.equal(inView(), 'latest', 'nothing was used yet');
    view.show(false);
    await pagesOpen('a');
    await pagesOpen('b');
    tabs[1]!.dispose();
    view.show(true);
    await settle();
    assert.deepEqual([inView(), inTabs()], ['b', 1]);
    pages.sideBar.setPinned(true);
    view.show(false);
    tabs[0]!.show(true);
    tabs[0]!.dispose();
    view.show(true);
    await settle();
    assert.equal(inView(), 'b');
  });

  it('the side bar restores its conversation after a reload', async () => {
    await bring('a');
    pages.sideBar.setPinned(true);
    await reopen();
    assert.deepEqual([inView(), keys.get('interns.chatViewPinned')], ['a', true]);
    view.dispose();
    view = new FakeSurface();
    pages.sideBar.resolveWebviewView(view as unknown as vscode.WebviewView);
    await settle();
    assert.equal(inView(), 'a');
  });

  it('the side bar leaves a conversation to the tab that VS Code restores later', async () => {
    const title = createHash('sha256').update('ada: latest').digest('base64url');
    const kept = { account: account.id, intern: 'intern_1', conversation: 'latest', title };
    await memento.update('tabs', [kept]);
    const input = new vscode.TabInputWebview('mainThreadWebview-interns.chat');
    listed.push({ label: 'ada: latest', input, isActive: false } as unknown as vscode.Tab);
    await reopen();
    assert.equal(inView(), undefined);
    listed.pop();
    view.show(false);
    view.show(true);
    await settle();
    assert.equal(inView(), 'latest', 'the tab was closed');
  });

  for (const isShown of [true, false])
    it(`the side bar forgets a deleted conversation that was ${isShown ? '' : 'not '}shown`, async () => {
      await bring('a');
      pages.sideBar.setPinned(true);
      pages.dispose();
      reload();
      if (isShown) await showView();
      pages.close('a');
      await (isShown ? reopen() : showView());
      assert.deepEqual([inView(), keys.get('interns.chatViewPinned')], ['latest', false]);
    });

  it('the side bar does not return to a conversation that another window deleted', async () => {
    await pagesOpen('a');
    tabs[0]!.dispose();
    deletionChanged.fire({ ...opened.get('a')!, isDeleted: true });
    await showView();
    assert.equal(inView(), 'latest');
  });

  it('late messages of a conversation do not reach the next page of the side bar', async () => {
    await bring('a');
    const before = pages.sideBar.page!;
    await pagesOpen('b');
    const said = view.said.length;
    before.postToPage('compose', { text: 'for a', where: 'replace' });
    assert.equal(await before.surface.webview.postMessage({}), false);
    assert.deepEqual([before.surface.visible, view.said.length], [false, said]);
  });

  it('a command applies to the visible chat that was used last', async () => {
    await bring('a');
    pages.sideBar.setPinned(true);
    await pagesOpen('b');
    const current = (): string | undefined => pages.activePage?.open.conversation.id;
    assert.equal(current(), 'b');
    view.focus();
    assert.deepEqual([current(), keys.get('interns.chatViewActive')], ['a', true]);
    tabs.at(-1)!.focus();
    assert.deepEqual([current(), keys.get('interns.chatViewActive')], ['b', false]);
    tabs.at(-1)!.show(false);
    assert.equal(current(), 'a', 'another editor is active');
    view.show(false);
    await settle();
    assert.equal(current(), undefined);
    assert.equal(pages.lastUsedPage?.open.conversation.id, 'b');
  });

  const emptyChat = /href="command:interns\.newInSideBar"/;

  it('an empty side bar loads no file, and offers to sign in or to start a conversation', async () => {
    accounts.active = undefined;
    await showView();
    assert.equal(view.loaded.length, 1);
    assert.match(view.loaded.at(-1) ?? '', /href="command:interns\.signIn"/);
    accounts.active = account;
    for (let time = 0; time < 3; time++) pages.sideBar.refresh();
    assert.equal(view.loaded.length, 2);
    assert.match(view.loaded.at(-1) ?? '', emptyChat);
    // VS Code shows a page without files at once, and also what replaces it.
    assert.doesNotMatch(view.loaded.join(''), /<script|<link|src=|url\(|@import/);
  });

  it('the side bar shows the empty chat if the conversations cannot be listed', async () => {
    list = () => Promise.reject(new Error('ENOENT: heads'));
    await showView();
    assert.match(view.loaded.at(-1) ?? '', emptyChat);
  });

  it('the side bar shows the empty chat while the list of conversations hangs', async () => {
    let arrive: (found: Awaited<ReturnType<typeof list>>) => void = () => assert.fail();
    list = () => new Promise((resolve) => (arrive = resolve));
    await showView();
    assert.equal(view.loaded.length, 0);
    clock.advance(2_000);
    assert.match(view.loaded.at(-1) ?? '', emptyChat);
    arrive([{ id: 'latest', intern: 'intern_1' }]);
    await settle();
    assert.equal(inView(), 'latest');
  });

  it('the side bar shows the empty chat if it reappears while it looks for a conversation', async () => {
    list = () => settle().then(() => []);
    openView();
    view.show(true);
    for (let turn = 0; turn < 3; turn++) await settle();
    assert.match(view.loaded.at(-1) ?? '', emptyChat);
  });
});
