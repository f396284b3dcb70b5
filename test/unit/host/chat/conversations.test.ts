import assert from 'node:assert/strict';
import { appendFile, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memento } from 'vscode';
import { createServiceClient, parseApiRoot } from '../../../../src/api/index.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { Conversation } from '../../../../src/chat/conversation.ts';
import type { PendingQuestion } from '../../../../src/chat/questions/types.ts';
import type { Account, Accounts } from '../../../../src/host/auth/account.ts';
import { Conversations } from '../../../../src/host/chat/conversations.ts';
import { Drafts } from '../../../../src/host/chat/drafts.ts';
import { QueueKeeper } from '../../../../src/host/chat/queueKeeper.ts';
import type { InternModel } from '../../../../src/host/interns/internModel.ts';
import type { Settings } from '../../../../src/host/settings.ts';
import { startService, type Service } from '../../../service/service.ts';
import { eventually, nodeWatcher, useTemporaryFolder } from '../support/folders.ts';
import { RecordingLog } from '../support/recordingLog.ts';

/** A window: its own conversations over the same storage and service. */
interface Window {
  readonly conversations: Conversations;
  readonly account: Account;
  readonly asked: PendingQuestion[];
  readonly ended: string[];
}

/** What VS Code remembers for a workspace. */
function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  } as Memento;
}

