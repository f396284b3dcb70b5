import path from 'node:path';
import { figure, figureRows, medians, report, row as line, type PartResult } from '../figures.ts';
import { runWithVSCode } from '../stream/processes.ts';
import type { ListRun } from './measure.ts';

const sizes = [100, 1_000, 10_000] as const;

/** Measures what the Conversations view costs the extension host. The conversations have no records to read. */
export async function benchList(runs: number): Promise<PartResult> {
  const script = path.join(import.meta.dirname, 'measure.ts');
  const rows: (ListRun & { readonly conversations: number })[] = [];
  for (const conversations of sizes) {
    const found: ListRun[] = [];
    for (let run = 1; run <= runs; run += 1) {
      report(`list: ${conversations} conversations, run ${run} of ${runs}`);
      found.push((await runWithVSCode(script, `${conversations}`)) as ListRun);
    }
    rows.push({ conversations, ...medians(found) });
  }
  const figures = rows.map(({ conversations, openMs }) =>
    figure(`opening the view, ms, ${conversations}`, openMs, 100),
  );
  const text = [
    'Conversations view, CPU of the extension host in ms; heads and read positions only',
    line('conversations', 'read once', 'open', 'one change', 'rows drawn'),
    ...rows.map(({ conversations, readMs, openMs, changeMs, drawn }) =>
      line(`${conversations}`, [readMs, 1], [openMs, 1], [changeMs, 1], [drawn, 0]),
    ),
    ...figureRows(figures),
  ].join('\n');
  return { data: { rows, figures }, text };
}
