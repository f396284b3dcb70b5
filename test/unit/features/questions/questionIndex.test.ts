import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/event.ts';
import { QuestionFiles } from '../../../../src/features/questions/questionIndex.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { permission } from '../../conversation/questions/fakes.ts';

describe('QuestionFiles', () => {
  let folder: string;
  let windows: QuestionFiles[];
  let warnings: string[];
  const seen = new Map<string, (file: string | undefined) => void>();
  const question = permission('q');

  const open = (window: string, path = folder) => {
    const store = { questionsDir: path, conversationsDir: join(folder, 'conversations') };
    const index = new QuestionFiles({
      accounts: { all: [{ id: 'account-1', store }], onDidChange: new Emitter<void>().event },
      window,
      watch: (watched, onChange) => {
        seen.set(watched, onChange);
        return { dispose: () => undefined };
      },
      reportUnreadable: () => undefined,
      log: { warn: (message) => warnings.push(message) },
    });
    windows.push(index);
    return index;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interns-questions-'));
    windows = [];
    warnings = [];
  });

  afterEach(async () => {
    for (const window of windows) window.dispose();
    await rm(folder, { recursive: true });
  });

  it('gives another window the question as it arrived, its call verbatim', async () => {
    await open('w1').keep(question);
    assert.deepEqual(await open('w2').list(), [{ question, isSending: false, shownIn: null }]);
  });

  it('gives it what the question can be judged by, too', async () => {
    const grounds = { said: 'I clean up.', allowed: 1, rejected: 0 };
    await open('w1').keep({ ...question, grounds });
    assert.deepEqual((await open('w2').list())?.[0]?.question.grounds, grounds);
  });

  it('says of a question that another living window owns its conversation: it sends an answer', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    const conversations = join(folder, 'conversations');
    const owner = new OwnerFile(conversations, question.conversation, {
      window: 'w1',
      log: { warn: (message) => warnings.push(message) },
    });
    await owner.take();
    assert.equal((await first.list())?.[0]?.isSending, false);
    assert.equal((await second.list())?.[0]?.isSending, true);
    await owner.release();
    assert.equal((await second.list())?.[0]?.isSending, false);
  });

  it('tells of each change of an owner', () => {
    let changes = 0;
    open('w1').onDidChange(() => (changes += 1));
    for (const file of ['c1.run', 'c1.jsonl', 'c1.1.run', undefined])
      seen.get(join(folder, 'conversations'))!(file);
    assert.equal(changes, 3);
  });

  it('tells which window shows a question', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    await first.showing(question);
    assert.equal((await second.list())?.[0]?.shownIn, 'w1');
    await second.showing(question);
    await second.keep(question);
    assert.equal((await open('w3').list())?.[0]?.shownIn, 'w2');
  });

  it('tells at once whether another living window shows a question, whatever its watcher told', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    await second.list();
    assert.equal(await second.isShownElsewhere(question), false);
    await first.showing(question);
    assert.equal(await second.isShownElsewhere(question), true);
    assert.equal(await first.isShownElsewhere(question), false);
    await second.hidden(question);
    assert.equal(await second.isShownElsewhere(question), true, 'not its own to take away');
    await first.hidden(question);
    assert.equal(await second.isShownElsewhere(question), false);
    assert.equal((await open('w3').list())?.[0]?.shownIn, null);
  });

  it('takes a window for dead whose process is gone, and for living where an earlier version left no mark', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    await first.showing(question);
    const path = join(folder, 'q.json');
    const record = JSON.parse(await readFile(path, 'utf8')) as { shownBy?: { pid: number } };
    await writeFile(path, JSON.stringify({ ...record, shownBy: { ...record.shownBy, at: 0 } }));
    assert.equal(await second.isShownElsewhere(question), false);
    delete record.shownBy;
    await writeFile(path, JSON.stringify(record));
    assert.equal(await second.isShownElsewhere(question), true);
    await writeFile(path, '{');
    assert.equal(await second.isShownElsewhere(question), true, 'nothing can be known');
  });

  it('shows no question again that was closed while its dialog opened', async () => {
    const index = open('w1');
    await index.keep(question);
    await index.forget(question);
    await index.showing(question);
    assert.deepEqual(await open('w2').list(), []);
  });

  it('says that the disk does not take a question, and in the log as well', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const index = open('w1', join(file, 'questions'));
    assert.equal(await index.keep(question), false);
    assert.equal(await index.list(), undefined);
    assert.notEqual(warnings.length, 0);
  });

  it('skips a file that is no question, or one that nobody can read, and keeps the others', async () => {
    await writeFile(join(folder, 'torn.json'), '{"id":');
    const index = open('w1');
    await index.keep({ ...question, id: 'odd', call: { ...question.call, arguments: '{' } });
    await index.keep(question);
    assert.deepEqual(
      (await index.list())?.map((kept) => kept.question.id),
      ['q'],
    );
    assert.equal(await readFile(join(folder, 'torn.json'), 'utf8'), '{"id":');
  });
});
