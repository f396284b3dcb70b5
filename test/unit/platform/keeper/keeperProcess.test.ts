import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FromKeeper } from '../../../../src/streamKeeper/keeperMessages.ts';
import { encodeFrame, FILE_START } from '../../../../src/streamKeeper/responseFrames.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { startHeldServer } from '../../support/heldServer.ts';
import { chatInit } from '../../support/keeperRequests.ts';
import { useKeeperWindows } from '../../support/keepers.ts';

const storage = useTemporaryFolder();
const windows = useKeeperWindows(storage);

const keeper = { window: 'w', pid: 1, at: 1 };
const opened = Buffer.concat([FILE_START, encodeFrame({ type: 'opened', at: 1, keeper })]);

/** Writes the script of a keeper that replies to each start of a request with some messages at once. */
async function writeKeeper(onStart: readonly FromKeeper[]): Promise<string> {
  const script = join(storage.path, 'keeper.mjs');
  const lines = [
    `import { writeFileSync, writeSync } from 'node:fs';`,
    `import { createInterface } from 'node:readline';`,
    `const send = (...all) => writeSync(3, all.map((each) => JSON.stringify(each) + '\\n').join(''));`,
    `send({ type: 'hello' });`,
    `writeFileSync('started', '');`,
    `createInterface({ input: process.stdin }).on('line', (line) => {`,
    `  const { type, id } = JSON.parse(line);`,
    `  if (type === 'probe') send({ type: 'probe-result', id, status: 200, code: null });`,
    `  if (type === 'start') send(...${JSON.stringify(onStart)});`,
    `});`,
  ];
  await writeFile(script, lines.join('\n'));
  return script;
}

describe('the messages of a stream keeper', () => {
  it('a window uses a keeper that started in time while the window was busy', async () => {
    const clock = new FakeClock();
    const window = windows.open({ script: await writeKeeper([]), clock });
    const probed = window.keeper.probe('http://127.0.0.1:9/key', {});
    while (!existsSync(join(storage.path, 'started')));
    // The limit is over before the window reads the first message.
    setTimeout(() => clock.advance(10_000), 0);
    assert.deepEqual(await probed, { type: 'probe-result', id: 1, status: 200, code: null });
  });

  it('a window sends the request itself if a full disk refuses the first frame', async () => {
    await using server = await startHeldServer();
    // The first response has the ID 2, after the probe.
    const script = await writeKeeper([
      { type: 'write-failed', id: 2, code: 'ENOSPC', isCreated: false },
      { type: 'parts', parts: [[2, 0, opened.toString('base64')]] },
    ]);
    const window = windows.open({ script });
    const path = join(storage.path, 'responses', 'one.response');
    const url = `${server.url}/interns/intern_ada/chat/completions`;
    const sent = window.keeper.fetchTo(path)(url, chatInit());
    const held = await Promise.race([server.nextStream(), sent.then(() => assert.fail())]);
    held.response.end('reply');
    assert.equal(await (await sent).text(), 'reply');
    assert.deepEqual(window.ownRequests, [url]);
  });
});
