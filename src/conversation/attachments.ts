import { countCharacters } from '../api/index.ts';
import type { Prompt } from './machine/state.ts';

/**
 * What a user attaches to a prompt, and how it reads to an intern: pure text. Lines count from 1, sizes are UTF-16
 * units.
 */

/** A stretch of lines, both included, from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** What stands between a prompt's text and what is attached to it. */
const gap = '\n\n';

/** Something that can be attached to a prompt. */
export interface ContextItem {
  /** Where the text is from: a path relative to the workspace, or the name of a terminal. */
  readonly source: string;
  /** Which lines of the source; absent for the whole. */
  readonly lines?: LineRange;
  /** Language id, for the fence; absent for plain text. */
  readonly language?: string;
  /** The text itself, as it stands there. */
  readonly text: string;
  /** Said above the text, such as the message of a problem. */
  readonly note?: string;
  /** Short name for the chip; the source and its lines where left out. */
  readonly label?: string;
}

/** The chip's label: `src/a.ts`, `src/a.ts:12`, `src/a.ts:10-20`. */
export function labelOf({ source, lines, label }: ContextItem): string {
  return label ?? placeOf(source, lines);
}

/** A source with its lines, as compilers and editors write it. */
export function placeOf(source: string, lines: LineRange | undefined): string {
  if (lines === undefined) return source;
  const { first, last } = lines;
  return first === last ? `${source}:${first}` : `${source}:${first}-${last}`;
}

/**
 * One item as Markdown: its note as a quotation, and its text in a fence whose info string is the language and the
 * place. The fence is longer than any in the text, so nothing in the text can end it.
 */
export function formatItem({ source, lines, language, text, note }: ContextItem): string {
  const info = `${language ?? 'text'} ${oneLine(placeOf(source, lines))}`;
  const content = text.replaceAll('\r\n', '\n');
  const fence = fenceFor(content, info);
  const body = content.endsWith('\n') || content === '' ? content : `${content}\n`;
  const quoted = note === undefined ? '' : `${quote(note)}\n\n`;
  return `${quoted}${fence}${info}\n${body}${fence}`;
}

/**
 * The language for a fence: the extension of the name, which every reader knows, else the editor's id of the language.
 */
export function fenceLanguage(path: string, languageId?: string): string | undefined {
  const extension = /[^/\\]\.([\w+#-]{1,20})$/u.exec(path)?.[1];
  return extension?.toLowerCase() ?? languageId;
}

/** A prompt's text followed by what is attached, a blank line between two. The size of each counts that line. */
export function composePrompt(text: string, items: readonly ContextItem[]): Prompt {
  const blocks = items.map((item) => ({ label: labelOf(item), text: formatItem(item) }));
  const written = text.trim() === '' ? [] : [text];
  return {
    text,
    sent: items.length === 0 ? text : [...written, ...blocks.map((block) => block.text)].join(gap),
    attachments: items.map((item) => ({ label: labelOf(item), size: sizeOf(item) })),
  };
}

/**
 * What was attached to a prompt that went out, read back from its text by the sizes on record: a prompt that is edited
 * keeps what belonged to it. What does not read as it was written is left out.
 */
export function attachedItems({
  sent,
  attachments,
}: Pick<Prompt, 'sent' | 'attachments'>): ContextItem[] {
  const items: ContextItem[] = [];
  let end = sent.length;
  for (const { label, size } of attachments.toReversed()) {
    const item = parseItem(sent.slice(Math.max(0, end - size + gap.length), end), label);
    if (item !== undefined) items.unshift(item);
    end -= size;
  }
  return items;
}

/** Reads what {@link formatItem} wrote; undefined where it is something else. */
function parseItem(block: string, label: string): ContextItem | undefined {
  const fence = /(?:^|\n)(`{3,}|~{3,})$/u.exec(block)?.[1];
  if (fence === undefined) return undefined;
  const hasNote = !block.startsWith(fence);
  const start = hasNote ? block.indexOf(`\n\n${fence}`) + gap.length : 0;
  const infoEnd = block.indexOf('\n', start);
  const info = block.slice(start + fence.length, infoEnd);
  const [, language, source] = /^(\S+) (.*)$/u.exec(info) ?? [];
  if (language === undefined || source === undefined) return undefined;
  const quoted = block.slice(0, Math.max(0, start - gap.length)).split('\n');
  const item: ContextItem = {
    source,
    ...(language === 'text' ? {} : { language }),
    text: block.slice(infoEnd + 1, -fence.length),
    ...(hasNote ? { note: quoted.map((line) => line.slice(2)).join('\n') } : {}),
    ...(label === source ? {} : { label }),
  };
  return formatItem(item) === block ? item : undefined;
}

/** UTF-16 units that an item adds to a prompt. */
export function sizeOf(item: ContextItem): number {
  return gap.length + formatItem(item).length;
}

/** Characters (code points) that an item adds to a prompt, as the limit of a prompt counts them. */
export function charactersOf(item: ContextItem): number {
  return gap.length + countCharacters(formatItem(item));
}

/**
 * CommonMark: a fence is closed by one of its own character that is at least as long, and a fence of backticks may not
 * have backticks in its info string.
 */
function fenceFor(text: string, info: string): string {
  const mark = info.includes('`') ? '~' : '`';
  const runs = text.match(mark === '`' ? /`+/gu : /~+/gu) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 0);
  return mark.repeat(Math.max(3, longest + 1));
}

function quote(note: string): string {
  return note
    .split(/\r\n|\r|\n/u)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** A file may have any name, an info string only one line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
