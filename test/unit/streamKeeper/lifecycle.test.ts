import assert from 'node:assert/strict';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DETACHED, readNetworkFailure } from '../../../src/api/index.ts';
import { keeperEnvironment } from '../../../src/platform/keeper/keeperEnvironment.ts';
import { KeeperProcess } from '../../../src/platform/keeper/keeperProcess.ts';
import { readLines, toLine, type FilePart } from '../../../src/streamKeeper/keeperMessages.ts';
import { createProcessMark } from '../../../src/platform/storage/processMark.ts';
import { eventually } from '../../harness/until.ts';
import { useTemporaryFolder } from '../support/folders.ts';
import { startHeldServer, type HeldServer } from '../support/heldServer.ts';
import { chatInit, keeperScript, patientClock } from '../support/keeperRequests.ts';
import { framesIn, isRunning, useKeeperWindows, type KeeperWindow } from '../support/keepers.ts';

const storage = useTemporaryFolder();
const windows = useKeeperWindows(storage);
let server: HeldServer;

beforeEach(async () => {
  server = await startHeldServer();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

function responsePath(): string {
  return join(storage.path, 'responses', 'one.response');
}

function chatUrl(): string {
  return `${server.url}/interns/intern_ada/chat/completions`;
}

/** Reads the response in another window. */
function readElsewhere() {
  return windows.open().keeper.fetchFrom(responsePath())('', chatInit());
}

/** Opens a stream whose window then closes. */
async function openOrphan(window: KeeperWindow) {
  const closing = new AbortController();
  const init = chatInit({ signal: closing.signal });
  const sent = window.keeper.fetchTo(responsePath())(chatUrl(), init);
  const held = await server.nextStream();
  await sent;
  closing.abort(DETACHED);
  window.keeper.dispose();
  return held;
}

describe('the life of a stream keeper', () => {
  it('a stream keeper exits after its idle time without a stream', async () => {
    const environment = keeperEnvironment(process.env, undefined);
    const options = {
      folder: storage.path,
      script: keeperScript,
      clock: patientClock,
      environment,
      onWriteFailed: () => undefined,
    };
    const keeper = (await KeeperProcess.start(options))!;
    const path = join(storage.path, 'one.response');
    const request = { path, url: chatUrl(), method: 'POST', headers: {}, body: null };
    const sent = keeper.fetch(request, new AbortController().signal);
    keeper.configure({ window: 'one', windowsFolder: storage.path, times: { idleMs: 1 } });
    const held = await server.next();
    assert.equal(keeper.hasEnded, false);
    held.response.end();
    await sent;
    await eventually(() => keeper.hasEnded);
  });

  it('a stream keeper outlives all windows if keepRuns is always', async () => {
    const times = { graceMs: 1, windowCheckMs: 1 };
    const window = windows.open({ times });
    const held = await openOrphan(window);
    held.response.end('rest');
    assert.equal(await (await readElsewhere()).text(), 'rest');
  });

  it('a stream keeper stops its streams some time after the last window closed', async () => {
    const times = { graceMs: 20, windowCheckMs: 5 };
    const window = windows.open({ times, policy: () => 'untilClosed' });
    const held = await openOrphan(window);
    await held.closed;
    await eventually(() => !isRunning(window.pid()));
    const response = await readElsewhere();
    await assert.rejects(response.text(), (failure) => {
      assert.equal(readNetworkFailure(failure).code, 'ERR_RESPONSE_STOPPED');
      return true;
    });
  });

  it('a later window changes whether the stream keeper of a closed window continues', async () => {
    const times = { graceMs: 20, windowCheckMs: 5 };
    const held = await openOrphan(windows.open({ times }));
    windows.open({ policy: () => 'untilClosed' }).keeper.dispose();
    await held.closed;
  });

  it('a stream keeper continues after its window closed while another window runs', async () => {
    const marks = join(storage.path, 'windows');
    await mkdir(marks);
    await writeFile(join(marks, 'other.json'), JSON.stringify(await createProcessMark('other')));
    const times = { graceMs: 1, windowCheckMs: 1, heartbeatMs: 1 };
    const window = windows.open({ times, policy: () => 'untilClosed' });
    const held = await openOrphan(window);
    const { size } = await stat(responsePath());
    // Heartbeats come as often as it looks at the windows.
    await eventually(async () => (await stat(responsePath())).size > size + 20 * 13);
    held.response.end();
    await eventually(() => !isRunning(window.pid()));
  });

  it('a silent stream whose window closed continues while another window runs', async () => {
    windows.open();
    const times = { windowCheckMs: 1, heartbeatMs: 5, silenceTimeoutMs: 250 };
    const held = await openOrphan(windows.open({ times }));
    const heartbeats = async () =>
      (await framesIn(responsePath())).filter(({ type }) => type === 'heartbeat').length;
    await eventually(async () => held.response.destroyed || (await heartbeats()) > 100);
    held.response.end('rest');
    assert.equal(await (await readElsewhere()).text(), 'rest');
  });

  it('a stream keeper continues after its extension was removed', async () => {
    const extension = join(storage.path, 'extension');
    const script = join(extension, 'dist', 'streamKeeper.cjs');
    await build({ entryPoints: [keeperScript], outfile: script, bundle: true, platform: 'node' });
    const window = windows.open({ script });
    const held = await openOrphan(window);
    await rm(extension, { recursive: true });
    held.response.end('rest');
    assert.equal(await (await readElsewhere()).text(), 'rest');
    await eventually(() => !isRunning(window.pid()));
  });

  it('a stream keeper stops its streams when it is terminated', async () => {
    const window = windows.open();
    const held = await openOrphan(window);
    process.kill(window.pid(), 'SIGTERM');
    await held.closed;
    await eventually(() => !isRunning(window.pid()));
    assert.equal((await framesIn(responsePath())).at(-1)?.type, 'end');
  });

  /** Starts a keeper and a stream in it. Nothing reads its messages yet. */
  async function startUnread(path: string) {
    const keeper = spawn(process.execPath, [keeperScript], {
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    const request = { path, url: chatUrl(), method: 'POST', headers: {}, body: null };
    keeper.stdin?.write(toLine({ type: 'start', id: 1, ...request }));
    const held = await server.nextStream();
    return { keeper, held };
  }

  it('a stream keeper sends a window that reads each part no empty message', async () => {
    const { keeper, held } = await startUnread(join(storage.path, 'one.response'));
    const sizes: number[] = [];
    readLines(keeper.stdio[3] as Readable, (message) => {
      const { parts } = message as { readonly parts?: readonly FilePart[] };
      if (parts !== undefined) sizes.push(parts.length);
    });
    for (const body of ['x'.repeat(1_000_000), 'y']) {
      const { length } = sizes;
      held.response.write(body);
      await eventually(() => sizes.length > length);
    }
    held.response.end();
    keeper.kill();
    await once(keeper, 'exit');
    assert.ok(!sizes.includes(0));
  });

  it('a stream keeper writes a response file while its window reads no messages', async () => {
    const path = join(storage.path, 'one.response');
    const body = 'x'.repeat(65_536);
    const { keeper, held } = await startUnread(path);
    for (let size = 0; size < 4_000_000; size += body.length) {
      held.response.write(body);
      await eventually(async () => (await stat(path)).size > size + body.length);
    }
    held.response.end();
    await eventually(async () => (await framesIn(path)).at(-1)?.type === 'end');
    // One message says that the window should read the file.
    const unread: FilePart[] = [];
    readLines(keeper.stdio[3] as Readable, (message) => {
      const { parts = [] } = message as { readonly parts?: readonly FilePart[] };
      unread.push(...parts.filter(([, , bytes]) => bytes === null));
    });
    await eventually(() => unread.length > 0);
    assert.deepEqual(unread, [[1, 0, null]]);
    keeper.kill();
    await once(keeper, 'exit');
  });
});

describe('a stream keeper whose window was killed', () => {
  let dying: ChildProcess;
  let pid: number;

  beforeEach(async () => {
    const script = fileURLToPath(new URL('../support/dyingWindow.ts', import.meta.url));
    const request = [storage.path, responsePath(), chatUrl(), 'CANARY-KEY', 'CANARY-PROMPT'];
    dying = fork(script, {
      env: {
        ...process.env,
        DYING_WINDOW: JSON.stringify(request),
        INTERNS_API_KEY: 'CANARY-ENVIRONMENT',
      },
      execArgv: [],
    });
    const [line] = (await once(dying, 'message')) as [string];
    pid = Number(/process (\d+)$/.exec(line)?.[1]);
  });

  afterEach(() => {
    dying.kill('SIGKILL');
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });

  it('a stream keeper completes the response file after its window was killed', async () => {
    const held = await server.nextStream();
    held.response.write('first ');
    await eventually(async () => (await readFile(responsePath(), 'latin1')).includes('first'));
    dying.kill('SIGKILL');
    await once(dying, 'exit');
    held.response.end('second');
    await eventually(() => !isRunning(pid));
    assert.equal(await (await readElsewhere()).text(), 'first second');
  });

  it('a stream keeper shows no key and no prompt in arguments, variables or files', async () => {
    const held = await server.next();
    assert.equal(held.request.headers.authorization, 'Bearer CANARY-KEY');
    assert.equal(held.body, 'CANARY-PROMPT');
    const ofProcess = ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`);
    const paths = globSync('**/*.*', { cwd: storage.path }).map((name) => join(storage.path, name));
    assert.ok(paths.includes(responsePath()));
    for (const path of [...paths, ...(process.platform === 'linux' ? ofProcess : [])])
      assert.doesNotMatch(await readFile(path, 'latin1'), /CANARY/, path);
  });
});
