import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Account } from '../../../../src/features/accounts/account.ts';
import type { ChatPages } from '../../../../src/features/chatPanel/chatPages.ts';
import type { ChatTabs } from '../../../../src/features/chatPanel/surfaces/tabs.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import { readText } from '../../../../src/platform/storage/files.ts';
import { UnreadableFileError } from '../../../../src/platform/storage/unreadable.ts';
import {
  accountsOf,
  chatPages,
  never,
  openConversation,
  stubChats,
} from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('chats whose conversation is gone after a reload', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  let memento: FakeMemento;
  let conversationsDir: string;
  let created: string[];
  let heads: { readonly id: string; readonly intern: string }[];
  /** The last tab that was opened, and the state that VS Code saved for it. */
  let lastTab: FakeSurface;
  let state: unknown;
  let serializer: ChatTabs;
  let pages: ChatPages;

  beforeEach(() => {
    memento = new FakeMemento();
    conversationsDir = folder.path;
    [created, heads] = [[], []];
    stubChats(stub, {
      registerWebviewPanelSerializer: (_type: string, registered: ChatTabs) => {
        serializer = registered;
        return { dispose: () => undefined };
      },
      createWebviewPanel: () => (lastTab = new FakeSurface()),
    });
    stub(vscode.commands, { executeCommand: () => Promise.resolve() });
    reload();
  });

  afterEach(() => pages.dispose());

  const recordOf = (id: string) => join(folder.path, `${id}.jsonl`);

  /** Opens the next window of the workspace. */
  function reload(): void {
    const own = account();
    pages = chatPages({
      accounts: accountsOf(own),
      conversations: {
        onDidChange: never,
        onDidChangeDeletion: never,
        create: (_account: unknown, _intern: string, id = 'new') => {
          created.push(id);
          return openConversation(own, id);
        },
        open: async (_account: unknown, id: string) => {
          const text = await readText(join(conversationsDir, `${id}.jsonl`));
          if (text === 'damaged') throw new UnreadableFileError(recordOf(id));
          return text === undefined ? undefined : openConversation(own, id);
        },
        list: () => Promise.resolve(heads),
      },
      workspaceState: memento,
    });
  }

  function account(): Account {
    const base = accountOf('account-1');
    return {
      ...base,
      store: { ...base.store, paths: { ...base.store.paths, conversations: conversationsDir } },
    };
  }

  const say = ({ conversation }: OpenConversation) => {
    conversation.send({ type: 'submit', prompt: { text: 'Hi', sent: 'Hi', attachments: [] } });
    return conversation.whenSent;
  };

  /** Closes a window that shows a conversation in a tab. */
  async function leaveInTab(id: string, isSaid = true): Promise<void> {
    await writeFile(recordOf(id), 'recorded');
    const { open } = (await pages.show(account(), id))!;
    if (isSaid) await say(open);
    state = lastTab.bodies('saveState').at(-1) ?? {
      account: 'account-1',
      intern: 'intern_ada',
      conversation: id,
    };
    pages.dispose();
    if (!isSaid) await rm(recordOf(id));
  }

  /** Opens a window in which VS Code restores the tab. */
  async function restore(): Promise<FakeSurface> {
    reload();
    const tab = new FakeSurface();
    await serializer.deserializeWebviewPanel(tab as unknown as vscode.WebviewPanel, state);
    return tab;
  }

  it('a restored tab of a deleted conversation says so and starts no other', async () => {
    await leaveInTab('a');
    await rm(recordOf('a'));
    const tab = await restore();
    assert.match(tab.webview.html, /This conversation was deleted\./);
    assert.doesNotMatch(tab.webview.html, /<script/);
    assert.deepEqual(tab.webview.options.enableCommandUris, [
      'interns.newConversation',
      'workbench.action.closeActiveEditor',
    ]);
    assert.match(tab.webview.html, /command:interns\.newConversation\?[^"]*intern_1/);
    assert.deepEqual([created, tab.isOpen, tab.title], [[], true, 'Chat']);
  });

  it('the tab of a deleted conversation closes when another conversation opens', async () => {
    await leaveInTab('a');
    await rm(recordOf('a'));
    await restore();
    pages.dispose();
    const tab = await restore();
    assert.match(tab.webview.html, /This conversation was deleted\./, 'after another reload, too');
    pages.start(account(), 'intern_ada');
    assert.deepEqual([created, tab.isOpen], [['new'], false]);
  });

  it('a restored tab says that a conversation held elsewhere is not available here', async () => {
    await leaveInTab('a');
    conversationsDir = join(folder.path, 'another machine');
    const tab = await restore();
    assert.match(tab.webview.html, /This conversation isn’t available here\./);
    assert.doesNotMatch(tab.webview.html, /was deleted/);
    assert.deepEqual(created, []);
  });

  it('a restored tab says that it cannot read a damaged conversation', async () => {
    await leaveInTab('a');
    await writeFile(recordOf('a'), 'damaged');
    const tab = await restore();
    assert.match(tab.webview.html, /Couldn’t read this conversation\./);
    assert.deepEqual([created, tab.isOpen], [[], true]);
  });

  it('a restored tab starts again if nothing was said in its conversation', async () => {
    await leaveInTab('a', false);
    const tab = await restore();
    assert.deepEqual(created, ['a']);
    assert.match(tab.webview.html, /id="app"/);
  });

  describe('the side bar', () => {
    /** Shows the view until it has drawn. */
    async function show(): Promise<FakeSurface> {
      const view = new FakeSurface();
      pages.sideBar.resolveWebviewView(view as unknown as vscode.WebviewView);
      await eventually(() => view.webview.html !== '');
      return view;
    }

    it('the side bar shows the latest conversation that can be read', async () => {
      heads = ['gone', 'damaged', 'a'].map((id) => ({ id, intern: 'intern_1' }));
      await writeFile(recordOf('damaged'), 'damaged');
      await writeFile(recordOf('a'), 'recorded');
      await show();
      assert.equal(pages.sideBar.page?.open.conversation.id, 'a');
      assert.deepEqual(created, []);
    });

    it('the side bar says that its conversation was deleted and offers another', async () => {
      await writeFile(recordOf('a'), 'recorded');
      await show();
      const { open } = (await pages.show(account(), 'a'))!;
      await pages.moveToSideBar(open);
      await say(open);
      pages.dispose();
      created = [];
      await rm(recordOf('a'));
      reload();
      const view = await show();
      assert.match(view.webview.html, /This conversation was deleted\./);
      assert.match(view.webview.html, /href="command:interns\.newInSideBar"/);
      assert.deepEqual(created, []);
      pages.sideBar.refresh();
      assert.match(view.webview.html, /This conversation was deleted\./);
    });
  });
});
