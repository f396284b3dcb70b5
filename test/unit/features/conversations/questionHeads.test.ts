import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PendingQuestion } from '../../../../src/conversation/questions/types.ts';
import { ConversationHeads } from '../../../../src/features/conversations/heads.ts';
import { QuestionHeadFiles } from '../../../../src/features/conversations/questionHeads.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import type { WatchFolder } from '../../../../src/platform/storage/watch.ts';
import { asked, permission, START } from '../../conversation/questions/fakes.ts';
import { conversationOptions } from '../../support/accountWindow.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('QuestionHeadFiles', () => {
  const folder = useTemporaryFolder();
  const windows: { dispose(): void }[] = [];
  const context = { said: 'I clean up.', allowed: 1, rejected: 0 };
  const question: PendingQuestion = { ...permission('q'), context };
  const { call } = asked('q', question.question);
  const log = new RecordingLog();
  const watched: string[] = [];

  afterEach(() => {
    windows.splice(0).forEach((each) => each.dispose());
    watched.length = 0;
  });

  const conversationsDir = () => join(folder.path, 'conversations');
  const dialogFile = () => join(conversationsDir(), 'heads', 'c1.dialog');

  function open(window: string, parent = folder.path) {
    const watch: WatchFolder = (watchedPath, onChange) => {
      watched.push(watchedPath);
      return nodeWatcher(watchedPath, onChange);
    };
    const shared = { ...conversationOptions(parent, 'http://127.0.0.1', window), watch, log };
    const heads = new ConversationHeads(shared);
    const questions = new QuestionHeadFiles({ ...shared, heads });
    windows.push(heads, questions);
    return { questions, heads: heads.of(shared.account) };
  }

  /** Writes the head of the conversation with its question. */
  async function write(written = call): Promise<void> {
    await open('writer').heads.put({
      ...{ id: 'c1', intern: 'intern-1', title: 'Go', createdAt: 1, at: 1, state: 'waiting' },
      question: { id: question.id, call: written, askedAt: START, context },
    });
  }

  it('another window gets the question as it arrived', async () => {
    await write();
    assert.deepEqual(await open('w2').questions.list(), [{ question, isSending: false }]);
  });

  it('the list of questions skips one that this version cannot read', async () => {
    await write({ ...call, arguments: '{' });
    assert.deepEqual(await open('w2').questions.list(), []);
  });

  it('a question shows whether another living window owns its conversation', async () => {
    await write();
    const { questions } = open('w2');
    await questions.list();
    const changed = new Promise<void>((resolve) => questions.onDidChange(resolve));
    const owner = new OwnerFile(conversationsDir(), 'c1', { window: 'w1', log });
    await owner.take();
    await changed;
    assert.equal((await questions.list())?.[0]?.isSending, true);
    assert.equal((await open('w1').questions.list())?.[0]?.isSending, false);
    await owner.release();
    assert.equal((await questions.list())?.[0]?.isSending, false);
  });

  it('a question remembers the dialog that was open last in any window', async () => {
    const [first, second] = [open('w1').questions, open('w2').questions];
    assert.equal(await second.lastDialog(question), null);
    await first.markDialog(question, 5);
    await second.markDialog(question, 7);
    const { window, openAt } = (await first.lastDialog(question))!;
    assert.deepEqual([window, openAt], ['w2', 7]);
    assert.equal(await first.lastDialog(permission('other')), null);
    assert.match(await readFile(dialogFile(), 'utf8'), /"question": "q"/);
  });

  it('one watcher of the heads reports the dialogs of other windows', async () => {
    const { questions } = open('w1');
    await questions.list();
    const changed = new Promise<void>((resolve) => questions.onDidChange(resolve));
    await open('w2').questions.markDialog(question, 5);
    await changed;
    assert.equal(watched.filter((path) => path.endsWith('heads')).length, 1);
  });

  it('a window forgets a dialog whose file a power cut damaged, and writes the next one', async () => {
    const { questions } = open('w1');
    await questions.markDialog(question, 5);
    await writeFile(dialogFile(), Buffer.alloc(64));
    assert.equal(await questions.lastDialog(question), null);
    await questions.markDialog(question, 7);
    assert.equal((await questions.lastDialog(question))?.openAt, 7);
  });

  it('questions and dialogs count as unknown if the disk cannot be read', async () => {
    await mkdir(dialogFile(), { recursive: true });
    assert.equal(await open('w2').questions.lastDialog(question), undefined);
    const parent = join(folder.path, 'other');
    await mkdir(parent);
    await writeFile(join(parent, 'conversations'), 'no folder');
    assert.equal(await open('w2', parent).questions.list(), undefined);
  });
});
