import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type JournalEntry } from '../../../src/conversation/journal.ts';
import { toFileName } from '../../../src/platform/storage/layout.ts';
import { packageExtension } from '../../harness/npm.ts';
import { closeSharedBrowser } from '../../harness/browser.ts';
import { accountFolders, seedIntern } from '../../harness/seedIntern.ts';
import { until } from '../../harness/until.ts';
import { openVSCode, type VSCodeWindow } from '../../harness/window.ts';
import { startService } from '../../service/service.ts';
import { median, report, row as line, type PartResult } from '../figures.ts';

/** The files on disk before the windows open. */
const stored = { interns: 1_000, conversations: 500 } as const;

const apiKey = 'test-key-owner';

/** The extension, and one of VS Code's own for comparison. */
const extensions = ['intern-service.interns', 'vscode.git-base'] as const;

type ExtensionId = (typeof extensions)[number];

/** The activation times of one extension in `Developer: Startup Performance`, in ms. */
interface ActivationTimes {
  readonly load: number;
  readonly call: number;
  readonly finish: number;
  /** `load` without the loading of other extensions, since VS Code starts the clocks of all before it loads the first. */
  readonly ownLoad: number;
}

/** The times of each window, in the order in which they were opened. */
type Windows = readonly Readonly<Record<ExtensionId, ActivationTimes>>[];

/** Reloads a window with many interns and conversations on disk, and reads VS Code's own times of activation. */
export async function benchActivation(windows: number): Promise<PartResult> {
  await packageExtension();
  const service = await startService();
  const signIn = { baseUrl: service.url, apiKey };
  try {
    await using window = await openVSCode({
      env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: apiKey },
      prepare: (profile) => fill(profile, signIn, service.state.interns()[0]),
    });
    await signedIn(window);
    const results: Record<ExtensionId, ActivationTimes>[] = [];
    for (let index = 1; index <= windows; index++) {
      report(`activation: window ${index} of ${windows}`);
      await window.reload();
      await signedIn(window);
      results.push(await readTimes(window));
    }
    return { data: { stored, windows: results }, text: textOf(results) };
  } finally {
    await service.close();
    await closeSharedBrowser();
  }
}

async function fill(
  profile: string,
  signIn: { readonly baseUrl: string; readonly apiKey: string },
  model: object | undefined,
): Promise<void> {
  for (let index = 0; index < stored.interns; index++) {
    const intern = { ...model, id: `intern_${index}`, name: `intern-${index}` };
    await seedIntern(profile, signIn, intern);
  }
  const { conversations } = await accountFolders(profile, signIn);
  await mkdir(conversations, { recursive: true });
  for (let index = 0; index < stored.conversations; index++) {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const stamp = { id: `${id}-opened`, at: Date.now() };
    const opened: JournalEntry = { ...stamp, type: 'opened', intern: 'intern_1', mode: 'manual' };
    await writeFile(
      path.join(conversations, `${toFileName(id)}.jsonl`),
      `${JSON.stringify(opened)}\n`,
    );
  }
}

async function signedIn(window: VSCodeWindow): Promise<void> {
  await window.statusShows('Orchard');
}

/** Copies the table of activations, because an editor draws only its visible lines. */
async function readTimes(window: VSCodeWindow): Promise<Record<ExtensionId, ActivationTimes>> {
  await window.runCommand('Developer: Startup Performance');
  const { page } = window;
  await page.locator('.editor-container .view-line').first().waitFor();
  const text = await until('the whole report', async () => {
    await page.locator('.editor-container .view-lines').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    return extensions.every((id) => copied.includes(id)) && copied;
  });
  await window.runCommand('View: Close All Editors');
  return {
    'intern-service.interns': timesOf(text, 'intern-service.interns'),
    'vscode.git-base': timesOf(text, 'vscode.git-base'),
  };
}

interface Row extends Omit<ActivationTimes, 'ownLoad'> {
  readonly id: string;
  readonly event: string;
}

/** A row reads `| extension | eager | load | call | finish | event | by |`, its cells padded. */
function rowsOf(report: string): readonly Row[] {
  return report.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, id = '', , load, call, finish, event = ''] = cells;
    const row = { id, load: Number(load), call: Number(call), finish: Number(finish), event };
    return cells.length > 7 && !Number.isNaN(row.load + row.call + row.finish) ? [row] : [];
  });
}

/** @throws Error if the report has no row of the extension */
function timesOf(report: string, id: ExtensionId): ActivationTimes {
  const rows = rowsOf(report);
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`No times of ${id}:\n${report}`);
  const { load, call, finish, event } = row;
  const loadedBefore = rows
    .filter((other) => other !== row && other.event === event && other.load <= load)
    .map((other) => other.load);
  return { load, call, finish, ownLoad: load - Math.max(0, ...loadedBefore) };
}

/** The medians in ms: VS Code's own times with the range of their sums, then without the loading of other extensions. */
function textOf(windows: Windows): string {
  const sumOf = ({ load, call, finish }: ActivationTimes) => load + call + finish;
  const row = (id: ExtensionId): string => {
    const times = windows.map((window) => window[id]);
    const sums = times.map(sumOf);
    const columns = [
      ...(['load', 'call', 'finish'] as const).map((part) => times.map((time) => time[part])),
      sums,
      times.map(({ ownLoad }) => ownLoad),
      times.map((time) => sumOf(time) - time.load + time.ownLoad),
    ];
    const cells = columns.map((values): [number, number] => [median(values), 0]);
    return line(id, ...cells, `${Math.min(...sums)}–${Math.max(...sums)}`);
  };
  const heads = ['load', 'call', 'finish', 'sum', 'own load', 'own sum', 'sums'];
  return [
    `Activation, ${windows.length} windows, ${stored.interns} interns and ${stored.conversations} conversations on disk (ms, medians)`,
    line('', ...heads),
    ...extensions.map(row),
  ].join('\n');
}
