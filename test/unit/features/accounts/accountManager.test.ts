import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceUrl } from '../../../../src/api/index.ts';
import { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import { accountIdOf, type AccountRecord } from '../../../../src/features/accounts/records.ts';
import { SIMULATING_KEYS, type Service } from '../../../service/service.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { start } from '../../api/support/localService.ts';
import { accountOptions, secretRecord } from '../../support/accountWindow.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';
import { eventually } from '../../../harness/until.ts';
import { readTexts, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('AccountManager', () => {
  const folder = useTemporaryFolder();
  const opened: AccountManager[] = [];
  let service: Service;
  let root: ServiceUrl;
  /** The keys of the requests. */
  let seen: string[];
  let secrets: FakeSecrets;
  let globalState: FakeMemento;
  let log: RecordingLog;
  let time = 1_000;

  /** Opens a window that has read its accounts. */
  async function openWindow(own = secrets): Promise<AccountManager> {
    const shared = { log, secrets: own, globalState, now: () => time++ };
    const accounts = new AccountManager({ ...accountOptions(folder.path), ...shared });
    opened.push(accounts);
    await accounts.start();
    return accounts;
  }

  async function openSignedIn() {
    const accounts = await openWindow();
    return { accounts, account: await accounts.signIn(root, 'test-key-owner') };
  }

  const startNoting = () =>
    start({
      observer: {
        onRequest: ({ headers }) => seen.push(`${headers.authorization}`.replace('Bearer ', '')),
      },
    });

  beforeEach(async () => {
    seen = [];
    service = await startNoting();
    root = rootOf(service.url);
    secrets = new FakeSecrets();
    globalState = new FakeMemento();
    log = new RecordingLog();
  });

  afterEach(() => {
    for (const accounts of opened.splice(0)) accounts.dispose();
  });

  it('a window without accounts sends no request', async () => {
    const accounts = await openWindow();
    await accounts.whenLoaded;
    assert.deepEqual([accounts.all, accounts.active, seen], [[], undefined, []]);
    assert.throws(() => accounts.client(accounts.active), { kind: 'signed-out' });
  });

  it('sign-in stores a key only if the service accepts it', async () => {
    const accounts = await openWindow();
    await assert.rejects(accounts.signIn(root, 'test-key-wrong'), { kind: 'signed-out' });
    assert.deepEqual([secrets.values.size, accounts.all], [0, []]);
    const account = await accounts.signIn(root, 'test-key-owner');
    assert.equal(accounts.active?.id, account.id);
    assert.equal(account.state, 'ready');
    assert.equal(account.record.label, 'Orchard');
  });

  it('sign-in leaves no key behind if the disk refuses the account', async () => {
    const accounts = await openWindow();
    const store = secrets.store.bind(secrets);
    secrets.store = async (...args) => {
      await store(...args);
      const accountsFolder = join(folder.path, 'accounts');
      await rm(accountsFolder, { recursive: true });
      await writeFile(accountsFolder, 'not a folder');
    };
    await assert.rejects(accounts.signIn(root, 'test-key-owner'), { name: 'UnreadableFileError' });
    assert.equal(secrets.values.size, 0);
    assert.deepEqual(accounts.all, []);
  });

  it('an account is ready after a restart without a request', async () => {
    await openSignedIn();
    seen.length = 0;
    const accounts = await openWindow();
    assert.equal(accounts.active?.state, 'ready');
    assert.deepEqual(seen, []);
    await accounts.client(accounts.active).getKey();
    assert.deepEqual(seen, ['test-key-owner']);
  });

  it('accounts never write a key to disk, to the global state or to the log', async () => {
    const { accounts } = await openSignedIn();
    await accounts.readKeyInfo(accounts.active!.id);
    const texts = [...(await readTexts(folder.path)).values()];
    const everything = JSON.stringify([texts, [...globalState.values], log.lines, log.requests]);
    assert.doesNotMatch(everything, /test-key/);
    assert.match(everything, /ws_orchard/);
  });

  // Rule 16.2
  it('an account keeps its data under a rotated key', async () => {
    const { accounts, account: first } = await openSignedIn();
    const rotated = await accounts.signIn(root, 'test-key-rotated');
    assert.equal(rotated.id, first.id);
    assert.equal(rotated.store, first.store);
    await accounts.signIn(root, 'test-key-second');
    const labels = accounts.all.map(({ record }) => record.label);
    assert.deepEqual(labels, ['Orchard, rotated', 'Harbour']);
  });

  it('URL and workspace identify an account if the service gives no creator', async () => {
    const data = { workspace_id: 'ws_orchard', creator_user_id: null };
    const unnamed = { kind: 'respond', status: 200, body: JSON.stringify({ data }) } as const;
    const { accounts, account: owner } = await openSignedIn();
    service.faults.next('key', unnamed, unnamed);
    const account = await accounts.signIn(root, 'test-key-unnamed');
    assert.notEqual(account.id, owner.id);
    assert.equal((await accounts.signIn(root, 'test-key-unnamed-2')).id, account.id);
    assert.equal((await openWindow()).get(account.id)?.record.creatorUserId, null);
  });

  it('an account records when its key changed', async () => {
    const { accounts, account } = await openSignedIn();
    const first = account.record;
    const { record: same } = await accounts.signIn(root, 'test-key-owner');
    assert.equal(same.keySince, first.keySince);
    const { record: rotated } = await accounts.signIn(root, 'test-key-rotated');
    assert.ok(rotated.keySince > first.keySince);
    assert.equal(rotated.signedInAt, first.signedInAt);
    const elsewhere = await openWindow(new FakeSecrets());
    const { record: lost } = await elsewhere.signIn(root, 'test-key-rotated');
    assert.ok(lost.keySince > rotated.keySince, 'a lost key may have been another one');
  });

  it('an account of an earlier version dates its key to the first sign-in', async () => {
    const account = (await openSignedIn()).account;
    const path = join(folder.path, 'accounts', `${account.id}.json`);
    const { keySince, ...earlier } = JSON.parse(await readFile(path, 'utf8')) as AccountRecord;
    await writeFile(path, JSON.stringify({ ...earlier, signedInAt: keySince - 1 }));
    assert.equal((await openWindow()).active?.record.keySince, keySince - 1);
  });

  it('windows opened later share the active account', async () => {
    const { accounts, account: first } = await openSignedIn();
    await accounts.signIn(root, 'test-key-second');
    assert.equal(accounts.active?.record.label, 'Harbour');
    await accounts.activate(first.id);
    assert.equal((await openWindow()).active?.id, first.id);
  });

  it('an account needs its key again if the host lost it', async () => {
    const signedIn = (await openSignedIn()).account;
    const accounts = await openWindow(new FakeSecrets());
    assert.equal(accounts.active?.id, signedIn.id);
    assert.equal(accounts.active.state, 'needs-key');
    await assert.rejects(accounts.client(accounts.active).getKey(), {
      kind: 'signed-out',
      status: null,
    });
    await accounts.signIn(root, 'test-key-owner');
    assert.equal(accounts.active.state, 'ready');
    await accounts.client(accounts.active).getKey();
  });

  it('an account uses a key that another window stored', async () => {
    const here = await openWindow();
    const own = new FakeSecrets(secrets.values);
    const there = await openWindow(own);
    const account = await here.signIn(root, 'test-key-owner');
    await eventually(() => there.get(account.id)?.state === 'ready');
    own.tell(`account:${account.id}`);
    await there.client(there.get(account.id)).getKey();
    assert.equal(seen.at(-1), 'test-key-owner');
  });

  it('an account sends its key only to the URL that the user entered it for', async () => {
    const { accounts, account } = await openSignedIn();
    const elsewhere = 'https://elsewhere.example.com/api/v1';
    seen.length = 0;
    const outdated = { ...account, record: { ...account.record, root: elsewhere } };
    await assert.rejects(accounts.client(outdated).getKey(), { kind: 'signed-out' });
    const path = join(folder.path, 'accounts', `${account.id}.json`);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(root, elsewhere));
    const edited = await openWindow();
    assert.equal(edited.active?.state, 'needs-key');
    await assert.rejects(edited.client(edited.active).getKey(), { kind: 'signed-out' });
    assert.deepEqual(seen, []);
  });

  it('a window asks for no information on the key of a signed-out account', async () => {
    const { accounts, account } = await openSignedIn();
    await accounts.signIn(root, 'test-key-second');
    await accounts.signOut(account.id, { forgetData: true });
    seen.length = 0;
    await assert.rejects(accounts.readKeyInfo(account.id), { kind: 'signed-out' });
    assert.deepEqual(seen, []);
  });

  it('an account that a 401 marked as refused recovers with its data', async () => {
    const { accounts, account } = await openSignedIn();
    await account.store.secrets.put(secretRecord('kept'));
    service.state.keys.revoke('test-key-owner');
    await assert.rejects(accounts.client(accounts.active).getKey(), { kind: 'signed-out' });
    await eventually(() => accounts.active?.state === 'refused');
    assert.equal((await openWindow()).active?.state, 'refused');
    assert.equal((await accounts.active!.store.secrets.list()).length, 1);
    service.state.keys.add(SIMULATING_KEYS[0]!);
    await accounts.client(accounts.active).getKey();
    await eventually(() => accounts.active?.state === 'ready');
  });

  it('an account stays ready after a network failure or a 401 to a replaced key', async () => {
    const { accounts } = await openSignedIn();
    // One try and three more.
    const cut = { kind: 'cut', afterBytes: 0 } as const;
    service.faults.next('key', cut, cut, cut, cut);
    await assert.rejects(accounts.client(accounts.active).getKey(), { kind: 'network' });
    const old = accounts.client(accounts.active);
    service.state.keys.revoke('test-key-owner');
    const { id } = await accounts.signIn(root, 'test-key-rotated');
    const states: unknown[] = [];
    accounts.onDidChange(() => states.push(accounts.active?.state));
    await assert.rejects(old.getKey(), { kind: 'signed-out' });
    assert.equal(seen.at(-1), 'test-key-owner', 'a run keeps the key it started with');
    // Writes the account's record after the outcome of the replaced key.
    await accounts.readKeyInfo(id);
    assert.deepEqual([...new Set(states)], ['ready']);
  });

  it('an account recovers from a refusal that a success follows at once', async () => {
    const { accounts } = await openSignedIn();
    const states: unknown[] = [];
    accounts.onDidChange(() => states.push(accounts.active?.state));
    service.state.keys.change('test-key-owner', { left: true });
    await assert.rejects(accounts.client(accounts.active).getKey());
    service.state.keys.change('test-key-owner', { left: false });
    await accounts.client(accounts.active).getKey();
    await eventually(() => states.includes('refused'));
    await eventually(() => accounts.active?.state === 'ready');
  });

  it('sign-out keeps or deletes the data of an account', async () => {
    const { accounts, account: first } = await openSignedIn();
    await first.store.secrets.put(secretRecord('one'));
    const running = accounts.client(accounts.active);
    await accounts.signOut(first.id, { forgetData: false });
    assert.equal(secrets.values.size, 0);
    assert.equal(accounts.signedOutRoot, root);
    await running.getKey();
    const again = await accounts.signIn(root, 'test-key-owner');
    assert.equal((await again.store.secrets.list()).length, 1);
    await accounts.signOut(again.id, { forgetData: true });
    assert.equal(accounts.signedOutRoot, undefined);
    const empty = await accounts.signIn(root, 'test-key-owner');
    assert.deepEqual(await empty.store.secrets.list(), []);
  });

  it('sign-out deletes the data although another window signed out and kept it', async () => {
    const { accounts: here, account } = await openSignedIn();
    await account.store.secrets.put(secretRecord('kept'));
    const there = await openWindow();
    await there.signOut(account.id, { forgetData: false });
    await eventually(() => here.all.length === 0);
    assert.match(JSON.stringify([...(await readTexts(folder.path)).values()]), /kept/);
    await here.signOut(account.id, { forgetData: true });
    assert.deepEqual([...(await readTexts(folder.path)).values()], []);
  });

  it('sign-out works although the secret storage fails', async () => {
    const { accounts, account } = await openSignedIn();
    secrets.delete = () => Promise.reject(new Error('no keyring'));
    await accounts.signOut(account.id, { forgetData: false });
    assert.deepEqual(accounts.all, []);
    assert.ok(log.lines.includes('The editor could not forget an API key'));
  });

  it('sign-out in one window activates the next account in all windows', async () => {
    const { accounts: here, account: first } = await openSignedIn();
    const second = await here.signIn(root, 'test-key-second');
    const there = await openWindow();
    assert.equal(there.active?.id, second.id);
    await here.signOut(second.id, { forgetData: false });
    await eventually(() => there.all.length === 1);
    assert.equal(there.active.id, first.id);
  });

  describe('keys of the environment', () => {
    /** Signs in with the key of the environment if the user agrees. */
    const signInto = (accounts: AccountManager, key = 'test-key-owner') =>
      accounts.signInFromEnvironment({ root, key }, () => Promise.resolve(true));

    it('the environment signs in without storing its key', async () => {
      const accounts = await openWindow();
      const account = await signInto(accounts);
      assert.equal(account?.record.fromEnvironment, true);
      const owner = { workspaceId: 'ws_orchard', creatorUserId: 'user_olive' };
      assert.equal(account.id, accountIdOf({ root, ...owner }));
      assert.doesNotMatch(JSON.stringify([...secrets.values]), /test-key/);
      await accounts.client(accounts.active).getKey();
    });

    it('a key of the environment needs no request in the next window unless it changed', async () => {
      await signInto(await openWindow());
      seen.length = 0;
      const next = await openWindow();
      await signInto(next);
      assert.equal(next.active?.state, 'ready');
      assert.deepEqual(seen, []);
      await signInto(next, 'test-key-second');
      assert.equal(next.active.record.label, 'Harbour');
    });

    it('an account of the environment records when its key changed', async () => {
      const accounts = await openWindow();
      const first = await signInto(accounts);
      const rotated = await signInto(accounts, 'test-key-rotated');
      assert.ok(rotated!.record.keySince > first!.record.keySince);
    });

    it('the environment signs in unless its account was signed out or a key is stored', async () => {
      const accounts = await openWindow();
      assert.equal(accounts.needsEnvironment, true);
      const account = await signInto(accounts);
      assert.equal(accounts.needsEnvironment, true, 'its own key may have changed');
      await accounts.signOut(account!.id, { forgetData: false });
      assert.equal(accounts.signedOutRoot, undefined, 'an untrusted folder may have set it');
      assert.equal(accounts.needsEnvironment, false);
      assert.equal(await signInto(await openWindow()), undefined);
      const second = await accounts.signIn(root, 'test-key-second');
      assert.equal(accounts.needsEnvironment, false);
      assert.equal((await openWindow(new FakeSecrets())).needsEnvironment, true);
      await accounts.signOut(second.id, { forgetData: false });
      assert.equal(accounts.needsEnvironment, true);
      assert.equal((await signInto(accounts))?.id, account!.id);
    });

    it('the environment signs in to an account whose stored key is lost', async () => {
      await openSignedIn();
      const accounts = await openWindow(new FakeSecrets());
      await signInto(accounts);
      assert.equal(accounts.all.length, 1);
      assert.equal(accounts.active?.state, 'ready');
    });

    it('an account whose lost key is that of the environment sends it without a new sign-in', async () => {
      await signInto(await openWindow());
      const { account } = await openSignedIn();
      for (const name of secrets.values.keys())
        if (name !== 'environment') secrets.values.delete(name);
      const next = await openWindow();
      seen.length = 0;
      await signInto(next);
      assert.equal(next.active?.id, account.id);
      await next.client(next.active).getKey();
      assert.deepEqual(seen, ['test-key-owner']);
    });

    it('the environment sends no key to a new URL before the user agrees', async () => {
      const asked: string[] = [];
      const answering = (answer: boolean) => (asking: ServiceUrl) => {
        asked.push(asking);
        assert.deepEqual(seen, [], 'a request went out before the answer');
        return Promise.resolve(answer);
      };
      const accounts = await openWindow();
      const signIn = (answer: boolean, where = { root, key: 'test-key-owner' }) =>
        accounts.signInFromEnvironment(where, answering(answer));
      assert.equal(await signIn(false), undefined);
      assert.equal(await signIn(true), undefined, 'it was refused');
      assert.deepEqual(seen, []);
      const other = { root: rootOf((await startNoting()).url), key: 'test-key-owner' };
      assert.notEqual(await signIn(true, other), undefined);
      assert.deepEqual(asked, [root, other.root]);
      const next = await openWindow();
      await next.signInFromEnvironment({ ...other, key: 'test-key-second' }, answering(false));
      assert.equal(next.active?.record.label, 'Harbour', 'a root that an account has is not new');
      const refused = { root, key: 'test-key-owner' };
      assert.equal(await next.signInFromEnvironment(refused, answering(true)), undefined);
      assert.equal(asked.length, 2);
    });

    it('an account of the environment needs a key once the environment is gone', async () => {
      await signInto(await openWindow());
      assert.equal((await openWindow()).active?.state, 'needs-key');
    });
  });
});
