import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { createFolderWatcher } from '../../src/platform/storage/watch.ts';
import { Journal } from '../../src/platform/storage/journalFile.ts';
import { JsonFolder } from '../../src/platform/storage/jsonFolder.ts';
import { eventually } from '../harness/until.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const schema: v.GenericSchema<unknown, Item> = v.object({ id: v.string(), value: v.number() });
const log = { warn: () => undefined };
const watch = createFolderWatcher(log, new Emitter<void>().event);

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
    const options = { folder: join(folder, 'items'), schema, idOf: ({ id }: Item) => id };
    const opened = new JsonFolder({ ...options, watch, reportUnreadable: () => undefined });
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

  it('tells a conversation of the lines that another window appended', async () => {
    const codec = {
      parse: (line: string) => JSON.parse(line) as Item,
      format: (item: Item) => JSON.stringify(item),
    };
    const path = join(folder, 'conversations', 'one.jsonl');
    const open = () => new Journal({ path, codec, clock: systemClock, watch });
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
