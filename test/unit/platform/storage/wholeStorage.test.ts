import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { Conversations } from '../../../../src/features/conversations/conversations.ts';
import { Drafts } from '../../../../src/features/conversations/drafts.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { asked, permission } from '../../conversation/questions/fakes.ts';
import type { Service } from '../../../service/service.ts';
import { start } from '../../api/support/localService.ts';
import { AccountWindow } from '../../support/accountWindow.ts';
import { internOf } from '../../support/fakeAccounts.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';

const conversation = 'conversation-1';
const question = { ...permission('question-1'), conversation };
const { call } = asked('question-1', question.question);
const allowed = {
  ...{ id: 'allowed-1', intern: 'intern-1', internName: 'ada' },
  ...{ operation: 'run', allowedAt: 1 },
};

let service: Service;

beforeEach(async () => {
  service = await start();
});

/** A window with all data of an account, in one workspace. */
class Window extends AccountWindow {
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly #parts = new DisposableStore();

  constructor(storageRoot: string, workspace = 'workspace-1') {
    super(storageRoot, service);
    const { reportedPaths } = this;
    const reportUnreadable = (path: string) => reportedPaths.push(path);
    const shared = {
      ...this.ports,
      watch: nodeWatcher,
      reportUnreadable,
      workspace,
      window: workspace,
    };
    const interns = this.#parts.add(new InternModel(shared));
    const settings = { approvalMode: 'manual', costLimit: 0, dailyCostLimit: 0 } as const;
    this.conversations = this.#parts.add(new Conversations({ ...shared, interns, settings }));
    this.drafts = this.#parts.add(new Drafts(this.conversations, shared));
  }

  get account(): Account {
    const { active } = this.accounts;
    if (active === undefined) throw new Error('No account is signed in');
    return active;
  }

  /** Writes to every file. */
  async fill(text: string): Promise<void> {
    const { account, conversations, drafts } = this;
    const { interns, secrets, creations } = account.store;
    const intern = internOf({ id: 'intern-1', name: text });
    await interns.put({
      ...{ id: 'intern-1', intern, origin: 'created', addedAt: 1, status: 'running' },
      ...{ statusAt: 1, statusFrom: 'created', creation: 'creation-1' },
    });
    const metadata = { name: 'secret_1', hosts: [text], fingerprint: null, createdAt: null };
    await secrets.put({ name: 'secret_1', metadata, storedAt: 1 });
    await creations.put({
      ...{ id: 'creation-1', name: text, body: '{}', header: null, provision: true },
      ...{ createdAt: 1, internId: null, sentBy: null },
    });
    const open =
      (await conversations.open(account, conversation)) ??
      conversations.create(account, 'intern-1', conversation);
    open.conversation.record({
      ...{ type: 'prompt', run: 'run-1', text, mode: 'manual' },
    });
    open.conversation.record({ type: 'text', run: 'run-1', text });
    open.conversation.record({ type: 'asked', run: 'run-1', question: question.id, call });
    open.conversation.record({ type: 'finished', run: 'run-1', reason: 'tool_calls' });
    open.conversation.record({ type: 'renamed', title: text });
    drafts.set(conversation, {
      text,
      attached: [{ source: 'a.ts', text }],
      queue: [{ id: 'queued-1', text, sent: text, attachments: [], mode: 'manual' }],
    });
    await Promise.all([conversations.flush(), drafts.flush()]);
    await conversations.questionHeads.markDialog({ ...question, account: account.id }, 1);
    const elsewhere = { log: this.log, window: randomUUID() };
    await new OwnerFile(account.store.paths.conversations, conversation, elsewhere).take();
    await account.store.allowed.put({ ...allowed, internName: text });
  }

  /** Counts everything that can be read. */
  async readAll(): Promise<Record<string, number>> {
    await this.accounts.start();
    if (this.accounts.active === undefined) return {};
    const { account, conversations } = this;
    const { interns, secrets, creations } = account.store;
    const open = await conversations.open(account, conversation).catch(() => undefined);
    const shown = { ...question, account: account.id };
    return {
      interns: (await interns.list()).length,
      secrets: (await secrets.list()).length,
      creations: (await creations.list()).length,
      heads: (await conversations.list(account)).length,
      conversations: open === undefined ? 0 : 1,
      messages: (await conversations.read(account, conversation)).messages.length,
      drafts: this.drafts.get(conversation).text.length,
      questions: (await conversations.questionHeads.list())?.length ?? 0,
      dialogs: (await conversations.questionHeads.lastDialog(shown)) ? 1 : 0,
      allowed: (await account.store.allowed.list()).length,
    };
  }

  override dispose(): void {
    this.#parts.dispose();
    super.dispose();
  }
}

const damages: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  truncated: async (path) => writeFile(path, (await readFile(path)).subarray(0, 20)),
  emptied: (path) => writeFile(path, ''),
  'replaced by a folder': (path) => rm(path).then(() => mkdir(path)),
  'of a version that is not understood': async (path) => {
    const text = (await readFile(path, 'utf8')).replaceAll(/"(id|window|intern|name)":/g, '"new":');
    await writeFile(path, text.replaceAll(/"version": ?1/g, '"version":99'));
  },
};

