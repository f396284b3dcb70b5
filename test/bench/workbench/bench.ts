import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type JournalEntry } from '../../../src/conversation/journal.ts';
import { Chat } from '../../harness/chat.ts';
import { closeSharedBrowser } from '../../harness/browser.ts';
import { packageExtension } from '../../harness/npm.ts';
import { accountFolders } from '../../harness/seedIntern.ts';
import { longestCall } from '../../harness/tasks.ts';
import { until } from '../../harness/until.ts';
import { openSignedIn, type VSCodeWindow } from '../../harness/window.ts';
import { report, row as line, type PartResult } from '../figures.ts';
import { mixedReply } from '../page/browser/workload.ts';

/** Characters of the replies. */
const sizes = [105_000, 200_000, 1_000_000] as const;
/** The limit for a task of the page, in milliseconds of CPU time. */
const limitMs = 50;
const apiKey = 'test-key-owner';
const end = 'That was all of it.';

interface WorkbenchRow {
  readonly characters: number;
  /** The longest task of the page when it is first opened in a window. */
  readonly coldMs: number;
  /** The same when it is opened again. */
  readonly warmMs: number;
  readonly holds: boolean;
}

/** Opens chats with a long last reply in a real VS Code, and measures the page's longest task. */
export async function benchWorkbench(): Promise<PartResult> {
  await packageExtension();
  const rows: WorkbenchRow[] = [];
  try {
    for (const characters of sizes) {
      report(`a reply of ${characters / 1000} KB in a window of VS Code`);
      await using signedIn = await openSignedIn();
      const { window, service } = signedIn;
      const { conversations } = await accountFolders(window.server.profile, {
        baseUrl: service.url,
        apiKey,
      });
      await writeConversation(conversations, characters);
      const coldMs = await open(window);
      await window.runCommand('View: Close All Editors');
      const warmMs = await open(window);
      rows.push({ characters, coldMs, warmMs, holds: Math.max(coldMs, warmMs) <= limitMs });
    }
  } finally {
    await closeSharedBrowser();
  }
  return { data: rows, text: textOf(rows) };
}

async function open(window: VSCodeWindow): Promise<number> {
  return await longestCall(window.page, /webview\/main\.js/, async () => {
    await window.runCommand('Interns: Search Conversations…');
    await window.quickInput.waitFor('Search Conversations');
    await until('the conversation', async () => (await window.quickInput.rows()).length === 1);
    await window.quickInput.accept();
    const chat = await Chat.shown(window);
    await chat.lastReply.getByText(end).waitFor({ state: 'attached', timeout: 60_000 });
    await chat.frame.locator('.piece[data-colored]').first().waitFor({ state: 'attached' });
  });
}

async function writeConversation(folder: string, characters: number): Promise<void> {
  const id = '00000000-0000-4000-8000-000000000001';
  const run = '00000000-0000-4000-8000-000000000002';
  const code = '```ts\nconst done = true;\n```';
  const at = Date.now();
  const entries: JournalEntry[] = [
    { type: 'opened', id: 'e1', at, intern: 'intern_ada', mode: 'manual' },
    { type: 'prompt', id: 'e2', at, run, text: 'Tell me all of it', mode: 'manual' },
    { type: 'text', id: 'e3', at, run, text: `${mixedReply(characters)}\n\n${code}\n\n${end}` },
    { type: 'finished', id: 'e4', at, run, reason: 'stop' },
  ];
  await mkdir(path.join(folder, 'heads'), { recursive: true });
  const head = { id, intern: 'intern_ada', title: 'All of it', createdAt: at, at, state: 'idle' };
  await writeFile(
    path.join(folder, `${id}.jsonl`),
    `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`,
  );
  await writeFile(path.join(folder, 'heads', `${id}.json`), JSON.stringify(head));
}

function textOf(rows: readonly WorkbenchRow[]): string {
  return [
    `Chat page in a window of VS Code: longest task of ours, ms, at most ${limitMs}`,
    line('a reply at once of', 'cold', 'warm', ''),
    ...rows.map(({ characters, coldMs, warmMs, holds }) =>
      line(`${characters / 1000} KB`, [coldMs, 0], [warmMs, 0], holds ? 'holds' : 'MISSED'),
    ),
  ].join('\n');
}
