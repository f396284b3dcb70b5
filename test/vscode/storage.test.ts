import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { createFolderWatcher } from '../../src/host/storage/folderWatcher.ts';
import { JournalFile } from '../../src/host/storage/journalFile.ts';
import { JsonFolder } from '../../src/host/storage/jsonFolder.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const schema: v.GenericSchema<unknown, Item> = v.object({ id: v.string(), value: v.number() });
const log = { warn: () => undefined };
const watch = createFolderWatcher({ log, onDidGlance: new Emitter<void>().event });

/** Looks again whenever something was told, and now and then in case that was before. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('storage in an extension host', () => {
  let folder: string;
  const disposables: { dispose(): void }[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interns-'));
  });

  afterEach(async () => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function openWindow(): JsonFolder<Item> {
    const options = { folder: join(folder, 'items'), schema, idOf: ({ id }: Item) => id, log };
    const opened = new JsonFolder({ ...options, watch });
    disposables.push(opened);
    return opened;
  }

  it('shows what another window added, replaced and removed', async () => {
    const [here, there] = [openWindow(), openWindow()];
    await here.list();
    await there.put({ id: 'a', value: 1 });
    await eventually(async () => (await here.get('a'))?.value === 1);
    await there.put({ id: 'a', value: 2 });
    await eventually(async () => (await here.get('a'))?.value === 2);
    await there.remove('a');
    await eventually(async () => (await here.list()).length === 0);
  });

  it('ends with the same lists in two windows after 1,000 random changes', async () => {
    const windows = [openWindow(), openWindow()];
    await Promise.all(windows.map((window) => window.list()));
    for (let step = 0; step < 1_000; step += 20) {
      const batch = Array.from({ length: 20 }, (_, offset) => {
        const window = windows[Math.floor(Math.random() * windows.length)]!;
        const id = `item-${Math.floor(Math.random() * 30)}`;
        return Math.random() < 0.3 ? window.remove(id) : window.put({ id, value: step + offset });
      });
      await Promise.all(batch);
    }
    const onDisk = JSON.stringify(await openWindow().list());
    for (const window of windows)
      await eventually(async () => JSON.stringify(await window.list()) === onDisk);
    assert.notEqual(onDisk, '[]');
  }).timeout(60_000);

  it('tells a conversation of the lines that another window appended', async () => {
    const codec = {
      parse: (line: string) => JSON.parse(line) as Item,
      format: (item: Item) => JSON.stringify(item),
    };
    const path = join(folder, 'conversations', 'one.jsonl');
    const open = () => new JournalFile({ path, codec, clock: systemClock, watch });
    const [here, there] = [open(), open()];
    await Promise.all([here.read(), there.read()]);
    const seen: string[] = [];
    const all = new Promise<void>((resolve) => {
      here.onDidAppendElsewhere((items) => {
        seen.push(...items.map(({ id }) => id));
        if (seen.length === 10) resolve();
      });
    });
    for (let value = 0; value < 10; value++) there.append({ id: `line-${value}`, value });
    await there.flush();
    await all;
    assert.deepEqual(
      seen,
      Array.from({ length: 10 }, (_, value) => `line-${value}`),
    );
    await Promise.all([here.close(), there.close()]);
  });
});