const immutable = (flag: '+i' | '-i', path: string) =>
  spawnSync('chattr', [flag, path]).status === 0;

describe('the storage of an account', () => {
  const folder = useTemporaryFolder();
  const windows: Window[] = [];

  const open = (storageRoot: string, workspace?: string): Window => {
    const window = new Window(storageRoot, workspace);
    windows.push(window);
    return window;
  };

  afterEach(() => {
    for (const window of windows.splice(0)) window.dispose();
  });

  /** Returns the relative paths of all files. */
  async function filesIn(path: string): Promise<readonly string[]> {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(path, join(entry.parentPath, entry.name)));
  }

  /** Creates a storage with content in every file. */
  async function filled(): Promise<string> {
    const storage = join(folder.path, 'storage');
    const window = open(storage);
    await window.signIn();
    await window.fill('said');
    window.dispose();
    windows.length = 0;
    return storage;
  }

  for (const [damage, inflict] of Object.entries(damages)) {
    const isJsonLost = damage === 'truncated' || damage === 'emptied';
    it(`a window reads the rest of the storage when a file is ${damage}`, async () => {
      const seed = await filled();
      const whole = await open(seed).readAll();
      assert.ok(
        Object.values(whole).every((count) => count > 0),
        JSON.stringify(whole),
      );
      for (const [at, file] of (await filesIn(seed)).entries()) {
        const storage = join(folder.path, `damaged-${at}`);
        await cp(seed, storage, { recursive: true });
        const path = join(storage, file);
        await inflict(path);
        const left = await stat(path).then((entry) =>
          entry.isFile() ? readFile(path) : undefined,
        );
        const window = open(storage);
        let counts = await window.readAll();
        if (isJsonLost && window.accounts.active === undefined) {
          await window.signIn();
          counts = await window.readAll();
          assert.deepEqual(counts, whole, 'signing in brings all back');
        }
        if (window.accounts.active !== undefined) {
          const missing = Object.keys(whole).filter((name) => counts[name] !== whole[name]);
          // Without its record, a conversation has no messages and no draft.
          assert.ok(missing.length <= 3, `${file}: ${missing.join()}`);
          await window.fill('said again').catch(() => undefined);
        }
        window.dispose();
        const isWindowsOwn = file.endsWith('.run');
        // Heads and the files beside them can be made again.
        const isHead = isJsonLost && file.includes('heads');
        if (isHead) {
          assert.deepEqual(window.reportedPaths, []);
          assert.deepEqual(counts, { ...whole, ...(file.endsWith('.dialog') && { dialogs: 0 }) });
        } else if (!isWindowsOwn)
          assert.deepEqual([...new Set(window.reportedPaths)], [path], file);
        if (isHead || (isJsonLost && file.endsWith('.json'))) {
          JSON.parse(await readFile(path, 'utf8'));
          continue;
        }
        const now = await stat(path).then((entry) => (entry.isFile() ? readFile(path) : undefined));
        assert.deepEqual(now, left, `${file} is as it was`);
      }
    });
  }

  if (process.platform === 'linux' && process.getuid?.() === 0)
    it('a window reads the whole storage when a file is read-only', async () => {
      const seed = await filled();
      for (const file of await filesIn(seed)) {
        const path = join(seed, file);
        const before = await readFile(path);
        if (!immutable('+i', path)) return;
        try {
          const window = open(seed);
          const counts = await window.readAll();
          assert.ok(
            Object.values(counts).every((count) => count > 0),
            `${file} ${JSON.stringify(counts)}`,
          );
          await window.fill('said to a file that is read-only').catch(() => undefined);
          window.dispose();
          assert.deepEqual(await readFile(path), before);
        } finally {
          immutable('-i', path);
        }
      }
    }).timeout(120_000);

  it('a sign-out that deletes the data leaves no text of any workspace', async () => {
    const storage = join(folder.path, 'storage');
    const [here, there] = [open(storage, 'here'), open(storage, 'there')];
    await here.signIn();
    await here.fill('canary');
    await there.accounts.start();
    await there.fill('canary');
    const holding = async (): Promise<readonly string[]> => {
      const files = await filesIn(storage);
      const texts = await Promise.all(files.map((file) => readFile(join(storage, file), 'utf8')));
      return files.filter((_, at) => texts[at]?.includes('canary'));
    };
    assert.ok((await holding()).length >= 8);
    const { account } = here;
    here.drafts.stopWriting(account);
    await here.accounts.signOut(account.id, { forgetData: true });
    for (const { conversations, drafts } of [here, there]) {
      drafts.set(conversation, { text: 'canary again' });
      conversations.live[0]?.conversation.record({ type: 'text', run: 'run-1', text: 'canary' });
      await Promise.all([conversations.flush(), drafts.flush()]);
    }
    assert.deepEqual(await holding(), []);
    assert.deepEqual(await filesIn(storage), []);
  });
});
