import { figure, figureRows, medians, report, row as line, type PartResult } from '../figures.ts';
import { buildPageBench, type Files } from './build.ts';
import { measure, type PageKind, type Used } from './measure.ts';
import type { LongSeen, Seen } from './seen.ts';

/** Time limit for drawing one reply, in milliseconds. The share drawn by then is reported. */
const limitMs = 150_000;
/** Messages of the long conversation. */
const messages = 5000;

const replyTitles = {
  ours: 'this page: sanitized, highlighted',
  streamingMarkdown: 'streaming-markdown, plain',
  streamdown: 'streamdown',
} as const;
const longTitles = { oursLong: 'this page', allDrawn: 'all drawn, marked + DOMPurify' } as const;
/** Characters of the replies. */
const sizes = { short: 200_000, long: 1_000_000 } as const;

/** The medians of one contender; `size` is the characters of the reply, or the messages of the conversation. */
interface Row<C extends string, S> {
  readonly contender: C;
  readonly size: number;
  readonly run: S & Used;
}
type ReplyRow = Row<keyof typeof replyTitles, Seen>;
type LongRow = Row<keyof typeof longTitles, LongSeen>;

/**
 * Draws replies and a long conversation in Chromium, in the page of this extension and as its peers do.
 *
 * @param runs runs of each contender; a third of them for the long reply, which takes minutes
 */
export async function benchPage(runs: number): Promise<PartResult> {
  const replyContenders = Object.keys(replyTitles) as (keyof typeof replyTitles)[];
  const longContenders = Object.keys(longTitles) as (keyof typeof longTitles)[];
  const files = await buildPageBench([...replyContenders, ...longContenders]);
  const few = Math.ceil(runs / 3);
  const reply = (size: number, times: number): Promise<readonly ReplyRow[]> =>
    benchAll(files, replyContenders, size, `drawReply(${size}, ${limitMs})`, times);
  const replies = [...(await reply(sizes.short, runs)), ...(await reply(sizes.long, few))];
  const showLong = `showLong(${messages})`;
  const conversations: readonly LongRow[] = await benchAll(
    files,
    longContenders,
    messages,
    showLong,
    runs,
  );
  const bundleBytes = files.get('main.js')?.length ?? 0;
  const figures = figuresOf(replies, conversations, bundleBytes);
  const data = { options: { runs }, replies, conversations, bundleBytes, figures };
  const title = `Chat page in Chromium, medians of ${runs} runs`;
  const tables = [...replyTable(replies), ...longTable(conversations)];
  return { data, text: [title, ...tables, ...figureRows(figures)].join('\n') };
}

/** Measures every contender, round by round. */
async function benchAll<C extends string, S extends object>(
  files: Files,
  contenders: readonly C[],
  size: number,
  expression: string,
  runs: number,
): Promise<Row<C, S>[]> {
  const taken = new Map<C, (S & Used)[]>();
  for (let round = 1; round <= runs; round++)
    for (const contender of contenders) {
      report(`${expression}, run ${round} of ${runs}: ${contender}`);
      const kind: PageKind = { contender, main: mainOf[contender] ?? 'never' };
      const run = await measure<S>(files, kind, expression);
      taken.set(contender, [...(taken.get(contender) ?? []), run]);
    }
  return contenders.map((contender) => {
    return { contender, size, run: medians(taken.get(contender) ?? []) };
  });
}

const mainOf: Readonly<Record<string, PageKind['main']>> = { ours: 'at once', oursLong: 'later' };

function figuresOf(
  replies: readonly ReplyRow[],
  conversations: readonly LongRow[],
  bundleBytes: number,
) {
  const reply = (contender: keyof typeof replyTitles, size: number) => {
    const row = replies.find((each) => each.contender === contender && each.size === size);
    if (row === undefined) throw new RangeError(`${contender} was not measured`);
    return row.run;
  };
  const cpu = (contender: keyof typeof replyTitles, size: number): number => {
    const { cpuSeconds, share } = reply(contender, size);
    return cpuSeconds / share;
  };
  const [ours, allDrawn] = conversations.map(({ run }) => run);
  if (ours === undefined || allDrawn === undefined) throw new RangeError('no conversations');
  const { short, long } = sizes;
  const perFrame = cpu('ours', long) / long / (cpu('ours', short) / short);
  const cpuTo = (peer: 'streamingMarkdown' | 'streamdown', size: number) =>
    cpu('ours', size) / cpu(peer, size);
  const paint = ours.firstPaintMs / allDrawn.firstPaintMs;
  return [
    figure('200 KB: CPU / streaming-markdown', cpuTo('streamingMarkdown', short), 0.9),
    figure('200 KB: CPU / streamdown', cpuTo('streamdown', short), 0.45),
    figure('1 MB: CPU / streaming-markdown', cpuTo('streamingMarkdown', long), 0.5),
    figure('CPU a frame, 1 MB / 200 KB', perFrame, 1.3),
    figure('longest script of ours, ms', reply('ours', short).longestScriptMs, 50),
    figure('page bundle, KB', bundleBytes / 1000, 150),
    figure('5,000 messages: first paint / all drawn', paint, 0.05),
    figure('5,000 messages: scroll p95, ms', ours.scrollP95Ms, 17),
    figure('5,000 messages: streaming p95, ms', ours.streamP95Ms, 17),
    figure('5,000 messages: RSS / all drawn', (ours.rssMb ?? 0) / (allDrawn.rssMb ?? 1), 0.5),
  ];
}

function replyTable(rows: readonly ReplyRow[]): readonly string[] {
  const names = ['CPU s', 'script s', 'layout s', 'script ms', 'p95 ms', 'heap MB', 'nodes'];
  return Object.values(sizes).flatMap((size) => [
    '',
    line(`a reply of ${size / 1000} KB`, ...names, 'drawn'),
    ...rows
      .filter((row) => row.size === size)
      .map(({ contender, run }) =>
        line(
          replyTitles[contender],
          [run.cpuSeconds, 2],
          [run.scriptSeconds, 2],
          [run.layoutSeconds, 2],
          [run.longestScriptMs, 0],
          [run.frameP95Ms, 0],
          [run.heapMb, 0],
          String(run.nodes),
          `${(run.share * 100).toFixed(0)} %`,
        ),
      ),
  ]);
}

function longTable(rows: readonly LongRow[]): readonly string[] {
  const names = ['paint ms', 'token ms', 'scroll ms', 'stream ms', 'heap MB', 'RSS MB', 'nodes'];
  return [
    '',
    line('5,000 messages', ...names),
    ...rows.map(({ contender, run }) =>
      line(
        longTitles[contender],
        [run.firstPaintMs, 0],
        [run.firstTokenMs, 0],
        [run.scrollP95Ms, 0],
        [run.streamP95Ms, 0],
        [run.heapMb, 0],
        run.rssMb?.toFixed(0) ?? '-',
        String(run.nodes),
      ),
    ),
  ];
}
