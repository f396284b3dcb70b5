import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { Emitter } from '../../../../src/base/disposable.ts';
import { JsonFolder } from '../../../../src/platform/storage/jsonFolder.ts';
import {
  UnreadableFileError,
  type ReportUnreadable,
} from '../../../../src/platform/storage/unreadable.ts';
import { createFolderWatcher, type WatchFolder } from '../../../../src/platform/storage/watch.ts';
import { eventually } from '../../../harness/until.ts';
import { nodeWatcher, noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const schema: v.GenericSchema<unknown, Item> = v.object({ id: v.string(), value: v.number() });

describe('JsonFolder', () => {
  const folder = useTemporaryFolder();
  const windows: JsonFolder<Item>[] = [];
  let reported: Set<string>;

  function openWindow(watch: WatchFolder = nodeWatcher): JsonFolder<Item> {
    const path = join(folder.path, 'items');
    const reportUnreadable: ReportUnreadable = (file) => reported.add(basename(file));
    const options = { folder: path, schema, idOf: ({ id }: Item) => id, watch, reportUnreadable };
    const opened = new JsonFolder<Item>(options);
    windows.push(opened);
    return opened;
  }

  const pathOf = (file: string) => join(folder.path, 'items', file);

  beforeEach(() => {
    reported = new Set();
  });

  afterEach(() => {
    for (const window of windows.splice(0)) window.dispose();
  });

  it('a folder of records lists them ordered by ID, also after a restart', async () => {
    const before = openWindow();
    await before.put({ id: 'b', value: 2 });
    await before.put({ id: 'A', value: 1 });
    await before.put({ id: 'b', value: 3 });
    const expected = [
      { id: 'A', value: 1 },
      { id: 'b', value: 3 },
    ];
    assert.deepEqual(await before.list(), expected);
    assert.deepEqual(await openWindow().list(), expected);
    const text = await readFile(pathOf('b.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), { version: 1, id: 'b', value: 3 });
  });

  it('a folder of records removes what a crash left of a write long ago', async () => {
    await openWindow().put({ id: 'a', value: 1 });
    const [old, recent] = ['a.json.0123456789ab.tmp', 'b.json.0123456789ab.tmp'] as const;
    for (const file of [old, recent]) await writeFile(pathOf(file), 'private');
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(pathOf(old), longAgo, longAgo);
    assert.equal((await openWindow().list()).length, 1);
    await eventually(async () => !(await readdir(join(folder.path, 'items'))).includes(old));
    assert.deepEqual((await readdir(join(folder.path, 'items'))).sort(), ['a.json', recent]);
    assert.equal(reported.size, 0);
  });

  it('a folder of records reads one without the others', async () => {
    const window = openWindow();
    await window.put({ id: 'a', value: 1 });
    await writeFile(pathOf('b.json'), 'corrupt');
    assert.deepEqual(await openWindow().get('a'), { id: 'a', value: 1 });
    assert.equal(await openWindow().get('none'), undefined);
    assert.equal(reported.size, 0);
  });

  it('a folder of records reports a damaged file, and replaces or removes it', async () => {
    await openWindow().put({ id: 'good', value: 1 });
    const damaged = { torn: '{"id":"to', empty: '', zeros: '\0\0\0' };
    for (const [id, text] of Object.entries(damaged)) {
      await writeFile(pathOf(`${id}.json`), text);
      const other = openWindow();
      assert.deepEqual(await other.list(), [{ id: 'good', value: 1 }]);
      assert.ok(reported.has(`${id}.json`), id);
      await other.put({ id, value: 2 });
      assert.deepEqual(await openWindow().get(id), { id, value: 2 });
      await writeFile(pathOf(`${id}.json`), text);
      assert.equal(await openWindow().remove(id), true);
      assert.deepEqual(await readdir(join(folder.path, 'items')), ['good.json']);
    }
  });

  it('a folder of records keeps listing one that cannot be read for a moment', async () => {
    const here = openWindow(noWatcher);
    await here.put({ id: 'a', value: 1 });
    await here.list();
    await rm(pathOf('a.json'));
    await mkdir(pathOf('a.json'));
    await here.refresh();
    assert.deepEqual(await here.list(), [{ id: 'a', value: 1 }]);
    await rm(pathOf('a.json'), { recursive: true });
    await here.refresh();
    assert.deepEqual(await here.list(), []);
  });

  it('a folder of records never overwrites a foreign file', async () => {
    const window = openWindow();
    await window.put({ id: 'good', value: 1 });
    const left = {
      other: '{"name":"another shape"}',
      copy: '{"id":"good","value":9}',
      list: '[]',
    };
    for (const [id, text] of Object.entries(left)) await writeFile(pathOf(`${id}.json`), text);
    await mkdir(pathOf('folder.json'));
    await writeFile(pathOf('notes.txt'), 'mine');
    const other = openWindow();
    assert.deepEqual(await other.list(), [{ id: 'good', value: 1 }]);
    await other.refresh();
    for (const id of [...Object.keys(left), 'folder']) {
      assert.ok(reported.has(`${id}.json`), id);
      assert.equal(await other.get(id), undefined);
      await assert.rejects(other.put({ id, value: 2 }), UnreadableFileError);
      assert.equal(await other.remove(id), false);
    }
    assert.equal(reported.size, 4);
    for (const [id, text] of Object.entries(left))
      assert.equal(await readFile(pathOf(`${id}.json`), 'utf8'), text);
    assert.deepEqual(await readdir(pathOf('folder.json')), []);
  });

  it('a folder of records writes one again after its unreadable file was removed', async () => {
    const window = openWindow(noWatcher);
    await window.list();
    await writeFile(pathOf('a.json'), '{}');
    await assert.rejects(window.put({ id: 'a', value: 1 }), UnreadableFileError);
    await rm(pathOf('a.json'));
    await window.put({ id: 'a', value: 1 });
    assert.deepEqual(await openWindow().list(), [{ id: 'a', value: 1 }]);
  });

  it('a folder of records keeps the fields of a later version when it writes', async () => {
    await openWindow().list();
    const later = {
      version: 99,
      id: 'a',
      value: 1,
      pinned: true,
      parts: [
        { id: 'p', size: 1, colour: 'red' },
        { id: 'q', size: 2, colour: 'blue' },
      ],
      place: { x: 1, z: 3 },
    };
    await writeFile(pathOf('a.json'), JSON.stringify(later));
    const deep = new JsonFolder({
      folder: join(folder.path, 'items'),
      schema: v.object({
        ...{ id: v.string(), value: v.number(), place: v.object({ x: v.number() }) },
        parts: v.array(v.object({ id: v.string(), size: v.number() })),
      }),
      idOf: ({ id }) => id,
      watch: noWatcher,
      reportUnreadable: () => assert.fail('a later record can be read'),
    });
    for (const value of [2, 3])
      await deep.update(
        'a',
        (item) =>
          item && { ...item, value, place: { x: value }, parts: [{ id: 'q', size: value }] },
      );
    assert.deepEqual(JSON.parse(await readFile(pathOf('a.json'), 'utf8')), {
      ...later,
      value: 3,
      place: { x: 3, z: 3 },
      parts: [{ id: 'q', size: 3, colour: 'blue' }],
    });
  });

  it('a folder of records applies all concurrent updates', async () => {
    const window = openWindow();
    const changes = Array.from({ length: 50 }, () =>
      window.update('n', (item) => ({ id: 'n', value: (item?.value ?? 0) + 1 })),
    );
    await Promise.all(changes);
    assert.deepEqual(await openWindow().get('n'), { id: 'n', value: 50 });
  });

  it('an update that returns undefined changes no record', async () => {
    const window = openWindow();
    await window.put({ id: 'a', value: 1 });
    assert.deepEqual(await window.update('a', () => undefined), { id: 'a', value: 1 });
    assert.equal(await window.update('b', () => undefined), undefined);
    assert.deepEqual(await window.list(), [{ id: 'a', value: 1 }]);
  });

  it('a folder of records fires one event for each actual change', async () => {
    const window = openWindow();
    await window.list();
    let events = 0;
    window.onDidChange(() => (events += 1));
    await window.put({ id: 'a', value: 1 });
    await window.put({ id: 'a', value: 1 });
    await window.remove('a');
    assert.equal(await window.remove('a'), false);
    assert.equal(events, 2);
  });

  it('a folder of records follows the changes of another window', async () => {
    const [here, there] = [openWindow(), openWindow()];
    await here.list();
    await there.put({ id: 'a', value: 1 });
    await eventually(async () => (await here.get('a'))?.value === 1);
    await there.put({ id: 'a', value: 2 });
    await eventually(async () => (await here.get('a'))?.value === 2);
    await there.remove('a');
    await eventually(async () => (await here.get('a')) === undefined);
    assert.deepEqual(await here.list(), []);
  });

  it('a folder of records without a watcher reads again when the user returns', async () => {
    const triggered = new Emitter<void>();
    const noWatches = () => {
      throw new Error('ENOSPC: System limit for number of file watchers reached');
    };
    const log = new RecordingLog();
    const watch = createFolderWatcher(log, triggered.event, noWatches);
    const [here, there] = [openWindow(watch), openWindow(noWatcher)];
    await there.put({ id: 'kept', value: 1 });
    await there.put({ id: 'gone', value: 1 });
    await here.list();
    assert.match(log.lines.join(), /cannot be watched/);
    await there.remove('gone');
    await there.put({ id: 'new', value: 2 });
    let events = 0;
    const changed = new Promise<void>((resolve) => here.onDidChange(resolve));
    here.onDidChange(() => (events += 1));
    triggered.fire();
    await changed;
    const ids = (await here.list()).map(({ id }) => id);
    assert.deepEqual([ids, events], [['kept', 'new'], 1]);
    here.dispose();
    triggered.fire();
  });

  it('a folder of records that was removed is read again when the user returns', async () => {
    const triggered = new Emitter<void>();
    const log = new RecordingLog();
    const here = openWindow(createFolderWatcher(log, triggered.event));
    const there = openWindow(noWatcher);
    await there.put({ id: 'a', value: 1 });
    await here.list();
    await rm(join(folder.path, 'items'), { recursive: true });
    await eventually(async () => (await here.get('a')) === undefined);
    await there.put({ id: 'b', value: 2 });
    await eventually(async () => {
      triggered.fire();
      return (await here.get('b'))?.value === 2;
    });
    assert.deepEqual(log.lines, []);
  });

  it('a folder of records that was removed is not reported when the user returns', async () => {
    const changes: (() => void)[] = [];
    const here = openWindow((_folder, onChange) => {
      changes.push(() => onChange(undefined));
      return { dispose: () => undefined };
    });
    await here.put({ id: 'a', value: 1 });
    await here.list();
    // As after a sign-out that deletes the data of the account.
    await rm(join(folder.path, 'items'), { recursive: true });
    for (const change of changes) change();
    await here.refresh().catch(() => undefined);
    assert.deepEqual([...reported], []);
  });

  it('a folder of 5,000 records is read completely', async () => {
    const window = openWindow(noWatcher);
    const ids = Array.from({ length: 5_000 }, (_, index) => `intern-${index}`);
    for (let at = 0; at < ids.length; at += 100)
      await Promise.all(ids.slice(at, at + 100).map((id) => window.put({ id, value: at })));
    assert.equal((await openWindow(noWatcher).list()).length, 5_000);
  }).timeout(60_000);

  it('two windows list the same records after 1,000 random changes', async () => {
    const change = fc.record({
      which: fc.constantFrom(0, 1),
      shared: fc.boolean(),
      number: fc.nat(19),
      removes: fc.constantFrom(true, false, false),
    });
    const changes = fc.array(change, { minLength: 1_000, maxLength: 1_000 });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const pair = [openWindow(), openWindow()] as const;
        await Promise.all(pair.map((window) => window.list()));
        // Each window changes IDs of its own beside shared ones, so that the end of its own is known.
        const expected = new Map<string, number>();
        for (let step = 0; step < all.length; step += 10) {
          const batch = all.slice(step, step + 10);
          const changed = batch.map(({ which, shared, number, removes }, offset) => {
            const id = `${shared ? 'shared' : `own${which}`}-${number}`;
            const value = step + offset;
            if (removes) expected.delete(id);
            else expected.set(id, value);
            return removes ? pair[which].remove(id) : pair[which].put({ id, value });
          });
          await Promise.all(changed);
        }
        const isOwn = (id: string) => !id.startsWith('shared');
        const fresh = await openWindow(noWatcher).list();
        assert.deepEqual(
          new Map(fresh.filter(({ id }) => isOwn(id)).map(({ id, value }) => [id, value])),
          new Map([...expected].filter(([id]) => isOwn(id))),
        );
        for (const window of pair)
          await eventually(
            async () => JSON.stringify(await window.list()) === JSON.stringify(fresh),
          );
        const files = await readdir(join(folder.path, 'items'));
        assert.equal(files.length, fresh.length, 'no temporary file is left');
        for (const file of files) JSON.parse(await readFile(pathOf(file), 'utf8'));
      }),
      { numRuns: 1, endOnFailure: true },
    );
  }).timeout(60_000);
});
