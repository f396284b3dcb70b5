import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { createServiceClient, globalFetch, type FetchLike } from '../../../../src/api/index.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import {
  isKeyReadDue,
  keyProblem,
  remindOfKeys,
} from '../../../../src/features/accounts/keyReminder.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { eventually } from '../../../harness/until.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { start } from '../../api/support/localService.ts';
import { accountOptions, AccountWindow } from '../../support/accountWindow.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the reminder about a key', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  const now = Date.parse('2026-03-10T12:00:00Z');
  const minute = 60_000;
  const inDays = (days: number) => new Date(now + days * 24 * 60 * minute).toISOString();
  const account = (
    expiresAt: string | null,
    limit: unknown,
    limitRemaining: unknown,
    keyReadAt = now,
  ) => {
    const name = { label: 'Orchard', workspaceId: 'w' };
    return { record: { ...name, expiresAt, limit, limitRemaining, keyReadAt } } as Account;
  };

  afterEach(() => mock.timers.reset());

  it('the user is reminded of a key that expires within three days or has little left', () => {
    const yesterday = now - 24 * 60 * minute;
    for (const [expiresAt, limit, remaining, problem, readAt] of [
      [inDays(2.9), null, null, 'The API key Orchard · w expires in 2 days.'],
      [inDays(-1), 100, 1, 'The API key Orchard · w expired yesterday.'],
      [inDays(3.1), null, null, undefined],
      [null, null, null, undefined],
      ['soon', null, null, undefined],
      [null, 100, 9.9, 'API key Orchard · w has only 9.9 of its 100 limit left.'],
      [null, 100, 10, undefined],
      [null, 0, 0, undefined],
      [null, null, 1, undefined],
      [null, 100, null, undefined],
      [null, 100, 1, undefined, yesterday],
    ] as const)
      assert.equal(keyProblem(account(expiresAt, limit, remaining, readAt), now), problem);
  });

  it('the reminder about a key that is not active does not lead to the page of the active one', async () => {
    const changed = new Emitter<void>();
    const offered: string[][] = [];
    stub(vscode.window, {
      state: { focused: true },
      onDidChangeWindowState: changed.event,
      showWarningMessage: (_text: string, ...buttons: string[]) => offered.push(buttons),
    });
    const all = ['active', 'other'].map(accountOf);
    for (const { record } of all) Object.assign(record, { expiresAt: new Date(0).toISOString() });
    const accounts = { all, active: all[0], onDidChange: changed.event };
    remindOfKeys({
      accounts,
      globalState: new FakeMemento(),
      runs: { isRunning: () => false, onDidChange: changed.event },
    } as unknown as Parameters<typeof remindOfKeys>[0]);
    changed.fire();
    await eventually(() => offered.length === 2);
    const signIn = 'Sign In with Another Key';
    assert.deepEqual(offered, [[signIn, 'Show API Key Information'], [signIn]]);
  });

  it('a window reads the limits of keys in use every fifteen minutes, also if that fails', () => {
    mock.timers.enable({ apis: ['Date'], now });
    const changed = new Emitter<void>();
    stub(vscode.window, { onDidChangeWindowState: changed.event });
    const read: string[] = [];
    const accounts = {
      all: [accountOf('used'), accountOf('idle'), { ...accountOf('refused'), state: 'refused' }],
      onDidChange: changed.event,
      readKeyInfo: (id: string) => {
        read.push(id);
        return Promise.reject(new Error('No connection'));
      },
    };
    const runsChanged = new Emitter<void>();
    remindOfKeys({
      accounts,
      log: new RecordingLog(),
      runs: { isRunning: (id: string) => id !== 'idle', onDidChange: runsChanged.event },
    } as unknown as Parameters<typeof remindOfKeys>[0]);
    for (const minutes of [0, 14, 15]) {
      mock.timers.setTime(now + minutes * minute);
      runsChanged.fire();
    }
    assert.deepEqual(read, ['used', 'used']);
  });

  it('every window reminds of a limit that one window read', async () => {
    const service = await start();
    const here = await AccountWindow.signedIn(folder.path, service);
    const there = new AccountManager(accountOptions(folder.path));
    await there.start();
    const { id, record } = here.accounts.active!;
    const { workspaceId: workspace_id, creatorUserId: creator_user_id } = record;
    const data = { workspace_id, creator_user_id, limit: 100, limit_remaining: 9 };
    service.faults.next('key', { kind: 'respond', status: 200, body: JSON.stringify({ data }) });
    await here.accounts.readKeyInfo(id);
    await eventually(() => keyProblem(there.active!, Date.now())?.includes('only 9 of') ?? false);
    here.dispose();
    there.dispose();
  });

  it('a late response about a replaced key does not describe the present one', async () => {
    const service = await start();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let requests = 0;
    const fetch: FetchLike = async (...request) => {
      const isReading = ++requests === 2;
      const response = await globalFetch(...request);
      if (isReading) await held;
      return response;
    };
    const accounts = new AccountManager({
      ...accountOptions(folder.path),
      createClient: (config) => createServiceClient({ ...config, fetch }),
    });
    await accounts.start();
    const root = rootOf(service.url);
    const { id } = await accounts.signIn(root, 'test-key-owner');
    const reading = accounts.readKeyInfo(id);
    await eventually(() => requests === 2);
    await accounts.signIn(root, 'test-key-rotated');
    release();
    await reading;
    assert.equal(accounts.active!.record.label, 'Orchard, rotated');
    accounts.dispose();
  });

  it('the user sees the limit of a key although the disk cannot store it', async () => {
    const service = await start();
    const accounts = new AccountManager({ ...accountOptions(folder.path), watch: noWatcher });
    await accounts.start();
    const { id } = await accounts.signIn(rootOf(service.url), 'test-key-owner');
    await rm(join(folder.path, 'accounts'), { recursive: true });
    await writeFile(join(folder.path, 'accounts'), 'not a folder');
    assert.equal((await accounts.readKeyInfo(id)).label, 'Orchard');
    accounts.dispose();
  });

  it('a key is read again fifteen minutes after any window read it', () => {
    const read = (minutes: number) =>
      isKeyReadDue({ record: { keyReadAt: now - minutes * minute } } as Account, now);
    assert.deepEqual([read(14.9), read(15)], [false, true]);
    assert.equal(isKeyReadDue({ record: {} } as Account, now), true);
  });
});
