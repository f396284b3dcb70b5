import { figure, median, type Figure } from '../figures.ts';
import { longestMs } from '../../webview/attacks.ts';
import { benchAttacks, type AttackResult } from './attacks.ts';
import { buildPageBench, type Files } from './build.ts';
import { measure, type PageKind, type Used } from './measure.ts';
import type { LongSeen, Seen } from './seen.ts';

/** How long one way of drawing may take for one reply, in milliseconds; what it has drawn by then is told. */
const limitMs = 150_000;
/** Messages of the long conversation. */
const messages = 5000;

const replyContenders = ['ours', 'streamingMarkdown', 'streamdown'] as const;
const longContenders = ['oursLong', 'allDrawn'] as const;
/** Characters of the replies. */
const sizes = { short: 200_000, long: 1_000_000 } as const;

type ReplyRun = Seen & Used;
type LongRun = LongSeen & Used;

export interface PageOptions {
  /** Runs of each contender, interleaved; a third of them for the long reply, which takes minutes. */
  readonly runs: number;
}

/** The medians of one contender. */
export interface ReplyRow {
  readonly characters: number;
  readonly contender: (typeof replyContenders)[number];
  readonly run: ReplyRun;
}

export interface LongRow {
  readonly contender: (typeof longContenders)[number];
  readonly run: LongRun;
}

export interface PageResult {
  readonly options: PageOptions;
  readonly replies: readonly ReplyRow[];
  readonly conversations: readonly LongRow[];
  readonly attacks: AttackResult;
  readonly bundleBytes: number;
  readonly figures: readonly Figure[];
}

/** Draws replies and a long conversation in Chromium: the page of this extension, and the ways its peers have. */
export async function benchPage(
  options: PageOptions,
  report: (line: string) => void,
): Promise<PageResult> {
  const files = await buildPageBench([...replyContenders, ...longContenders]);
  const replies: ReplyRow[] = [];
  const longRuns = Math.ceil(options.runs / 3);
  replies.push(...(await benchReplies(files, sizes.short, options, report)));
  replies.push(...(await benchReplies(files, sizes.long, { runs: longRuns }, report)));
  const conversations = await benchConversations(files, options, report);
  const bundleBytes = files.get('main.js')?.length ?? 0;
  const attacks = await benchAttacks(files, report);
  const figures = [
    ...figuresOf(replies, conversations, bundleBytes),
    figure('longest task over all attacks, ms', attacks.longestTaskMs, longestMs),
  ];
  return { options, replies, conversations, attacks, bundleBytes, figures };
}

async function benchReplies(
  files: Files,
  characters: number,
  { runs }: PageOptions,
  report: (line: string) => void,
): Promise<ReplyRow[]> {
  const taken = new Map<string, ReplyRun[]>();
  for (let round = 1; round <= runs; round++)
    for (const contender of replyContenders) {
      report(`a reply of ${characters / 1000} KB, run ${round} of ${runs}: ${contender}`);
      const kind: PageKind = { contender, main: contender === 'ours' ? 'at once' : 'never' };
      const run = await measure<Seen>(files, kind, `drawReply(${characters}, ${limitMs})`);
      taken.set(contender, [...(taken.get(contender) ?? []), run]);
    }
  return replyContenders.map((contender) => {
    return { characters, contender, run: medians(taken.get(contender) ?? []) };
  });
}

async function benchConversations(
  files: Files,
  { runs }: PageOptions,
  report: (line: string) => void,
): Promise<LongRow[]> {
  const taken = new Map<string, LongRun[]>();
  for (let round = 1; round <= runs; round++)
    for (const contender of longContenders) {
      report(`a conversation of ${messages} messages, run ${round} of ${runs}: ${contender}`);
      const kind: PageKind = { contender, main: contender === 'oursLong' ? 'later' : 'never' };
      const run = await measure<LongSeen>(files, kind, `showLong(${messages})`);
      taken.set(contender, [...(taken.get(contender) ?? []), run]);
    }
  return longContenders.map((contender) => {
    return { contender, run: medians(taken.get(contender) ?? []) };
  });
}

/** The median of each number of some runs; of the longest script the least, because neighbours can only add to it. */
function medians<T extends object>(runs: readonly T[]): T {
  const [first] = runs;
  if (first === undefined) throw new RangeError('no runs to take the median of');
  const entries = Object.entries(first).map(([name, value]: [string, unknown]) => {
    const values = runs.map((run) => (run as Record<string, unknown>)[name]);
    if (!values.every((each) => typeof each === 'number')) return [name, value];
    return [name, name === 'longestScriptMs' ? Math.min(...values) : median(values)];
  });
  return Object.fromEntries(entries) as T;
}

function figuresOf(
  replies: readonly ReplyRow[],
  conversations: readonly LongRow[],
  bundleBytes: number,
): Figure[] {
  const reply = (contender: string, characters: number): ReplyRun => {
    const row = replies.find(
      (each) => each.contender === contender && each.characters === characters,
    );
    if (row === undefined) throw new RangeError(`${contender} was not measured`);
    return row.run;
  };
  const cpu = (contender: string, characters: number): number => {
    const { cpuSeconds, share } = reply(contender, characters);
    return cpuSeconds / share;
  };
  const [ours, allDrawn] = conversations.map(({ run }) => run);
  if (ours === undefined || allDrawn === undefined) throw new RangeError('no conversations');
  const { short, long } = sizes;
  const perFrame = cpu('ours', long) / long / (cpu('ours', short) / short);
  return [
    figure(
      '200 KB: CPU / streaming-markdown',
      cpu('ours', short) / cpu('streamingMarkdown', short),
      0.9,
    ),
    figure('200 KB: CPU / streamdown', cpu('ours', short) / cpu('streamdown', short), 0.45),
    figure(
      '1 MB: CPU / streaming-markdown',
      cpu('ours', long) / cpu('streamingMarkdown', long),
      0.5,
    ),
    figure('CPU a frame, 1 MB / 200 KB', perFrame, 1.3),
    figure('longest script of ours, ms', reply('ours', short).longestScriptMs, 50),
    figure('page bundle, KB', bundleBytes / 1000, 150),
    figure(
      '5,000 messages: first paint / all drawn',
      ours.firstPaintMs / allDrawn.firstPaintMs,
      0.05,
    ),
    figure('5,000 messages: scroll p95, ms', ours.scrollP95Ms, 17),
    figure('5,000 messages: streaming p95, ms', ours.streamP95Ms, 17),
    figure('5,000 messages: RSS / all drawn', (ours.rssMb ?? 0) / (allDrawn.rssMb ?? 1), 0.5),
  ];
}
