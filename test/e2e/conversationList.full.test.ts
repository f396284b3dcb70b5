import '../unit/support/vscodeHook.ts';
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { temporaryFolder } from '../harness/paths.ts';
import { accountFolders, seedHeads, seedIntern } from '../harness/seedIntern.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Gate } from './support/gate.ts';

// Only now: they import `vscode`.
const { Conversations } = await import('../../src/features/conversations/conversations.ts');
const { conversationOptions } = await import('../unit/support/accountWindow.ts');

const INTERNS = 10;
const RUNS = 50;
const SEEDED = 10_000;
const HOUR_MS = 3_600_000;

const key = 'test-key-owner';
const gate = new Gate();

describe('the list of conversations in three windows of two workspaces', () => {
  const closing = useClosing();
  let service: Service;
  let heads: string;
  /** The folders of the two workspaces. */
  let folders: readonly string[];
  /** Two windows of the first workspace, and one of the second. */
  let windows: readonly VSCodeWindow[];
  /** Starts a run of the first workspace in this process, as a window without pages would. */
  let start: (intern: string, title: string) => Conversation;
  let runs: readonly Conversation[];

  before(async function () {
    // Three windows and 10,000 files.
    this.timeout(300_000);
    folders = await Promise.all(
      ['north', 'south'].map(async (name) => {
        const parent = closing.use(await temporaryFolder());
        const folder = path.join(parent.path, name);
        await mkdir(folder);
        return folder;
      }),
    );
    const options = { provisioningMs: 0, keepaliveMs: 500, brain: gate.brain };
    const opened = closing.use(
      await openServed({ folder: folders[0]!, service: options }, (started) => ({
        env: { INTERNS_BASE_URL: started.url, INTERNS_API_KEY: key },
        prepare: (profile) => seed(started, profile),
      })),
    );
    ({ service } = opened);
    const { window } = opened;
    await window.statusShows('Orchard');
    const second = closing.use(await window.secondWindow());
    const third = closing.use(await window.secondWindow(folders[1]));
    windows = [window, second, third];
    for (const each of windows) await each.showViews('Interns');
    const signIn = { baseUrl: service.url, apiKey: key };
    const { root } = await accountFolders(window.server.profile, signIn);
    const runnerOptions = conversationOptions(root, service.url, 'runner');
    const runner = new Conversations({ ...runnerOptions, workspaceUri: uriOf(0) });
    closing.defer(() => runner.dispose());
    start = (intern, title) => {
      const { conversation } = runner.create(runnerOptions.account, intern);
      submit(conversation, 'work');
      conversation.record({ type: 'renamed', title });
      return conversation;
    };
  });

  const uriOf = (folder: number): string => pathToFileURL(folders[folder]!).href;

  /** Adds ten interns and 10,000 conversations without messages. Every third is of no workspace. */
  async function seed(started: Service, profile: string): Promise<void> {
    const signIn = { baseUrl: started.url, apiKey: key };
    const names = Array.from({ length: INTERNS }, (_, index) => `worker-${index}`);
    for (const name of names) {
      const response = await fetch(`${started.url}/interns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, provision: true }),
      });
      const intern = (await response.json()) as { readonly id: string };
      await seedIntern(profile, signIn, { ...intern, status: 'running' });
    }
    const now = Date.now();
    const seeds = Array.from({ length: SEEDED }, (_, index) => {
      const id = `seed-${String(index).padStart(5, '0')}`;
      const workspace = index % 3 === 2 ? undefined : uriOf(index % 3);
      const at = now - HOUR_MS * (index + 1);
      return {
        id,
        intern: 'gone',
        title: id,
        createdAt: at,
        at,
        state: 'idle',
        workspace,
      } as const;
    });
    heads = await seedHeads(profile, signIn, seeds);
  }

  function submit(conversation: Conversation, text: string): void {
    conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
  }

  /** The spoken labels of the first rows of the list. */
  async function labels(window: VSCodeWindow): Promise<readonly string[]> {
    const rows = window.view('Conversations').locator('.monaco-list-row');
    return rows.evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
      all.map((row) => row.getAttribute('aria-label') ?? ''),
    );
  }

  /** Waits until the first rows of a list match, in this order. */
  async function begins(window: VSCodeWindow, ...expected: readonly RegExp[]): Promise<void> {
    let shown: readonly string[] = [];
    await until(`rows ${expected.join(', ')}`, async () => {
      shown = await labels(window);
      return expected.every((pattern, index) => pattern.test(shown[index] ?? ''));
    }).catch((failure: unknown) => assert.fail(`${String(failure)}\n${shown.join('\n')}`));
  }

  /** Waits until the number on the container's icon is `count`; 0 for none. */
  async function badges(counts: readonly number[]): Promise<void> {
    for (const [index, count] of counts.entries()) {
      const icon = windows[index]!.page.locator('.activitybar .action-item', {
        has: windows[index]!.page.locator('[aria-label^="Interns"]'),
      });
      await until(`the badge ${count} in window ${index}`, async () => {
        const badge = icon.locator('.badge-content');
        return Number((await badge.isVisible()) ? await badge.innerText() : 0) === count;
      });
    }
  }

  const all = (check: (window: VSCodeWindow) => Promise<unknown>) =>
    Promise.all(windows.map(check));
  const north = (...expected: readonly RegExp[]) =>
    Promise.all(windows.slice(0, 2).map((window) => begins(window, ...expected)));
  const south = (...expected: readonly RegExp[]) => begins(windows[2]!, ...expected);

  it('each window lists its own conversations, all read, by titles that only heads hold', async () => {
    await north(/^seed-00000, finished/, /^seed-00002, finished/, /^seed-00003/);
    await south(/^seed-00001/, /^seed-00002/, /^seed-00004/);
    await badges([0, 0, 0]);
    const records = (await readdir(path.dirname(heads))).filter((name) => name.endsWith('.jsonl'));
    assert.equal(records.length, SEEDED);
  });

  it('50 runs are listed in both windows of their workspace, and counted in all', async () => {
    const interns = service.state.interns().filter(({ name }) => name.startsWith('worker-'));
    assert.equal(interns.length, INTERNS);
    runs = Array.from({ length: RUNS }, (_, index) =>
      start(interns[index % INTERNS]!.id, `run-${index}`),
    );
    await north(/^run-\d+, running/, /^run-\d+, running/);
    await south(/^seed-00001/);
    await all((window) => window.treeShows('Interns', 'worker-0', '5 running'));
    await badges([0, 0, 0]);
  });

  it('finished runs are unread in both windows of their workspace', async () => {
    gate.open();
    await badges([RUNS, RUNS, 0]);
    await north(/^run-\d+, unread, finished/, /^run-\d+, unread, finished/);
    await south(/^seed-00001/);
  });

  it('a failed run comes before the finished ones', async () => {
    submit(runs[3]!, 'fail in stream turn_failed');
    await north(/^run-3, unread, failed/, /^run-\d+, unread, finished/);
    await badges([RUNS, RUNS, 0]);
  });

  it('a question is first in all windows, with its time left', async () => {
    submit(runs[7]!, 'ask permission');
    const waiting = /^run-7, unread, waiting for you, less than [45] minutes left, worker-7/;
    await north(waiting, /^run-3, unread, failed/);
    await south(waiting, /^seed-00001/);
    await badges([RUNS, RUNS, 1]);
    await all((window) => window.treeShows('Interns', 'worker-7', '1 waiting'));
  });

  it('Mark All as Read in one window counts in all', async () => {
    await windows[0]!.runCommand('Interns: Mark All as Read');
    await badges([1, 1, 1]);
    await north(/^run-7, waiting for you/, /^run-3, failed/);
    await south(/^run-7, waiting for you/);
  });

  it('a conversation becomes read in all windows when one shows its end', async () => {
    submit(runs[5]!, 'echo once more');
    await north(/^run-7/, /^run-5, unread, finished/);
    await badges([2, 2, 1]);
    await windows[0]!.runCommand('Interns: Go to Unread Chat');
    await windows[0]!.tabShows('run-5');
    await north(/^run-7/, /^run-5, finished/);
    await badges([1, 1, 1]);
  });

  it('the user goes to the waiting chat and answers, and nothing waits in any window', async () => {
    const [window] = windows;
    await window!.runCommand('Interns: Go to Waiting Chat');
    await window!.tabShows('run-7');
    // The dialog opens by itself. No command opens it: the page may take the focus and close the palette, and then
    // Playwright clicks what VS Code draws next in the row of the command, an option of this dialog.
    await window!.quickInput.choose('run_shell', 'Reject once');
    await badges([0, 0, 0]);
    await north(/^run-7, finished/);
    await south(/^seed-00001/);
  });

  it('a window lists all workspaces with their names, and shows more rows by keyboard', async () => {
    const south = windows[2]!;
    const pane = south.view('Conversations');
    await pane.locator('.pane-header').hover();
    await pane.getByRole('button', { name: 'Show Conversations of All Workspaces' }).click();
    await begins(south, /^run-7, finished, worker-7, north/);
    const rows = pane.locator('.monaco-list-row');
    const count = async () => Number(await rows.first().getAttribute('aria-setsize'));
    assert.equal(await count(), 201);
    await south.focusView('Conversations');
    await south.page.keyboard.press('End');
    await south.page.keyboard.press('Enter');
    await until('more rows', async () => (await count()) === 801);
  });
});
