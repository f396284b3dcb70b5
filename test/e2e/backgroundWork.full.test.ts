import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { accountFolders } from '../harness/seedIntern.ts';
import { temporaryFolder, type TemporaryFolder } from '../harness/paths.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { entryAfter } from './support/bundles.ts';

/** The account of workCounter.cjs. */
const workSchema = v.object({
  /** Paths in the order of reading. */
  reads: v.array(v.string()),
  requests: v.number(),
  /** The call and delay of each running timer. */
  timers: v.array(v.string()),
});

type Work = v.InferOutput<typeof workSchema>;

/** The timer of pageLife.ts, which expects a message from a visible page twice a second. */
const pageTimer = 'setTimeout 3000';
/** The timer of conversationsView.ts, which updates the ages of visible rows once a minute. */
const agesTimer = 'setTimeout 60000';

describe('the background work of the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;
  /** The folder of all accounts, and that of the signed-in one. */
  let accounts: string;
  let account: string;
  let folder: TemporaryFolder;

  before(async () => {
    folder = closing.use(await temporaryFolder());
    ({ window, service } = closing.use(
      await openSignedIn({
        files: await entryAfter('workCounter.cjs'),
        env: { INTERNS_WORK_FILE: workFile() },
      }),
    ));
    const signIn = { baseUrl: service.url, apiKey: 'test-key-owner' };
    const { root } = await accountFolders(window.server.profile, signIn);
    accounts = path.dirname(root);
    account = path.basename(root);
    await window.statusShows('Orchard');
    await window.reload();
    await window.statusShows('Orchard');
  });

  const workFile = () => path.join(folder.path, 'work.json');

  async function work(): Promise<Work> {
    return v.parse(workSchema, JSON.parse(await readFile(workFile(), 'utf8')));
  }

  /** The running timers without those of a visible page and a visible view. */
  async function timers(): Promise<readonly string[]> {
    return (await work()).timers.filter((timer) => timer !== pageTimer && timer !== agesTimer);
  }

  /** Waits until no timer runs: then only a user or another process can wake the extension. */
  async function rest(): Promise<void> {
    await until('no timer to run', async () => (await timers()).length === 0);
  }

  it('the extension reads lists and heads but no conversation before a view is shown', async () => {
    // The files of the windows are beside the accounts.
    const records = async () => {
      const files = (await work()).reads.map((file) => path.relative(accounts, file));
      return [...new Set(files.filter((file) => !file.startsWith('..')))].sort();
    };
    // The names of the records tell which heads are missing.
    const conversations = ['conversations', path.join('conversations', 'heads')];
    const read = path.join('conversations', 'heads', '~-.read');
    // Read positions are for the badge, interns and creations for the context keys of commands.
    const interns = ['creations', 'interns', path.join('interns', 'intern_ada.json')];
    const folders = [...conversations, read, 'responses', ...interns];
    const paths = folders.map((name) => path.join(account, name));
    const expected = ['', account, `${account}.json`, ...paths].sort();
    // No timer runs between two reads.
    await until('the reads', async () => (await records()).length >= expected.length);
    await rest();
    assert.deepEqual(await records(), expected);
    assert.equal((await work()).requests, 0);
  });

  it('the extension runs no timer while idle after views and a chat were shown', async () => {
    await window.showViews('Interns');
    await window.treeShows('Interns', 'ada');
    assert.ok((await work()).reads.some((file) => file.endsWith(path.join(account, 'interns'))));
    await rest();
    const chat = await Chat.start(window);
    await chat.ask('echo and then silence');
    await rest();
  });

  it('the extension runs a timer only while a question waits', async () => {
    const chat = await Chat.start(window);
    await chat.send('ask permission');
    await window.quickInput.waitFor('run_shell');
    await window.quickInput.close();
    assert.notEqual((await timers()).length, 0);
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.choose('run_shell', 'Allow once');
    await chat.idle();
    await rest();
  });
});
