import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuestionFolder } from '../../../../src/host/questions/questionIndex.ts';
import { permission } from '../../chat/questions/fakes.ts';

/** A process id that no process has: above what Linux, macOS and Windows give. */
const DEAD_PID = 2 ** 30;

describe('QuestionFolder', () => {
  let folder: string;
  let windows: QuestionFolder[];
  let warnings: string[];
  const question = permission('q');

  const open = (window: string, path = folder) => {
    const index = new QuestionFolder({
      account: 'account-1',
      folder: path,
      window,
      watch: () => ({ dispose: () => undefined }),
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
    assert.deepEqual(await open('w2').list(), [{ question, claim: 'free', shownIn: null }]);
  });

  it('lets one window answer, and the other one again when that gave up', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    const claim = await first.claim(question);
    assert.ok(claim);
    assert.equal(await second.claim(question), undefined);
    assert.equal((await second.list())?.[0]?.claim, 'held');
    await claim.release();
    assert.ok(await second.claim(question));
  });

  it('gives the claim of a window that is gone to one other window, however many have died before', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    const owner = { window: 'gone', pid: DEAD_PID, at: Date.now() };
    for (const name of ['q.claim', 'q.1.claim'])
      await writeFile(join(folder, name), JSON.stringify(owner));
    assert.equal((await first.list())?.[0]?.claim, 'free');
    const claims = await Promise.all([first.claim(question), second.claim(question)]);
    const given = claims.filter((claim) => claim !== undefined);
    assert.equal(given.length, 1);
    assert.equal((await second.list())?.[0]?.claim, 'held');
    await given[0]!.release();
    assert.equal((await second.list())?.[0]?.claim, 'free');
    await second.forget(question);
    assert.deepEqual(await readdir(folder), []);
  });

  it('gives no claim on a question that another window has closed', async () => {
    const [first, second] = [open('w1'), open('w2')];
    await first.keep(question);
    await second.list();
    await first.forget(question);
    assert.equal(await second.claim(question), undefined);
    await first.keep(question);
    assert.ok(await first.claim(question), 'the refused claim left nothing behind');
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

  it('shows no question again that was closed while its dialog opened', async () => {
    const index = open('w1');
    await index.keep(question);
    await index.forget(question);
    await index.showing(question);
    assert.deepEqual(await open('w2').list(), []);
  });

  it('lets a question be answered where the disk does not take it, and says so in the log', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const index = open('w1', join(file, 'questions'));
    assert.equal(await index.keep(question), false);
    assert.ok(await index.claim(question));
    assert.equal(await index.list(), undefined);
    assert.notEqual(warnings.length, 0);
  });

  it('skips a file that is no question, and keeps the others', async () => {
    await writeFile(join(folder, 'torn.json'), '{"id":');
    const index = open('w1');
    await index.keep(question);
    assert.equal((await index.list())?.length, 1);
    assert.equal(await readFile(join(folder, 'torn.json'), 'utf8'), '{"id":');
  });
});
