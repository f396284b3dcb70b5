import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../../../src/base/clock.ts';
import { Emitter, type Disposable } from '../../../../src/base/disposable.ts';
import { recordPath } from '../../../../src/features/conversations/conversationRecord.ts';
import { Conversations } from '../../../../src/features/conversations/conversations.ts';
import { Drafts } from '../../../../src/features/conversations/drafts.ts';
import { ConversationList } from '../../../../src/features/conversations/conversationList.ts';
import { runsOfAccounts } from '../../../../src/features/conversations/runsOfAccounts.ts';
import { takeOverRuns } from '../../../../src/features/conversations/takeOver.ts';
import { eventually } from '../../../harness/until.ts';
import { startService, type Exchange, type Service } from '../../../service/service.ts';
import { permission } from '../../conversation/questions/fakes.ts';
import { conversationOptions } from '../../support/accountWindow.ts';
import { never } from '../../support/chatPages.ts';
import { submit, talk } from '../../support/conversationWindows.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { useKeeperWindows } from '../../support/keepers.ts';

describe('taking over runs', () => {
  const storage = useTemporaryFolder();
  const keepers = useKeeperWindows(storage);
  const opened: Disposable[] = [];
  const chats: Exchange[] = [];
  let service: Service;

  beforeEach(async () => {
    chats.length = 0;
    const onRequest = (exchange: Exchange) => {
      if (exchange.method === 'POST') chats.push(exchange);
    };
    service = await startService({ keepaliveMs: 50, observer: { onRequest } });
  });

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) each.dispose();
    await service.close();
  });

  /** Opens a window; `look` makes it look for runs whose window is gone. */
  function openWindow(id: string, unattendedSince?: number, clock: Clock = systemClock) {
    const changed = new Emitter<void>();
    const options = conversationOptions(storage.path, service.url, id);
    const { keeper } = keepers.open({ window: id });
    const conversations = new Conversations({ ...options, keeper });
    const drafts = new Drafts(conversations, { ...options, workspace: 'workspace' });
    let aloneCount = 0;
    const takeOver = takeOverRuns({
      ...options,
      clock,
      accounts: { all: options.accounts.all, onDidChange: changed.event },
      conversations,
      unattendedSince,
      onDidContinueUnattended: () => (aloneCount += 1),
    });
    const close = async () => {
      takeOver.dispose();
      await Promise.all([conversations.flush(), drafts.flush()]);
      conversations.dispose();
      keeper.dispose();
    };
    opened.push(takeOver, conversations, drafts);
    const { account, log } = options;
    const look = () => changed.fire();
    return { account, conversations, options, close, log, look, alone: () => aloneCount };
  }

  type Window = ReturnType<typeof openWindow>;

  /** Starts a run and closes its window once the reply has begun. */
  async function startAndClose(prompt: string): Promise<string> {
    const { account, conversations, close } = openWindow('first');
    const { conversation } = conversations.create(account, 'intern_ada');
    submit(conversation, prompt);
    await eventually(() => (conversation.transcript.lastReply?.parts.length ?? 0) > 0);
    await close();
    return conversation.id;
  }

  const liveIn = ({ conversations }: Window, id: string) =>
    conversations.live.find(({ conversation }) => conversation.id === id)?.conversation;

  const responses = () => readdir(join(storage.path, 'responses')).catch(() => []);

  /** Starts a run, closes its window, and deletes its response file, which ends the run. */
  async function startAndLose() {
    const id = await startAndClose('slow 60');
    const [name = ''] = await responses();
    const path = join(storage.path, 'responses', name);
    await rm(path);
    await eventually(() => chats[0]?.outcome === 'cut');
    return { id, name, path };
  }

  it('a run continues in the next window, even if its chat is not open', async () => {
    const id = await startAndClose('slow 2');
    const next = openWindow('next');
    next.look();
    await eventually(() => liveIn(next, id)?.transcript.lastReply?.state === 'done');
    assert.match(JSON.stringify(liveIn(next, id)?.transcript.lastReply?.parts), /2 s\./);
    await eventually(async () => (await responses()).length === 0);
    assert.equal(chats.length, 1);
    assert.equal(chats[0]?.outcome, 'complete');
    assert.equal(next.alone(), 0);
  });

  it('a window looks every five seconds for runs whose window has closed', async () => {
    const first = openWindow('first');
    const { conversation } = first.conversations.create(first.account, 'intern_ada');
    submit(conversation, 'slow 60');
    await eventually(() => (conversation.transcript.lastReply?.parts.length ?? 0) > 0);
    const clock = new FakeClock();
    const next = openWindow('next', undefined, clock);
    next.look();
    await eventually(() => clock.waiting === 1);
    await first.close();
    await eventually(() => {
      // The first window gives the run up a moment after it closed.
      clock.advance(5_000);
      return liveIn(next, conversation.id)?.state.phase.kind === 'requesting';
    });
  });

  it('prompts that were held beside a run are held when it ends in the next window', async () => {
    const { account, conversations, close } = openWindow('first');
    const { conversation } = conversations.create(account, 'intern_ada');
    submit(conversation, 'stall');
    submit(conversation, 'echo Held');
    await conversation.whenSent;
    conversation.send({ type: 'stop' });
    submit(conversation, 'slow 1');
    await eventually(() => (conversation.transcript.lastReply?.parts.length ?? 0) > 0);
    await close();
    const next = openWindow('next');
    next.look();
    const { id } = conversation;
    await eventually(() => liveIn(next, id)?.transcript.lastReply?.state === 'done');
    await eventually(() => liveIn(next, id)?.state.phase.kind === 'idle');
    // The queue is read from the drafts later, if the run has already ended in the first window.
    await eventually(() => liveIn(next, id)?.state.queue.length === 1);
    const { queue, queueHeld } = liveIn(next, id)?.state ?? assert.fail();
    assert.deepEqual([queue.map(({ text }) => text), queueHeld], [['echo Held'], true]);
  });

  it('the list shows a silent run as running again once a window has taken it over', async () => {
    const { account, conversations, close } = openWindow('first');
    const { conversation } = conversations.create(account, 'intern_ada');
    service.faults.next('chat', { kind: 'hang' });
    submit(conversation, 'echo One');
    await eventually(() => chats.length > 0);
    await close();
    const next = openWindow('next');
    const list = new ConversationList({
      ...next.options,
      accounts: { active: account, onDidChange: never },
      conversations: next.conversations,
      workspaceState: new FakeMemento(),
      contextKeys: { set: () => undefined },
    } as unknown as ConstructorParameters<typeof ConversationList>[0]);
    opened.push(list);
    await list.load();
    await eventually(() => list.get(conversation.id)?.state === 'failed');
    next.look();
    await eventually(() => list.get(conversation.id)?.state === 'running');
  });

  it('the user is told that a run continued unattended only if it began before', async () => {
    const before = Date.now();
    const id = await startAndClose('slow 60');
    for (const [since, told] of [
      [() => undefined, 0],
      [() => before, 0],
      // This must be later than the entries of the windows before it.
      [Date.now, 1],
    ] as const) {
      const next = openWindow('next', since());
      next.look();
      await eventually(() => liveIn(next, id)?.state.phase.kind === 'requesting');
      await next.conversations.open(next.account, id);
      await eventually(() => next.alone() === told);
      await next.close();
    }
  });

  it('one of two windows continues a run if both look for it at once', async () => {
    const id = await startAndClose('slow 2');
    const windows = [openWindow('second'), openWindow('third')];
    for (const each of windows) each.look();
    const ended = () =>
      windows.some((each) => liveIn(each, id)?.transcript.lastReply?.state === 'done');
    await eventually(ended);
    for (const { close } of windows) await close();
    const last = openWindow('last');
    const { lastReply } = await last.conversations.read(last.account, id);
    assert.equal(JSON.stringify(lastReply?.parts).split('1 s').length, 2, 'the words come once');
    assert.equal(chats.length, 1);
  });

  it('a prompt that waited in one window for a run of another gets its whole reply', async () => {
    const [first, second] = [openWindow('first'), openWindow('second')];
    const { conversation: here } = first.conversations.create(first.account, 'intern_ada');
    const { id } = here;
    submit(here, 'slow 1');
    await eventually(() => (here.transcript.lastReply?.parts.length ?? 0) > 0);
    await first.conversations.flush();
    const there = (await second.conversations.open(second.account, id))?.conversation;
    assert.ok(there);
    submit(there, 'slow 2');
    await eventually(() => here.transcript.lastReply?.state === 'done' && chats.length === 2);
    assert.match(JSON.stringify(here.transcript.lastReply?.parts), /1 s.*2 s\./);
    const { lastReply } = there.transcript;
    assert.deepEqual(here.transcript.lastReply?.parts, lastReply?.parts);
  });

  it('deleting a conversation stops its run, even without a window', async () => {
    const id = await startAndClose('slow 60');
    const ofOther = 'other.one.response';
    await writeFile(join(storage.path, 'responses', ofOther), '');
    const next = openWindow('next');
    await next.conversations.delete(next.account, id);
    await eventually(() => chats[0]?.outcome === 'cut');
    assert.deepEqual(await responses(), [ofOther]);
  });

  it('signing out counts and stops the runs of the account, even without a window', async () => {
    await startAndClose('slow 60');
    const { account, conversations, log } = openWindow('next');
    const { pendingQuestions } = conversations;
    pendingQuestions.add(permission('ours'));
    pendingQuestions.add({ ...permission('of another'), account: 'account-2' });
    const runs = runsOfAccounts(conversations, log);
    assert.deepEqual(await runs.activity(account), { runs: 1, questions: 1 });
    await runs.stop(account);
    await eventually(() => chats[0]?.outcome === 'cut');
    assert.deepEqual(await runs.activity(account), { runs: 0, questions: 0 });
    assert.equal(pendingQuestions.listOpen().length, 1);
  });

  it('signing out counts no response that is left of a run that ended', async () => {
    const { account, conversations, log } = openWindow('only');
    const { conversation } = conversations.create(account, 'intern_ada');
    await talk(conversation, 'echo One', conversations);
    await eventually(async () => (await responses()).length === 0);
    await writeFile(join(storage.path, 'responses', `${conversation.id}.old.response`), '');
    const runs = runsOfAccounts(conversations, log);
    assert.equal((await runs.activity(account)).runs, 0);
  });

  const yesterday = new Date(Date.now() - 86_500_000);

  it('a window removes a response that no conversation needs after a day', async () => {
    const { account, close } = openWindow('first');
    await close();
    const folder = join(storage.path, 'responses');
    await mkdir(folder);
    for (const name of ['gone.old', 'unreadable.old', 'gone.new'])
      await writeFile(join(folder, `${name}.response`), '');
    await mkdir(account.store.paths.conversations, { recursive: true });
    await writeFile(recordPath(account, 'unreadable'), '');
    for (const name of ['gone.old', 'unreadable.old'])
      await utimes(join(folder, `${name}.response`), yesterday, yesterday);
    const window = openWindow('only');
    window.look();
    await eventually(async () => (await responses()).length === 2);
    assert.deepEqual(await responses(), ['gone.new.response', 'unreadable.old.response']);
  });

  it('a window keeps a response of a newer version for as long as its run needs it', async () => {
    const { id, name, path } = await startAndLose();
    await writeFile(path, 'interns\x02');
    await utimes(path, yesterday, yesterday);
    const next = openWindow('next');
    next.look();
    await eventually(() => liveIn(next, id)?.state.phase.kind === 'elsewhere');
    await next.close();
    assert.deepEqual(await responses(), [name]);
  });

  it('a run is over if a power failure filled its response with zeros', async () => {
    const { id, path } = await startAndLose();
    await writeFile(path, Buffer.alloc(4_096));
    const next = openWindow('next');
    next.look();
    await eventually(async () => (await responses()).length === 0);
    assert.equal(liveIn(next, id)?.transcript.lastReply?.state, 'failed');
  });

  it('a window does not log each time that it finds the response of a damaged record', async () => {
    const id = await startAndClose('slow 60');
    const next = openWindow('next');
    await writeFile(recordPath(next.account, id), '');
    const later = join(storage.path, 'responses', 'later.old.response');
    await writeFile(later, '');
    await utimes(later, yesterday, yesterday);
    next.look();
    await eventually(async () => (await responses()).length === 1);
    assert.deepEqual(next.log.lines, []);
  });
});
