import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { Event } from '../../../../src/base/disposable.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { ChatPages } from '../../../../src/features/chatPanel/chatPages.ts';
import { eventually } from '../../../harness/until.ts';
import {
  accountsOf,
  chatPages,
  never,
  openConversation,
  stubChats,
} from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useStubs } from '../../support/stubEditor.ts';

const openings = 200;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap that are in use. */
async function heapUsed(): Promise<number> {
  // The second round collects what finalizers released.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

describe('tabs of chats', () => {
  const stub = useStubs();
  let listening = 0;
  const account = accountOf('account-1');
  let pages: ChatPages;
  let conversation: Conversation;
  let attached: string[];

  /** Returns the event, whose listeners are counted. */
  const counted =
    <T>(event: Event<T>): Event<T> =>
    (listener) => {
      listening += 1;
      const subscription = event(listener);
      return {
        dispose: () => {
          listening -= 1;
          subscription.dispose();
        },
      };
    };

  beforeEach(() => {
    stubChats(stub, { createWebviewPanel: () => new FakeSurface() });
    const open = openConversation(account, 'conversation-1');
    ({ conversation } = open);
    Object.assign(conversation, { onDidChange: counted(conversation.onDidChange) });
    const followed = { onDidChange: counted(never) };
    attached = [];
    const addForPage = (uris: readonly string[]) => Promise.resolve(void attached.push(...uris));
    const context = { attachments: [], onDidChange: counted(never), addForPage };
    const item = { id: '1', label: 'a.ts', detail: '' };
    pages = chatPages({
      accounts: { ...accountsOf(account), ...followed },
      interns: { ...followed, name: () => 'ada' },
      conversations: {
        ...followed,
        onDidChangeDeletion: never,
        open: () => Promise.resolve(open),
      },
      contexts: { for: () => context },
      completions: {
        file: {
          find: () => Promise.resolve([item]),
          get: (id: string) => (id === item.id ? { uri: item.label } : undefined),
        },
        prompt: { compose: () => Promise.resolve('Review this.') },
      },
      settings: { onDidChangePage: followed.onDidChange },
    });
  });

  afterEach(() => {
    pages.dispose();
  });

  async function openAndClose(): Promise<WeakRef<object>> {
    const tab = await pages.show(account, conversation.id);
    assert.ok(tab);
    tab.surface.dispose();
    return new WeakRef(tab);
  }

  it('a page gets no response to a request of the page before it', async () => {
    const tab = new FakeSurface();
    stub(vscode.window, { createWebviewPanel: () => tab });
    await pages.show(account, conversation.id);
    tab.say('history', { from: 0, count: 1 });
    tab.show(false);
    tab.say('history', { from: 0, count: 1 });
    tab.show(true);
    tab.say('ready', { lastSeq: null });
    assert.equal(tab.bodies('snapshot').length, 2);
    assert.equal(tab.bodies('history').length, 1);
  });

  it('a page attaches a file that was offered to it, or inserts a prompt', async () => {
    const tab = new FakeSurface();
    stub(vscode.window, { createWebviewPanel: () => tab });
    await pages.show(account, conversation.id);
    tab.say('complete', { request: 1, kind: 'file', query: 'a' });
    for (const id of ['1', 'not offered']) tab.say('chooseCompletion', { kind: 'file', id });
    tab.say('chooseCompletion', { kind: 'prompt', id: '2' });
    await eventually(() => tab.bodies('compose').length === 1);
    const [offered] = tab.bodies('completions');
    assert.deepEqual([offered?.items.length, attached], [1, ['a.ts']]);
    assert.deepEqual(tab.bodies('compose'), [{ text: 'Review this.', where: 'completed' }]);
  });

  it('closed tabs leave no listeners and no memory behind', async () => {
    for (let warmUp = 0; warmUp < 20; warmUp++) await openAndClose();
    const before = { listening, heap: await heapUsed() };
    const opened: WeakRef<object>[] = [];
    for (let time = 0; time < openings; time++) opened.push(await openAndClose());
    const heap = await heapUsed();
    const percent = ((heap / before.heap - 1) * 100).toFixed(2);
    console.log(`${openings} tabs: ${listening} listeners, heap ${percent} %`);
    assert.equal(listening, before.listening);
    // A stack may still hold the last ones.
    const alive = opened.filter((tab) => tab.deref() !== undefined).length;
    assert.ok(alive < openings / 20, `${alive} tabs are kept in memory`);
    assert.ok(heap < before.heap * 1.05, `${before.heap} bytes became ${heap}`);
  });
});
