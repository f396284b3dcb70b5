import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalFile, type EntryCodec } from '../../../../src/host/storage/journalFile.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually, nodeWatcher, noWatcher, useTemporaryFolder } from '../support/folders.ts';

interface Line {
  readonly id: string;
  readonly text: string;
}

const codec: EntryCodec<Line> = {
  parse: (line) => {
    try {
      return JSON.parse(line) as Line;
    } catch {
      return undefined;
    }
  },
  format: (entry) => JSON.stringify(entry),
};

const line = (id: string, text = ''): Line => ({ id, text });
const idsOf = (entries: readonly Line[]) => entries.map(({ id }) => id);

describe('a journal', () => {
  const folder = useTemporaryFolder();
  const open: JournalFile<Line>[] = [];
  let clock: FakeClock;

  const pathOf = () => join(folder.path, 'conversations', 'one.jsonl');
  const onDisk = () => readFile(pathOf(), 'utf8');

  function openJournal(): JournalFile<Line> {
    const journal = new JournalFile({ path: pathOf(), codec, clock, watch: nodeWatcher });
    open.push(journal);
    return journal;
  }

  beforeEach(() => {
    clock = new FakeClock();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((journal) => journal.close()));
  });

  it('catches up with other windows though its watcher saw nothing', async () => {
    const blind = new JournalFile({ path: pathOf(), codec, clock, watch: noWatcher });
    open.push(blind);
    await blind.read();
    const heard: Line[] = [];
    blind.onDidAppendElsewhere((entries) => heard.push(...entries));
    const other = openJournal();
    other.append(line('a'));
    await other.flush();
    assert.deepEqual(heard, []);
    await blind.catchUp();
    await blind.catchUp();
    assert.deepEqual(idsOf(heard), ['a']);
  });

  it('keeps the order of what was appended, over batches and a restart', async () => {
    const journal = openJournal();
    const ids = Array.from({ length: 300 }, (_, index) => `e${index}`);
    for (const [index, id] of ids.entries()) {
      journal.append(line(id, 'ünï\n代码'));
      if (index % 70 === 0) await journal.flush();
    }
    await journal.close();
    const entries = await openJournal().read();
    assert.deepEqual(idsOf(entries), ids);
    assert.equal(entries[0]?.text, 'ünï\n代码');
  });

  it('writes what came within 250 ms together, and no later', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    clock.advance(200);
    journal.append(line('b'));
    assert.equal(clock.waiting, 1);
    clock.advance(50);
    await journal.flush();
    assert.equal((await onDisk()).split('\n').length, 3);
    assert.equal(clock.waiting, 0, 'an idle journal has no timer');
  });

  it('reads what still waits to be written', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    assert.deepEqual(idsOf(await journal.read()), ['a']);
  });

  it('skips a torn last line, and starts a new one after it', async () => {
    await mkdir(join(folder.path, 'conversations'));
    await writeFile(pathOf(), `${codec.format(line('a'))}\n{"id":"to`);
    const journal = openJournal();
    assert.deepEqual(idsOf(await journal.read()), ['a']);
    journal.append(line('b'));
    await journal.flush();
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
  });

  it('counts an entry once, appended twice or on disk twice', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    journal.append(line('a'));
    await journal.flush();
    await appendFile(pathOf(), `${codec.format(line('a', 'again'))}\n`);
    const again = openJournal();
    assert.deepEqual(await again.read(), [line('a')]);
    again.append(line('a'));
    await again.flush();
    assert.equal((await onDisk()).split('\n').length, 3);
  });

  it("tells of another window's lines, once and in order, and never of its own", async () => {
    const [here, there] = [openJournal(), openJournal()];
    await Promise.all([here.read(), there.read()]);
    const seen: string[] = [];
    here.onDidAppendElsewhere((entries) => seen.push(...idsOf(entries)));
    for (let round = 0; round < 20; round++) {
      here.append(line(`here${round}`));
      there.append(line(`there${round}a`));
      there.append(line(`there${round}b`));
      await Promise.all([here.flush(), there.flush()]);
    }
    await eventually(() => seen.length >= 40);
    const expected = Array.from({ length: 20 }, (_, round) => [`there${round}a`, `there${round}b`]);
    assert.deepEqual(seen, expected.flat());
    assert.equal((await openJournal().read()).length, 60);
  });

  it('holds back a line that another window has not finished', async () => {
    const journal = openJournal();
    await journal.read();
    const seen: string[] = [];
    journal.onDidAppendElsewhere((entries) => seen.push(...idsOf(entries)));
    const text = codec.format(line('late', '✓'));
    const bytes = Buffer.from(`${codec.format(line('first'))}\n${text}\n`);
    await appendFile(pathOf(), bytes.subarray(0, bytes.length - 6));
    await eventually(() => seen.length === 1);
    await appendFile(pathOf(), bytes.subarray(bytes.length - 6));
    await eventually(() => seen.length === 2);
    assert.deepEqual(seen, ['first', 'late']);
  });

  it('keeps text that cannot be written, says so once, and writes it when it can', async () => {
    await writeFile(join(folder.path, 'conversations'), 'a file where the folder should be');
    const journal = openJournal();
    const told: (string | undefined)[] = [];
    journal.onDidChangeFailure((failure) => told.push(failure?.name));
    journal.append(line('a'));
    assert.equal(await journal.flush(), false);
    journal.append(line('b'));
    assert.equal(await journal.flush(), false);
    assert.deepEqual(told, ['Error']);
    await rm(join(folder.path, 'conversations'));
    clock.advance(30_000);
    assert.equal(await journal.flush(), true);
    assert.deepEqual(told, ['Error', undefined]);
    assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
    assert.equal(clock.waiting, 0);
  });

  it('is not brought back in part by a window that goes on writing after another removed it', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    await journal.flush();
    let removals = 0;
    journal.onDidRemoveElsewhere(() => removals++);
    await rm(pathOf());
    journal.append(line('b'));
    await journal.flush();
    journal.append(line('c'));
    await journal.flush();
    assert.equal(removals, 1);
    await assert.rejects(onDisk(), { code: 'ENOENT' });
  });

  it('notices that another window removed the file, though nothing is written here', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    await journal.flush();
    await journal.read();
    let removals = 0;
    journal.onDidRemoveElsewhere(() => removals++);
    await rm(pathOf());
    await eventually(() => removals === 1);
  });

  it('is gone for good when it is removed, with what waited', async () => {
    const journal = openJournal();
    journal.append(line('a'));
    await journal.flush();
    journal.append(line('b'));
    await journal.remove();
    clock.advance(60_000);
    await journal.flush();
    await assert.rejects(onDisk(), { code: 'ENOENT' });
  });
});
