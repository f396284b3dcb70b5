import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser.ts';
import type { Files } from './build.ts';

const origin = 'https://bench.test';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** CPU and memory use of a page. */
export interface Used {
  /** CPU time of the main thread. */
  readonly cpuSeconds: number;
  readonly scriptSeconds: number;
  readonly layoutSeconds: number;
  readonly heapMb: number;
  /** Resident memory of the page's process; null if unknown. */
  readonly rssMb: number | null;
}

export interface PageKind {
  /** The bundle that runs before anything else. */
  readonly contender: string;
  /** When the page of the extension is loaded: at once, when its contender asks for it, or never. */
  readonly main: 'at once' | 'later' | 'never';
}

/** Runs an expression in a page, and measures it. Each page has its own browser, because pages of one share a process. */
export async function measure<T>(
  files: Files,
  kind: PageKind,
  expression: string,
): Promise<T & Used> {
  await using browser = await launchBrowser();
  const page = await openPage(browser, files, kind);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(session);
  const seen = await page.evaluate<T>(expression);
  const after = await metrics(session);
  const spent = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  return {
    ...seen,
    cpuSeconds: spent('TaskDuration'),
    scriptSeconds: spent('ScriptDuration'),
    layoutSeconds: spent('LayoutDuration') + spent('RecalcStyleDuration'),
    heapMb: (after.get('JSHeapUsedSize') ?? 0) / 1e6,
    rssMb: await residentMb(browser),
  };
}

async function openPage(
  browser: Browser,
  files: Files,
  { contender, main }: PageKind,
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 452, height: 940 } });
  await serve(page, files, main);
  await page.addInitScript(String(files.get(`${contender}.js`)));
  await page.goto(`${origin}/`);
  if (main === 'at once') await page.getByRole('log').waitFor({ state: 'attached' });
  return page;
}

async function serve(page: Page, files: Files, main: PageKind['main']): Promise<void> {
  const script = main === 'at once' ? '<script src="/main.js"></script>' : '';
  const style = main === 'never' ? '' : '<link rel="stylesheet" href="/main.css">';
  const html = `<!DOCTYPE html><meta charset="utf-8">${style}<body><div id="app"></div>${script}`;
  await page.route(`${origin}/**`, async (route) => {
    const name = path.posix.basename(new URL(route.request().url()).pathname);
    const body = files.get(name) ?? html;
    await route.fulfill({ body, contentType: types[path.extname(name)] ?? 'text/html' });
  });
}

async function metrics(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics: list } = await session.send('Performance.getMetrics');
  return new Map(list.map(({ name, value }) => [name, value]));
}

/** Returns the resident memory of the largest page process. */
async function residentMb(browser: Browser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = await Promise.all(
    pages.map(async ({ id }) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    }),
  );
  const largest = Math.max(0, ...sizes);
  return largest > 0 ? largest : null;
}
