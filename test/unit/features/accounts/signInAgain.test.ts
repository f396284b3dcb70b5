import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Event, DisposableStore } from '../../../../src/base/disposable.ts';
import type { Account, AccountServices } from '../../../../src/features/accounts/account.ts';
import type { Conversations } from '../../../../src/features/conversations/conversations.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { ConversationList } from '../../../../src/features/conversations/conversationList.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import { SecretsView } from '../../../../src/features/vault/secretsView.ts';
import { start } from '../../api/support/localService.ts';
import { AccountWindow, secretRecord } from '../../support/accountWindow.ts';
import { never } from '../../support/chatPages.ts';
import { creating } from '../../support/creating.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('an account after signing out and in again', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let window: AccountWindow;
  let parts: DisposableStore;

  beforeEach(async () => {
    window = await AccountWindow.signedIn(folder.path, await start());
    parts = new DisposableStore();
  });

  afterEach(() => {
    parts.dispose();
    window.dispose();
  });

  /** Checks that a list fires for a change of the new store. */
  async function assertFires(
    model: { list(): Promise<unknown>; readonly onDidChange: Event<unknown> },
    change: (account: Account) => Promise<unknown>,
  ): Promise<void> {
    await model.list();
    await window.signInAgain({ forgetData: true });
    await model.list();
    const fired = new Promise((resolve) => parts.add(model.onDidChange(resolve)));
    await change(window.accounts.active!);
    await fired;
  }

  it('the list of interns shows an added intern after signing out and in again', async () => {
    const interns = parts.add(new InternModel(window.ports));
    await assertFires(interns, () => interns.add('i1'));
    assert.equal((await interns.list())[0]?.id, 'i1');
  });

  it('the list of secrets shows a stored secret after signing out and in again', async () => {
    const nothing = (): void => undefined;
    stub(vscode.window, {
      createTreeView: () => ({ onDidChangeVisibility: never, dispose: nothing }),
    });
    const services = { contextKeys: { set: nothing }, refresh: { fire: nothing } };
    const ports = { ...window.ports, ...services } as unknown as AccountServices;
    const view = parts.add(new SecretsView(ports));
    const { onDidChangeTreeData: onDidChange } = view;
    await assertFires({ list: () => view.getChildren(), onDidChange }, ({ store }) =>
      store.secrets.put(secretRecord('one')),
    );
  });

  it('the list of creations shows an interrupted one after signing out and in again', async () => {
    const { creations } = parts.add(creating(window.ports));
    const record = { id: 'c1', name: 'ada', body: '{}', header: null, provision: true };
    const { onDidChange } = creations;
    await assertFires({ list: () => creations.listInterrupted(), onDidChange }, ({ store }) =>
      store.creations.put({ ...record, createdAt: 0, internId: null, sentBy: null }),
    );
  });

  it('the list of conversations shows no deleted one after signing out and in again', async () => {
    const head = { id: 'c1', intern: 'i1', title: 'Old', createdAt: 0, at: 0, state: 'idle' };
    let heads = [head as ConversationHead];
    const readPositions = { list: () => Promise.resolve(new Map()), onDidChange: never };
    const events = { onDidChange: never, onDidOpen: never };
    const conversations = { list: () => Promise.resolve(heads), ...events, readPositions };
    const list = parts.add(
      new ConversationList({
        ...window.ports,
        conversations: conversations as unknown as Conversations,
        contextKeys: { set: () => undefined },
        workspaceState: new FakeMemento(),
        workspaceUri: undefined,
      }),
    );
    await list.load();
    assert.equal(list.all.length, 1);
    heads = [];
    await window.signInAgain({ forgetData: true });
    await list.load();
    assert.deepEqual(list.all, []);
  });
});
