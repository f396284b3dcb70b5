import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../../src/platform/storage/files.ts';
import { Journal, type EntryCodec } from '../../../../src/platform/storage/journalFile.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually } from '../../../harness/until.ts';
import { nodeWatcher, noWatcher, useTemporaryFolder } from '../../support/folders.ts';

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
const idsOf = (entries: readonly Line[] = []) => entries.map(({ id }) => id);

describe('a journal', () => {
  const folder = useTemporaryFolder();
  const open: Journal<Line>[] = [];
  let clock: FakeClock;

  const pathOf = () => join(folder.path, 'conversations', 'one.jsonl');
  const onDisk = () => readFile(pathOf(), 'utf8');

  function openJournal(): Journal<Line> {
    const journal = new Journal({ path: pathOf(), codec, clock, watch: nodeWatcher });
    open.push(journal);
    return journal;
  }

  beforeEach(() => {
    clock = new FakeClock();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((journal) => journal.close()));
  });

  it('lets other windows read nothing before they can see who wrote it', async () => {
    let seen = (): void => undefined;
    const leased = new Promise<void>((resolve) => (seen = resolve));
    const ready = () => leased;
    const journal = new Journal({ path: pathOf(), codec, clock, watch: noWatcher, ready });
    open.push(journal);
    journal.append(line('a'));
    const written = journal.flush();
    const other = openJournal();
    assert.equal(await other.read(), undefined);
    seen();
    await written;
    assert.deepEqual(idsOf(await other.read()), ['a']);
  });

  it('catches up with other windows though its watcher saw nothing', async () => {
    const blind = new Journal({ path: pathOf(), codec, clock, watch: noWatcher });
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
    assert.equal(entries?.[0]?.text, 'ünï\n代码');
  });

  it('writes what came within 100 ms together, and no later', async () => {
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
    assert.equal((await openJournal().read())?.length, 60);
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

  it('is written whole when its folder is there again, with or without what was in it, and says once that it was gone', async () => {
    const conversations = join(folder.path, 'conversations');
    const journal = openJournal();
    const told: boolean[] = [];
    let removals = 0;
    journal.onDidChangeFailure((failure) => told.push(failure !== undefined));
    journal.onDidRemoveElsewhere(() => removals++);
    journal.append(line('a'));
    await journal.flush();
    for (const isKept of [true, false]) {
      const id = isKept ? 'b' : 'c';
      // A file where the folder was keeps it from being made anew.
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
      assert.deepEqual(told.splice(0), [true, false]);
    }
    assert.equal(removals, 0);
    assert.equal(
      await onDisk(),
      ['a', 'b1', 'b2', 'c1', 'c2'].map((id) => `${codec.format(line(id))}\n`).join(''),
    );
    const other = openJournal();
    other.append(line('d'));
    const seen = new Promise<readonly Line[]>((resolve) => journal.onDidAppendElsewhere(resolve));
    await other.flush();
    assert.deepEqual(idsOf(await seen), ['d'], 'the new folder is followed');
  });

  if (process.platform === 'linux')
    it('keeps what a full disk does not take, and writes it when there is room', async () => {
      const conversations = join(folder.path, 'conversations');
      await mkdir(conversations);
      // A device that is always full, in the place of the file.
      await symlink('/dev/full', pathOf());
      const journal = openJournal();
      const told: (string | undefined)[] = [];
      journal.onDidChangeFailure((failure) => told.push(failure && errorCode(failure)));
      for (const id of ['a', 'b']) {
        journal.append(line(id));
        assert.equal(await journal.flush(), false);
      }
      assert.deepEqual(told, ['ENOSPC']);
      // What a disk that filled up in the middle of a line leaves.
      await writeFile(join(folder.path, 'room'), '{"id":"x","te');
      await symlink(join(folder.path, 'room'), join(folder.path, 'link'));
      await rename(join(folder.path, 'link'), pathOf());
      clock.advance(30_000);
      assert.equal(await journal.flush(), true);
      assert.deepEqual(told, ['ENOSPC', undefined]);
      assert.deepEqual(idsOf(await openJournal().read()), ['a', 'b']);
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
