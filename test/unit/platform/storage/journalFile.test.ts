import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../../../src/base/json.ts';
import { errorCode } from '../../../../src/platform/storage/files.ts';
import { Journal, type JournalOptions } from '../../../../src/platform/storage/journalFile.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually } from '../../../harness/until.ts';
import { nodeWatcher, noWatcher, useTemporaryFolder } from '../../support/folders.ts';

interface Line {
  readonly id: string;
  readonly text: string;
}

const parse = (text: string) => parseJson(text) as Line | undefined;
const line = (id: string, text = ''): Line => ({ id, text });
const idsOf = (entries: readonly Line[] = []) => entries.map(({ id }) => id);

describe('Journal', () => {
  const folder = useTemporaryFolder();
  const open: Journal<Line>[] = [];
  let clock: FakeClock;

  const pathOf = () => join(folder.path, 'conversations', 'one.jsonl');
  const onDisk = () => readFile(pathOf(), 'utf8');

  function openJournal(options: Partial<JournalOptions<Line>> = {}): Journal<Line> {
    const journal = new Journal({ path: pathOf(), parse, clock, watch: nodeWatcher, ...options });
    open.push(journal);
    return journal;
  }

  /** Opens a journal with entries on disk. */
  async function openWith(...ids: readonly string[]): Promise<Journal<Line>> {
    const journal = openJournal();
    for (const id of ids) journal.append(line(id));
    await journal.flush();
    return journal;
  }

  /** Collects the IDs of entries that other windows append. */
  function appendedElsewhere(journal: Journal<Line>): readonly string[] {
    const ids: string[] = [];
    journal.onDidAppendElsewhere((entries) => ids.push(...idsOf(entries)));
    return ids;
  }

  beforeEach(() => {
    clock = new FakeClock();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((journal) => journal.close()));
  });

  it('a flush also writes an entry that is appended while it writes', async () => {
    const journal = openJournal({ watch: noWatcher });
    journal.append(line('a'));
    const flushed = journal.flush();
    // The file system takes longer.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    journal.append(line('b'));
    assert.equal(await flushed, true);
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
  });

  it('two journals keep entries of a megabyte that they write at the same time', async () => {
    const journals = [openJournal({ watch: noWatcher }), openJournal({ watch: noWatcher })];
    const text = 'x'.repeat(1_048_576);
    const ids = Array.from({ length: 5 }, (_, number) => `${number}`);
    for (const id of ids) {
      for (const [index, journal] of journals.entries())
        journal.append(line(`${index}-${id}`, text));
      await Promise.all(journals.map((journal) => journal.flush()));
    }
    const read = idsOf(await openJournal({ watch: noWatcher }).read());
    assert.deepEqual(read.toSorted(), ids.flatMap((id) => [`0-${id}`, `1-${id}`]).sort());
  });

  it('a journal catches up with other windows without a watcher', async () => {
    const journal = openJournal({ watch: noWatcher });
    await journal.read();
    const seen = appendedElsewhere(journal);
    await openWith('a');
    assert.deepEqual(seen, []);
    await journal.catchUp();
    await journal.catchUp();
    assert.deepEqual(seen, ['a']);
  });

  it('a journal keeps the order of entries over batches and a restart', async () => {
    const journal = openJournal();
    const ids = Array.from({ length: 300 }, (_, index) => `e${index}`);
    for (const [index, id] of ids.entries()) {
      journal.append(line(id, 'ünï\n代码'));
      if (index % 70 === 0) await journal.flush();
    }
    await journal.close();
    const entries = await openJournal().read();
    assert.deepEqual(idsOf(entries), ids);
    assert.equal(entries?.[0]?.text, 'ünï\n代码');
  });

  it('a journal writes the entries of 100 ms together', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    clock.advance(80);
    journal.append(line('b'));
    assert.equal(clock.waiting, 1);
    clock.advance(20);
    await journal.flush();
    assert.equal((await onDisk()).split('\n').length, 3);
    assert.equal(clock.waiting, 0, 'an idle journal has no timer');
  });

  it('a journal returns entries that are not written yet', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    assert.deepEqual(idsOf(await journal.read()), ['a']);
  });

  it('a journal skips a torn last line and appends after it', async () => {
    await mkdir(join(folder.path, 'conversations'));
    await writeFile(pathOf(), `${JSON.stringify(line('a'))}\n{"id":"to`);
    const journal = openJournal();
    assert.deepEqual(idsOf(await journal.read()), ['a']);
    journal.append(line('b'));
    await journal.flush();
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
  });

  it('a journal keeps one entry for each ID', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    journal.append(line('a'));
    await journal.flush();
    await appendFile(pathOf(), `${JSON.stringify(line('a', 'again'))}\n`);
    const again = openJournal();
    assert.deepEqual(await again.read(), [line('a')]);
    again.append(line('a'));
    await again.flush();
    assert.equal((await onDisk()).split('\n').length, 3);
  });

  it('a journal reports the entries of other windows once and in order', async () => {
    const [here, there] = [openJournal(), openJournal()];
    await Promise.all([here.read(), there.read()]);
    const seen = appendedElsewhere(here);
    for (let round = 0; round < 20; round++) {
      here.append(line(`here${round}`));
      there.append(line(`there${round}a`));
      there.append(line(`there${round}b`));
      await Promise.all([here.flush(), there.flush()]);
    }
    await eventually(() => seen.length >= 40);
    const expected = Array.from({ length: 20 }, (_, round) => [`there${round}a`, `there${round}b`]);
    assert.deepEqual(seen, expected.flat());
    assert.equal((await openJournal().read())?.length, 60);
  });

  it('a journal reports a line of another window once it is complete', async () => {
    const journal = openJournal();
    await journal.read();
    const seen = appendedElsewhere(journal);
    const text = JSON.stringify(line('late', '✓'));
    const bytes = Buffer.from(`${JSON.stringify(line('first'))}\n${text}\n`);
    await appendFile(pathOf(), bytes.subarray(0, bytes.length - 6));
    await eventually(() => seen.length === 1);
    await appendFile(pathOf(), bytes.subarray(bytes.length - 6));
    await eventually(() => seen.length === 2);
    assert.deepEqual(seen, ['first', 'late']);
  });

  it('a journal later writes the entries that could not be written', async () => {
    await writeFile(join(folder.path, 'conversations'), 'a file where the folder should be');
    const journal = openJournal();
    const failures: (string | undefined)[] = [];
    journal.onDidChangeFailure((failure) => failures.push(failure?.name));
    journal.append(line('a'));
    assert.equal(await journal.flush(), false);
    journal.append(line('b'));
    assert.equal(await journal.flush(), false);
    assert.deepEqual(failures, ['Error']);
    await rm(join(folder.path, 'conversations'));
    clock.advance(30_000);
    assert.equal(await journal.flush(), true);
    assert.deepEqual(failures, ['Error', undefined]);
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
    assert.equal(clock.waiting, 0);
  });

  it('a journal restores all entries when its folder returns with or without the file', async () => {
    const conversations = join(folder.path, 'conversations');
    const journal = openJournal();
    const failures: boolean[] = [];
    let removals = 0;
    journal.onDidChangeFailure((failure) => failures.push(failure !== undefined));
    journal.onDidChangeRemoval(() => removals++);
    journal.append(line('a'));
    await journal.flush();
    for (const isKept of [true, false]) {
      const id = isKept ? 'b' : 'c';
      // A file in place of the folder keeps it from being created again.
      await rename(conversations, `${conversations}.away`);
      await writeFile(conversations, '');
      for (const part of [1, 2]) {
        journal.append(line(`${id}${part}`));
        assert.equal(await journal.flush(), false);
      }
      await rm(conversations);
      if (isKept) await rename(`${conversations}.away`, conversations);
      clock.advance(30_000);
      assert.equal(await journal.flush(), true);
      assert.deepEqual(failures.splice(0), [true, false]);
    }
    assert.equal(removals, 0);
    const lines = ['a', 'b1', 'b2', 'c1', 'c2'].map((id) => `${JSON.stringify(line(id))}\n`);
    assert.equal(await onDisk(), lines.join(''));
    const seen = appendedElsewhere(journal);
    await openWith('d');
    await eventually(() => seen.join() === 'd');
  });

  if (process.platform === 'linux')
    it('a journal writes its entries once a full disk has room again', async () => {
      const conversations = join(folder.path, 'conversations');
      await mkdir(conversations);
      // A device that is always full, in place of the file.
      await symlink('/dev/full', pathOf());
      const journal = openJournal();
      const failures: (string | undefined)[] = [];
      journal.onDidChangeFailure((failure) => failures.push(failure && errorCode(failure)));
      for (const id of ['a', 'b']) {
        journal.append(line(id));
        assert.equal(await journal.flush(), false);
      }
      assert.deepEqual(failures, ['ENOSPC']);
      // A disk that filled up in the middle of a line leaves this.
      await writeFile(join(folder.path, 'room'), '{"id":"x","te');
      await symlink(join(folder.path, 'room'), join(folder.path, 'link'));
      await rename(join(folder.path, 'link'), pathOf());
      clock.advance(30_000);
      assert.equal(await journal.flush(), true);
      assert.deepEqual(failures, ['ENOSPC', undefined]);
      assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
    });

  it('a journal recreates no file that another window removed', async () => {
    const journal = await openWith('a');
    let removals = 0;
    journal.onDidChangeRemoval(() => removals++);
    await rm(pathOf());
    journal.append(line('b'));
    await journal.flush();
    journal.append(line('c'));
    await journal.flush();
    assert.equal(removals, 1);
    await assert.rejects(onDisk(), { code: 'ENOENT' });
  });

  it('a journal notices without writing that another window removed its file', async () => {
    const journal = await openWith('a');
    await journal.read();
    let removals = 0;
    journal.onDidChangeRemoval(() => removals++);
    await rm(pathOf());
    await eventually(() => removals === 1);
  });

  it('a journal adds what its file lacks when another window restores it', async () => {
    const journal = await openWith('a');
    await journal.read();
    const text = await onDisk();
    const removals: boolean[] = [];
    journal.onDidChangeRemoval((isRemoved) => removals.push(isRemoved));
    const seen = appendedElsewhere(journal);
    journal.append(line('b'));
    await rm(pathOf());
    await journal.flush();
    journal.append(line('c'));
    await writeFile(pathOf(), `${text}${JSON.stringify(line('d'))}\n`);
    await eventually(() => removals.length === 2);
    await journal.flush();
    assert.deepEqual(removals, [true, false]);
    assert.deepEqual(seen, ['d']);
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'd', 'b', 'c']);
  });

  it('a removed journal drops waiting entries', async () => {
    const journal = await openWith('a');
    journal.append(line('b'));
    await journal.remove();
    clock.advance(60_000);
    await journal.flush();
    await assert.rejects(onDisk(), { code: 'ENOENT' });
  });
});
