import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import {
  conversationCommands,
  type ChatCommandPorts,
} from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { recordPath } from '../../../../src/features/conversations/conversationRecord.ts';
import type { ChatDraft } from '../../../../src/features/conversations/drafts.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { UnreadableFileError } from '../../../../src/platform/storage/unreadable.ts';
import type { WatchFolder } from '../../../../src/platform/storage/watch.ts';
import { eventually } from '../../../harness/until.ts';
import {
  openIn,
  startIn,
  submit,
  talk,
  useConversationWindows,
  type ConversationWindow,
} from '../../support/conversationWindows.ts';
import { permission } from '../../conversation/questions/fakes.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

/** The mark of a window whose process has ended. */
const deadMark = JSON.stringify({ window: 'dead', pid: 1, at: 0, born: 'earlier' });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('files of conversations', () => {
  const { folder, openWindow, startWindow } = useConversationWindows();

  /** Runs a command for conversations. */
  async function run(
    { conversations, account }: ConversationWindow,
    command: 'interns.archiveConversation' | 'interns.pinConversation',
    ids: readonly string[],
  ): Promise<void> {
    const { registrar } = new FakeAccounts();
    const ports = { accounts: { active: account }, conversations, pages: {} };
    registrar.register(conversationCommands, ports as unknown as ChatCommandPorts);
    const targets = ids.map((conversation) => ({ intern: 'intern_ada', conversation }));
    await registrar.run(command, [targets[0], targets]);
  }

  /** Starts a conversation that has a draft on disk, in the folder of `workspace-a`. */
  async function startWithDraft() {
    const { window, conversation } = startWindow();
    const { account, conversations, drafts } = window;
    await talk(conversation, 'echo One', conversations);
    drafts.set(conversation.id, { text: 'private' });
    await drafts.flush();
    const draftsDir = account.store.paths.drafts;
    const { id } = conversation;
    const forget = () => drafts.forget(account, id);
    const draftFolder = join(draftsDir, 'workspace-a');
    const file = join(draftFolder, `${id}.json`);
    return { drafts, draftsDir, draftFolder, file, id, forget };
  }

  const listedIn = async ({ conversations, account }: ConversationWindow) =>
    (await conversations.list(account)).map(({ listed }) => listed);

  it('archived conversations are not kept open, and their records say that they are archived', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const [one, two] = [startIn(first), startIn(first)];
    for (const each of [one, two]) await talk(each, 'echo One', first.conversations);
    first.conversations.dispose();
    await run(second, 'interns.archiveConversation', [one.id, two.id]);
    assert.deepEqual(second.conversations.live, []);
    assert.deepEqual(await listedIn(second), ['archived', 'archived']);
    assert.equal((await openIn(second, one.id)).transcript.listedAs, 'archived');
    await run(second, 'interns.pinConversation', [one.id]);
    assert.equal((await openIn(second, one.id)).transcript.listedAs, 'pinned');
  });

  it('a conversation whose record is damaged can be deleted and restored', async () => {
    const { window, conversation } = startWindow();
    await talk(conversation, 'echo Water the plants', window.conversations);
    await window.conversations.flush();
    window.conversations.dispose();
    const { conversations, account } = openWindow('a');
    const path = recordPath(account, conversation.id);
    await writeFile(path, 'damaged');
    const heads = await conversations.list(account);
    const restore = await conversations.delete(account, conversation.id);
    assert.deepEqual(await conversations.list(account), []);
    await restore();
    assert.deepEqual(await conversations.list(account), heads);
    assert.equal(await readFile(path, 'utf8'), 'damaged');
  });

  it('a damaged record is not watched after a window has tried to open it', async () => {
    let watchers = 0;
    const watch = () => {
      watchers += 1;
      return { dispose: () => (watchers -= 1) };
    };
    const { conversations, account } = openWindow('a', { watch });
    const path = recordPath(account, 'damaged');
    await mkdir(dirname(path));
    await writeFile(path, 'damaged\n');
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(conversations.open(account, 'damaged'), UnreadableFileError);
    assert.equal(watchers, 0);
  });

  it('a conversation whose record is damaged can be archived', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const conversation = startIn(first);
    await talk(conversation, 'echo One', first.conversations);
    first.conversations.dispose();
    await writeFile(recordPath(first.account, conversation.id), 'damaged');
    await run(second, 'interns.archiveConversation', [conversation.id]);
    assert.deepEqual(await listedIn(second), ['archived']);
  });

  it('only the window of a run writes the head when another window archives its conversation', async () => {
    const reports: (() => void)[] = [];
    const watch: WatchFolder = (_folder, onChange) => {
      reports.push(() => onChange(undefined));
      return { dispose: () => undefined };
    };
    const [first, second] = [openWindow('a', { watch }), openWindow('b')];
    const conversation = startIn(first);
    submit(conversation, 'stall');
    await first.conversations.flush();
    await run(second, 'interns.archiveConversation', [conversation.id]);
    assert.deepEqual(await listedIn(openWindow('c')), ['plain']);
    for (const report of reports) report();
    await eventually(async () => (await listedIn(openWindow('d')))[0] === 'archived');
  });

  it('a failure to write that a conversation is archived is logged', async () => {
    const log = new RecordingLog();
    // Writing is not tried again.
    const clock = { ...systemClock, setTimeout: () => ({ dispose: () => undefined }) };
    const [first, second] = [openWindow('a'), openWindow('b', { log, clock })];
    const conversation = startIn(first);
    await talk(conversation, 'echo One', first.conversations);
    first.conversations.dispose();
    const path = recordPath(first.account, conversation.id);
    await rm(path);
    await mkdir(path);
    await run(second, 'interns.archiveConversation', [conversation.id]);
    assert.deepEqual(log.lines, [`A conversation could not be written [${conversation.id}]`]);
  });

  it('a window does not log every ten seconds that the head of a conversation is damaged', async () => {
    const log = new RecordingLog();
    const [first, second] = [openWindow('a'), openWindow('b', { log })];
    const conversation = startIn(first);
    await talk(conversation, 'echo One', first.conversations);
    first.conversations.dispose();
    await writeFile(join(first.account.store.paths.heads, `${conversation.id}.json`), '{}');
    await talk(await openIn(second, conversation.id), 'echo Two', second.conversations);
    assert.deepEqual(log.lines, []);
  });

  const headPath = ({ account }: ConversationWindow, id: string) =>
    join(account.store.paths.heads, `${id}.json`);

  for (const [harm, inflict] of Object.entries({
    'empty heads': (path: string) => writeFile(path, ''),
    'heads full of zeros': (path: string) => writeFile(path, Buffer.alloc(512)),
    'heads that end early': (path: string) => writeFile(path, '{"version": 1, "id": "'),
    'no heads': (path: string) => rm(path),
  }))
    it(`a window lists conversations that have ${harm} as before`, async () => {
      const [first, second] = [openWindow('a'), openWindow('b')];
      const [done, waiting, running] = [startIn(first), startIn(first), startIn(first)];
      await talk(done, 'echo Water the plants', first.conversations);
      submit(waiting, 'ask permission');
      submit(running, 'ignore');
      await eventually(() => waiting.deadline !== undefined);
      await first.conversations.flush();
      first.conversations.dispose();
      const before = await openWindow('c').conversations.list(first.account);
      assert.deepEqual(before.map(({ state }) => state).sort(), ['idle', 'waiting', 'working']);
      for (const { id } of [done, waiting, running]) await inflict(headPath(first, id));
      assert.deepEqual(await second.conversations.list(second.account), before);
      assert.deepEqual(await openWindow('d').conversations.list(first.account), before);
    });

  /** Returns the names of all files of a conversation. */
  async function filesOf(id: string): Promise<readonly string[]> {
    const names = await readdir(folder.path, { recursive: true });
    return names.filter((name) => name.includes(id)).sort();
  }

  /** Starts a conversation that has a file of each kind. */
  async function startWithAllFiles() {
    const { window, conversation } = startWindow();
    const { account, conversations, drafts } = window;
    const { id } = conversation;
    await talk(conversation, 'echo One', conversations);
    drafts.set(id, { text: 'private' });
    await drafts.flush();
    await conversations.readPositions.mark(account, { id, at: 1 }, true);
    const question = { ...permission('question-1'), conversation: id, account: account.id };
    await conversations.questionHeads.markDialog(question, 1);
    await writeFile(join(account.store.paths.conversations, `${id}.run`), deadMark);
    await mkdir(account.store.paths.responses, { recursive: true });
    await writeFile(join(account.store.paths.responses, `${id}.response-1.response`), '');
    assert.equal((await filesOf(id)).length, 7);
    return { window, id };
  }

  it('the next window finishes a deletion that a crash interrupted', async () => {
    const { window, id } = await startWithAllFiles();
    window.conversations.dispose();
    await rm(recordPath(window.account, id));
    const { conversations, account } = openWindow('b');
    assert.deepEqual(await conversations.list(account), []);
    assert.deepEqual(await filesOf(id), []);
  });

  it('a deletion removes the head after all else, so that a crash leaves nothing else', async () => {
    const { window, id } = await startWithAllFiles();
    const { conversations, account } = window;
    await conversations.list(account);
    let left: readonly string[] = [];
    conversations.onDidChange(() => {
      left = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
    });
    await conversations.delete(account, id);
    assert.ok(left.length > 0);
    assert.deepEqual(
      left.filter((name) => name.includes(id)),
      [],
    );
  });

  it('a window does not delete a conversation whose record its owner has yet to write', async () => {
    const window = openWindow('a');
    const { conversations, account } = window;
    const conversationsDir = account.store.paths.conversations;
    const elsewhere = { window: 'elsewhere', log: new RecordingLog() };
    await new OwnerFile(conversationsDir, 'c1', elsewhere).take();
    await mkdir(account.store.paths.heads);
    const head = { intern: 'i', title: 'One', createdAt: 1, at: 1, state: 'working' };
    await writeFile(headPath(window, 'c1'), JSON.stringify({ id: 'c1', ...head }));
    assert.equal((await conversations.list(account)).length, 1);
  });

  it('deleting a conversation leaves no part of its drafts that a crash left', async () => {
    const { draftFolder, file, forget } = await startWithDraft();
    await writeFile(`${file}.0123456789ab.tmp`, 'private');
    await writeFile(join(draftFolder, 'another.json'), '{}');
    await forget();
    assert.deepEqual(await readdir(draftFolder), ['another.json']);
  });

  it('a conversation can be deleted although a file is among the folders of drafts', async () => {
    const { draftsDir, draftFolder, forget } = await startWithDraft();
    // Finder leaves one in each folder that it shows.
    await writeFile(join(draftsDir, '.DS_Store'), '');
    await forget();
    assert.deepEqual(await readdir(draftFolder), []);
  });

  it('the last flush of a window waits for a draft that is being written', async () => {
    const { drafts, file, id } = await startWithDraft();
    for (const text of ['One', 'Two']) {
      drafts.set(id, { text });
      void drafts.flush();
    }
    await drafts.flush();
    assert.equal((JSON.parse(await readFile(file, 'utf8')) as ChatDraft).text, 'Two');
  });

  it('a draft that is being written does not come back after its deletion', async () => {
    const { drafts, draftFolder, id, forget } = await startWithDraft();
    drafts.set(id, { text: 'private, and more' });
    const written = drafts.flush();
    await forget();
    await written;
    assert.deepEqual(await readdir(draftFolder), []);
  });

  it('a draft is on disk soon after a change', async () => {
    const { window, conversation } = startWindow();
    const { account, conversations, drafts } = window;
    await talk(conversation, 'echo One', conversations);
    drafts.set(conversation.id, { text: 'typed' });
    const folder = join(account.store.paths.drafts, 'workspace-a');
    await eventually(async () => (await readdir(folder).catch(() => [])).length === 1);
  });

  it('a draft reports its change at once, as a dialog may wait for it', () => {
    const { window, conversation } = startWindow();
    const texts: string[] = [];
    window.drafts.onDidChange(() => texts.push(window.drafts.get(conversation.id).text));
    window.drafts.set(conversation.id, { text: 'typed' });
    assert.deepEqual(texts, ['typed']);
  });

  it('a draft that could not be read for a moment is written with the next change', async () => {
    const { drafts, file, id } = await startWithDraft();
    const aside = join(folder.path, 'aside');
    await rename(file, aside);
    await mkdir(file);
    drafts.set(id, { text: 'private, and more' });
    await drafts.flush();
    await rmdir(file);
    await rename(aside, file);
    drafts.set(id, { pageHung: true });
    await drafts.flush();
    const { text, pageHung } = JSON.parse(await readFile(file, 'utf8')) as ChatDraft;
    assert.deepEqual({ text, pageHung }, { text: 'private, and more', pageHung: true });
  });

  it('a draft whose file was emptied is written as a whole', async () => {
    const { drafts, file, id } = await startWithDraft();
    await writeFile(file, '');
    drafts.set(id, { pageHung: true });
    await drafts.flush();
    assert.equal((JSON.parse(await readFile(file, 'utf8')) as ChatDraft).text, 'private');
  });

  it('a waiting prompt that another window of the workspace edits or removes changes here', async () => {
    const [first, second] = [openWindow('a'), openWindow('a')];
    const here = startIn(first);
    for (const text of ['stall', 'echo Two', 'echo Three']) submit(here, text);
    await eventually(() => here.state.queue.length === 2);
    await Promise.all([first.conversations.flush(), first.drafts.flush()]);
    const there = await openIn(second, here.id);
    const [two, three] = there.state.queue.map(({ id }) => id);
    const prompt = { text: 'echo 2', sent: 'echo 2', attachments: [] };
    there.send({ type: 'edit-queued', id: two!, prompt });
    there.send({ type: 'remove-queued', id: three! });
    // This one is not saved yet.
    submit(here, 'echo Four');
    await second.drafts.flush();
    const waiting = ({ state }: Conversation) => state.queue.map(({ sent }) => sent).join();
    await eventually(() => waiting(here) === 'echo 2,echo Four');
    await first.drafts.flush();
    const reloaded = await openIn(openWindow('a'), here.id);
    assert.equal(waiting(reloaded), 'echo 2,echo Four');
    here.send({ type: 'remove-queued', id: two! });
    await first.drafts.flush();
    await eventually(() => waiting(reloaded) === 'echo Four');
  });

  it('deleted conversations are not kept in memory', async () => {
    const { conversations, account, drafts } = openWindow('a');
    const opened: WeakRef<Conversation>[] = [];
    conversations.onDidOpen(({ conversation }) => opened.push(new WeakRef(conversation)));
    const deleteOne = async () => {
      const { conversation } = conversations.create(account, 'intern_ada');
      conversation.record({ type: 'prompt', run: 'run-1', text: 'Go', mode: 'manual' });
      await conversations.delete(account, conversation.id);
      await drafts.forget(account, conversation.id);
    };
    for (let count = 0; count < 20; count++) await deleteOne();
    await nextTurn();
    collectGarbage();
    const alive = opened.filter((conversation) => conversation.deref() !== undefined).length;
    // A stack may still hold the last one.
    assert.ok(alive <= 1, `${alive} of ${opened.length}`);
  });
});