describe('conversations on disk', () => {
  const folder = useTemporaryFolder();
  let service: Service;
  const windows: Window[] = [];

  beforeEach(async () => {
    service = await startService({ keepaliveMs: 50 });
  });

  afterEach(async () => {
    for (const { conversations } of windows.splice(0)) conversations.dispose();
    await service.close();
  });

  function openWindow(id: string): Window {
    const root = parseApiRoot(service.url);
    assert.ok(root.ok);
    const client = createServiceClient({ root: root.value, key: () => 'test-key-owner' });
    const account = {
      id: 'account-1',
      state: 'ready',
      store: { conversationsDir: join(folder.path, 'conversations') },
    } as Account;
    const accounts = {
      get: () => account,
      client: () => client,
      onDidChange: new Emitter<void>().event,
    } as unknown as Accounts;
    const interns = { name: () => 'ada', saw: () => Promise.resolve() } as unknown as InternModel;
    const settings: Pick<Settings, 'approvalMode'> = { approvalMode: 'manual' };
    const conversations = new Conversations({
      accounts,
      interns,
      settings,
      clock: systemClock,
      watch: nodeWatcher,
      log: new RecordingLog(),
      window: id,
    });
    const window: Window = { conversations, account, asked: [], ended: [] };
    conversations.useDesk({
      arrive: (question) => window.asked.push(question),
      end: (question) => window.ended.push(question),
      answer: (question, answer) => {
        const open = conversations.open.find(({ conversation }) =>
          conversation.transcript.question(question),
        );
        return open?.conversation.answer(question, answer) ?? Promise.resolve(undefined);
      },
      get: () => undefined,
      open: () => [],
      timeLeft: () => 0,
    });
    windows.push(window);
    return window;
  }

  function start({ conversations, account }: Window): Conversation {
    return conversations.create(account, 'intern_ada').conversation;
  }

  function submit(conversation: Conversation, text: string): void {
    conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
  }

  async function open({ conversations, account }: Window, id: string): Promise<Conversation> {
    const found = await conversations.get(account, id);
    assert.ok(found, `conversation ${id} is on record`);
    return found.conversation;
  }

  const isIdle = (conversation: Conversation) => (): boolean =>
    conversation.state.phase.kind === 'idle';

  const textOf = ({ transcript }: Conversation): string =>
    (transcript.lastReply?.parts ?? [])
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('');

  it('leaves no file behind for one that nothing was said in', async () => {
    const window = openWindow('a');
    start(window);
    await window.conversations.flush();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('are found by the next window as they were, title and all', async () => {
    const window = openWindow('a');
    const conversation = start(window);
    submit(conversation, 'echo Remember the milk');
    await eventually(isIdle(conversation));
    await window.conversations.flush();
    const next = openWindow('b');
    const [head] = await next.conversations.list(next.account, 'intern_ada');
    assert.equal(head!.title, 'echo Remember the milk');
    assert.equal(head!.state, 'idle');
    const again = await open(next, conversation.id);
    assert.equal(textOf(again), textOf(conversation));
    assert.equal(again.state.session, conversation.state.session);
  });

  it('show the same in two windows: one reads the run, the other follows it to its end', async () => {
    const first = openWindow('a');
    const conversation = start(first);
    submit(conversation, 'ask permission');
    await eventually(() => first.asked.length === 1);
    await first.conversations.flush();
    const second = openWindow('b');
    const follower = await open(second, conversation.id);
    assert.equal(follower.state.phase.kind, 'paused');
    const [question] = second.asked;
    assert.ok(question);
    const outcome = await second.conversations.answer(question, {
      kind: 'permission',
      choice: 'allow_once',
    });
    assert.equal(outcome.kind, 'accepted');
    await eventually(isIdle(follower));
    await second.conversations.flush();
    await eventually(isIdle(conversation));
    assert.equal(textOf(conversation), textOf(follower));
    assert.deepEqual(first.ended, [question.id], 'the first window withdraws its question');
  });

  it('are not judged cut by another window while their prompt waits for its next try', async () => {
    const first = openWindow('a');
    const conversation = start(first);
    submit(conversation, 'fail rate_limited');
    await eventually(() => conversation.state.phase.kind === 'backing-off');
    await first.conversations.flush();
    await eventually(async () =>
      (await readdir(join(folder.path, 'conversations'))).some((name) => name.endsWith('.run')),
    );
    const follower = await open(openWindow('b'), conversation.id);
    assert.equal(follower.transcript.lastReply?.state, 'working');
  });

  it('keep the prompts that wait without a tab: until they are sent, and for the next window', async () => {
    const drafts = new Drafts(memento());
    const window = openWindow('a');
    const keeper = new QueueKeeper(window.conversations, drafts);
    const conversation = start(window);
    submit(conversation, 'stall');
    submit(conversation, 'echo Later');
    assert.deepEqual(
      drafts.get(conversation.id).queue.map(({ text }) => text),
      ['echo Later'],
    );
    await eventually(() => textOf(conversation) !== '');
    await window.conversations.flush();
    keeper.dispose();
    window.conversations.dispose();
    const next = openWindow('b');
    const nextKeeper = new QueueKeeper(next.conversations, drafts);
    const again = await open(next, conversation.id);
    assert.equal(again.state.queueHeld, true);
    again.send({ type: 'remove-queued', id: again.state.queue[0]!.id });
    assert.deepEqual(drafts.get(conversation.id).queue, []);
    nextKeeper.dispose();
  });

  it('survive a torn last line: what stands before it is read, and the next line starts anew', async () => {
    const window = openWindow('a');
    const conversation = start(window);
    submit(conversation, 'echo One');
    await eventually(isIdle(conversation));
    await window.conversations.flush();
    const [file] = (await readdir(join(folder.path, 'conversations'))).filter((name) =>
      name.endsWith('.jsonl'),
    );
    const path = join(folder.path, 'conversations', file!);
    await appendFile(path, '{"type":"text","id":"torn","at":1,"run":"x","te');
    const next = openWindow('b');
    const again = await open(next, conversation.id);
    submit(again, 'echo Two');
    await eventually(isIdle(again));
    await next.conversations.flush();
    const third = await open(openWindow('c'), conversation.id);
    assert.equal(third.transcript.messages.filter(({ kind }) => kind === 'prompt').length, 2);
  });

  it('hold no secret: neither the key nor the values of an answer', async () => {
    const window = openWindow('a');
    const conversation = start(window);
    submit(conversation, 'ask name');
    await eventually(() => window.asked.length === 1);
    const { question } = window.asked[0]!;
    assert.ok(question.kind === 'elicitation');
    const [field] = question.fields;
    await window.conversations.answer(window.asked[0]!, {
      kind: 'elicitation',
      action: 'accept',
      content: { [field!.name]: 'placeholder-answer' },
    });
    await eventually(isIdle(conversation));
    await window.conversations.flush();
    const files = (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8');
      assert.ok(!text.includes('test-key-owner'), `${name} holds the key`);
      const said = text.split('\n').filter((line) => !line.includes('"type":"text"'));
      assert.ok(!said.join('\n').includes('placeholder-answer'), `${name} holds an answer`);
    }
  });

  it('stay deleted though another window has them open and goes on: its run ends, and nothing is brought back', async () => {
    const first = openWindow('a');
    const conversation = start(first);
    submit(conversation, 'stall');
    await first.conversations.flush();
    const second = openWindow('b');
    await open(second, conversation.id);
    await second.conversations.delete(second.account, conversation.id);
    const [shown] = first.conversations.open;
    assert.ok(shown);
    await eventually(() => shown.isDeleted);
    await eventually(isIdle(conversation));
    submit(conversation, 'echo After all');
    await first.conversations.flush();
    const left = await readdir(join(folder.path, 'conversations'), { recursive: true });
    assert.deepEqual(
      left.filter((name) => /\.jsonl?$/u.test(name)),
      [],
    );
    assert.deepEqual(await openWindow('c').conversations.list(first.account), []);
    assert.equal(
      conversation.transcript.title,
      'stall',
      'what is shown stays while the tab is open',
    );
  });

  it('have their question cancelled on the service before they are gone: nothing could cancel it after', async () => {
    const window = openWindow('a');
    const conversation = start(window);
    submit(conversation, 'ask permission');
    await eventually(() => window.asked.length === 1);
    await window.conversations.delete(window.account, conversation.id);
    assert.notEqual(service.state.session(conversation.state.session!)?.run, 'paused');
  });

  it('are gone after a delete, here and on disk, with their run stopped', async () => {
    const window = openWindow('a');
    const conversation = start(window);
    submit(conversation, 'stall');
    await eventually(() => textOf(conversation) !== '');
    await window.conversations.delete(window.account, conversation.id);
    const left = (await readdir(folder.path, { recursive: true })).filter((name) =>
      /\.jsonl?$/.test(name),
    );
    assert.deepEqual(left, []);
    assert.equal(await window.conversations.get(window.account, conversation.id), undefined);
  });
});
