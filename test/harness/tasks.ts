import type { Page } from 'playwright-core';

/** A trace event: work on a thread; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The thread's own CPU time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly data?: { readonly url?: string } };
}

const categories = ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'];

/**
 * Runs `work` and returns the longest task of the page's main thread, in milliseconds of its own CPU time: script,
 * style, layout and paint of all frames. Only one page of a browser can be measured at a time.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  return longestOf((await trace(page, work)).filter(({ name }) => name.endsWith('RunTask')));
}

/** Like {@link longestTask}, but only for calls into one script: for a page that shares its thread with others. */
export async function longestCall(
  page: Page,
  script: RegExp,
  work: () => Promise<void>,
): Promise<number> {
  const events = await trace(page, work);
  return longestOf(events.filter(({ args }) => script.test(args.data?.url ?? '')));
}

function longestOf(events: readonly TraceEvent[]): number {
  return events.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}

/** Returns the events of the main threads of a page during `work`. */
async function trace(page: Page, work: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser that could be traced');
  await browser.startTracing(page, { categories });
  let recorded: Buffer;
  try {
    await work();
  } finally {
    recorded = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(recorded.toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  return traceEvents.filter(({ pid, tid }) => mains.has(`${pid}/${tid}`));
}
