import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createServiceClient, parseServiceUrl, type FetchLike } from '../../../../src/api/index.ts';
import {
  checkConnection,
  type ConnectionPorts,
} from '../../../../src/features/diagnostics/checkConnection.ts';
import { fetchError } from '../../../../src/platform/keeper/storedResponse.ts';
import type { Accounts } from '../../../../src/features/accounts/account.ts';
import { Redactor } from '../../../../src/platform/log/redactor.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

const KEY = 'test-key-canary';
const NOW = Date.UTC(2026, 10, 25, 10);

type Probe = Awaited<ReturnType<ConnectionPorts['keeper']['probe']>>;

/** The situation of a window. */
interface World {
  /** The status of the response to the window, or the code of its failure. */
  readonly window?: number | string;
  readonly keeper?: Probe;
  readonly proxy?: string;
  readonly environment?: ConnectionPorts['environment'];
  /** How far this computer's clock is ahead, in seconds. */
  readonly aheadS?: number;
  readonly signedOut?: boolean;
}

describe('Check Connection', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  let probed: string[];
  let requests: number;

  beforeEach(() => {
    probed = [];
    requests = 0;
    stub(vscode.window, {
      setStatusBarMessage: () => undefined,
      withProgress: (_: unknown, task: (...given: unknown[]) => unknown) =>
        task({}, { onCancellationRequested: () => undefined }),
    });
  });

  function respond({ window = 200, aheadS = 0 }: World): Response {
    requests += 1;
    if (typeof window === 'string') throw fetchError(window);
    const data = { workspace_id: 'workspace-1', creator_user_id: 'user-1' };
    const date = new Date(NOW - aheadS * 1000).toUTCString();
    const body = window === 200 ? { data } : { error: { code: window, message: `No, ${KEY}` } };
    return Response.json(body, { status: window, headers: { date } });
  }

  /** Checks the connection. Returns the rows of the lists. */
  async function check(
    world: World = {},
    script: readonly Move[] = [LEAVE],
    storage = folder.path,
    dialogs = new ScriptedDialogs(script),
  ): Promise<readonly (readonly string[])[]> {
    const fake = new FakeAccounts(NOW);
    const root = parseServiceUrl('https://interns.test/api/v1');
    assert.ok(root.ok);
    const client = (_account: unknown, fetch: FetchLike) =>
      createServiceClient({
        root: root.value,
        key: () => KEY,
        fetch,
        clock: fake.clock,
        log: () => undefined,
      });
    const active = world.signedOut === true ? undefined : fake.account;
    const accounts = { ...fake.accounts, active, client } as unknown as Accounts;
    const redactor = new Redactor();
    redactor.add(KEY);
    await checkConnection({
      accounts,
      clock: fake.clock,
      dialogs,
      redactor,
      folder: storage,
      environment: world.environment ?? {},
      settings: { proxy: world.proxy === undefined ? undefined : { url: world.proxy, bypass: '' } },
      keeper: {
        probe: (url, { authorization = '' }) => {
          probed.push(`${url} ${authorization}`);
          return Promise.resolve(world.keeper ?? { status: 200, code: null });
        },
      },
      fetch: async () => Promise.resolve(respond(world)),
    });
    return dialogs.shown.map(({ texts }) => texts);
  }

  it('a check of a good connection finds no problem and leaves no file', async () => {
    const [rows = []] = await check();
    assert.deepEqual(rows.slice(0, 5), [
      'Service, from this window | Reached. The API key is valid.',
      'Service, from the background process | Reached. The service responded with HTTP 200.',
      'Proxy | Not set in the settings or environment',
      'Clock | Within 1s of the service’s clock',
      'Storage | Can be written',
    ]);
    assert.deepEqual(probed, [`https://interns.test/api/v1/key Bearer ${KEY}`]);
    assert.deepEqual(await readdir(folder.path), []);
  });

  for (const [situation, world, row] of [
    [
      'an unknown key',
      { window: 401 },
      /^Service, from this window \| Unknown API key \(HTTP 401\) \| .*Sign in with a valid key/,
    ],
    [
      'a host that is not found',
      { window: 'ENOTFOUND' },
      /^Service, from this window \| The host of the service URL wasn’t found \(ENOTFOUND\) \| Check the service URL/,
    ],
    [
      'a proxy that wants a password',
      { window: 407 },
      /^Service, from this window \| The proxy requires a sign-in \| Add a user name/,
    ],
    [
      'a proxy that wants a password of the background process',
      { keeper: { status: 407, code: null } },
      /^Service, from the background process \| The proxy requires a sign-in/,
    ],
    [
      'a certificate that the background process distrusts',
      { keeper: { status: null, code: 'SELF_SIGNED_CERT_IN_CHAIN' } },
      /^Service, from the background process \| The connection to the service isn’t secure \(SELF_SIGNED_CERT_IN_CHAIN\) \| The certificate isn’t trusted/,
    ],
    [
      'a background process that ended',
      { keeper: { status: null, code: null } },
      /^Service, from the background process \| Couldn’t reach the service \|/,
    ],
    [
      'a background process that cannot run',
      { keeper: 'unavailable' },
      /^Service, from the background process \| The process can’t run here \| Runs end/,
    ],
    [
      'a background process that is turned off',
      { keeper: 'off' },
      /^Service, from the background process \| Turned off \| .*interns\.keepRuns/,
    ],
    [
      'a signed-out window',
      { signedOut: true },
      /^Service, from this window \| Not checked \| Sign in first/,
    ],
    [
      'a fast clock',
      { aheadS: 90 },
      /^Clock \| 1m 30s ahead of the service’s clock \| Correct this computer’s clock/,
    ],
    [
      'a slow clock',
      { aheadS: -90 },
      /^Clock \| 1m 3\ds behind the service’s clock \| Correct this computer’s clock/,
    ],
    [
      'a proxy in the settings',
      { proxy: 'http://proxy.test:8080' },
      /^Proxy \| http:\/\/proxy\.test:8080 \(http\.proxy\)$/,
    ],
    [
      'a proxy in the environment',
      { environment: { https_proxy: 'http://proxy.test', NO_PROXY: 'a.test' } },
      /^Proxy \| http:\/\/proxy\.test \(HTTPS_PROXY\) \| Not used for a\.test\.$/,
    ],
  ] as const)
    it(`the list shows ${situation} with what to do`, async () => {
      const [rows = []] = await check(world);
      assert.ok(
        rows.some((text) => row.test(text)),
        rows.join('\n'),
      );
    });

  it('the list says why the storage cannot be written', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const [rows = []] = await check({}, [LEAVE], join(file, 'storage'));
    assert.match(rows[4] ?? '', /^Storage \| Can’t be written \(\w+\) \| Check the permissions/);
  });

  it('a check asks the service once, even if it fails, until the user checks again', async () => {
    const lists = await check({ window: 503 }, ['Check Again', LEAVE]);
    assert.deepEqual([lists.length, requests, probed.length], [2, 2, 2]);
  });

  it('Sign In after a refused key goes to the service of that account, not of the setting', async () => {
    const run: unknown[][] = [];
    const executeCommand = (...given: unknown[]) => Promise.resolve(run.push(given));
    stub(vscode.commands, { executeCommand });
    await check({ window: 401 }, ['Sign In']);
    assert.deepEqual(run, [['interns.signIn', { account: 'account-1' }]]);
  });

  it('the list of a signed-out window offers to sign in', async () => {
    const run: unknown[] = [];
    stub(vscode.commands, { executeCommand: (id: string) => Promise.resolve(run.push(id)) });
    await check({ signedOut: true }, ['Sign In']);
    assert.deepEqual(run, ['interns.signIn']);
  });

  it('the copied list has no key and no proxy password', async () => {
    const clipboard = stubClipboard(stub);
    const proxy = 'http://user:pa/ss@w@proxy.test:8080';
    let run: (() => Promise<void>) | undefined;
    const dialogs = new ScriptedDialogs([LEAVE]);
    const pick = dialogs.pick.bind(dialogs);
    dialogs.pick = (options) => {
      const rows = typeof options.rows === 'function' ? options.rows() : options.rows;
      const copy = rows.find((row) => 'run' in row && row.label === 'Copy');
      run = copy !== undefined && 'run' in copy ? copy.run : undefined;
      return pick(options);
    };
    await check(
      { window: 400, proxy, environment: { HTTPS_PROXY: proxy } },
      [],
      folder.path,
      dialogs,
    );
    await run?.();
    assert.match(
      clipboard.text,
      /^- Service, from this window: .*\n {2}.*\n- Service, from the background/,
    );
    assert.match(
      clipboard.text,
      /http:\/\/•••@proxy\.test:8080 \(http\.proxy\), http:\/\/•••@proxy/,
    );
    assert.doesNotMatch(clipboard.text, new RegExp(`${KEY}|user|pa/ss|@w`));
  });
});
