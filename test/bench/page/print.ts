import { figureRows, row as line } from '../figures.ts';
import type { LongRow, PageResult, ReplyRow } from './bench.ts';

const titles = {
  ours: 'this page: sanitized, highlighted',
  streamingMarkdown: 'streaming-markdown, plain',
  streamdown: 'streamdown',
  oursLong: 'this page',
  allDrawn: 'all drawn, marked + DOMPurify',
} as const;

/** The tables of a page bench, as text. */
export function printPage({
  options,
  replies,
  conversations,
  attacks,
  figures,
}: PageResult): string {
  const lines = [`Chat page in Chromium, medians of ${options.runs} runs`];
  let size = 0;
  for (const row of replies) {
    if (row.characters !== size) {
      size = row.characters;
      const names = [
        'CPU s',
        'script s',
        'layout s',
        'script ms',
        'p95 ms',
        'heap MB',
        'nodes',
        'drawn',
      ];
      lines.push('', line(`a reply of ${size / 1000} KB`, ...names));
    }
    lines.push(replyLine(row));
  }
  const names = ['paint ms', 'token ms', 'scroll ms', 'stream ms', 'heap MB', 'RSS MB', 'nodes'];
  lines.push('', line('5,000 messages', ...names), ...conversations.map(longLine));
  const { attack, longestTaskMs } = attacks;
  lines.push('', line('replies made to freeze the page', 'longest ms'));
  lines.push(line(attack, longestTaskMs.toFixed(0)));
  return [...lines, ...figureRows(figures)].join('\n');
}

function replyLine({ contender, run }: ReplyRow): string {
  return line(
    titles[contender],
    run.cpuSeconds.toFixed(2),
    run.scriptSeconds.toFixed(2),
    run.layoutSeconds.toFixed(2),
    run.longestScriptMs.toFixed(0),
    run.frameP95Ms.toFixed(0),
    run.heapMb.toFixed(0),
    String(run.nodes),
    `${(run.share * 100).toFixed(0)} %`,
  );
}

function longLine({ contender, run }: LongRow): string {
  return line(
    titles[contender],
    run.firstPaintMs.toFixed(0),
    run.firstTokenMs.toFixed(0),
    run.scrollP95Ms.toFixed(0),
    run.streamP95Ms.toFixed(0),
    run.heapMb.toFixed(0),
    run.rssMb?.toFixed(0) ?? '-',
    String(run.nodes),
  );
}
