import * as v from 'valibot';
import { countCharacters } from '../api/index.ts';
import type { Prompt } from './messages.ts';

const lineSchema = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A range of lines, both included, from 1. */
const linesSchema = v.object({ first: lineSchema, last: lineSchema });
export type LineRange = Readonly<v.InferOutput<typeof linesSchema>>;

const BLANK_LINE = '\n\n';

/** Something that can be attached to a prompt. */
export const contextItemSchema = v.object({
  /** A path relative to the workspace, or the name of a terminal. */
  source: v.string(),
  lines: v.exactOptional(linesSchema),
  /** Language ID for the fence; absent for plain text. */
  language: v.exactOptional(v.string()),
  text: v.string(),
  /** Quoted above the text, such as the message of a problem. */
  note: v.exactOptional(v.string()),
  /** Short name for the chip; the source and its lines by default. */
  label: v.exactOptional(v.string()),
});

export type ContextItem = Readonly<v.InferOutput<typeof contextItemSchema>>;

export function itemLabel({ source, lines, label }: ContextItem): string {
  return label ?? formatLocation(source, lines);
}

/** Returns a source with its lines: `src/a.ts`, `src/a.ts:12`, `src/a.ts:10-20`. */
export function formatLocation(source: string, lines: LineRange | undefined): string {
  if (lines === undefined) return source;
  const { first, last } = lines;
  return first === last ? `${source}:${first}` : `${source}:${first}-${last}`;
}

/**
 * Formats an item as Markdown: its note as a quotation, and its text in a fence that is longer than any in the text. The
 * info string is the language and the source.
 */
export function formatItem({ source, lines, language, text, note }: ContextItem): string {
  const info = `${language ?? 'text'} ${oneLine(formatLocation(source, lines))}`;
  const content = text.replaceAll('\r\n', '\n');
  const fence = fenceFor(content, info);
  const body = content.endsWith('\n') || content === '' ? content : `${content}\n`;
  const quoted = note === undefined ? '' : `${quote(note)}\n\n`;
  return `${quoted}${fence}${info}\n${body}${fence}`;
}

/** Returns the language for a fence: the extension of the name, else the editor's language ID. */
export function fenceLanguage(path: string, languageId?: string): string | undefined {
  const extension = /[^/\\]\.([\w+#-]{1,20})$/u.exec(path)?.[1];
  return extension?.toLowerCase() ?? languageId;
}

/** Appends items to a prompt's text, each after a blank line. The size of an item includes that line. */
export function composePrompt(text: string, items: readonly ContextItem[]): Prompt {
  const written = text.trim() === '' ? [] : [text];
  const blocks = items.map(formatItem);
  return {
    text,
    sent: items.length === 0 ? text : [...written, ...blocks].join(BLANK_LINE),
    attachments: items.map((item) => ({ label: itemLabel(item), size: itemLength(item) })),
  };
}

/** Reads the items of a sent prompt from its text, by their recorded sizes. Leaves out those that cannot be read. */
export function attachedItems({
  sent,
  attachments,
}: Pick<Prompt, 'sent' | 'attachments'>): ContextItem[] {
  const items: ContextItem[] = [];
  let end = sent.length;
  for (const { label, size } of attachments.toReversed()) {
    const item = parseItem(sent.slice(Math.max(0, end - size + BLANK_LINE.length), end), label);
    if (item !== undefined) items.unshift(item);
    end -= size;
  }
  return items;
}

/** Reads what {@link formatItem} wrote; undefined for any other text. */
function parseItem(block: string, label: string): ContextItem | undefined {
  const fence = /(?:^|\n)(`{3,}|~{3,})$/u.exec(block)?.[1];
  if (fence === undefined) return undefined;
  const hasNote = !block.startsWith(fence);
  const start = hasNote ? block.indexOf(`\n\n${fence}`) + BLANK_LINE.length : 0;
  const infoEnd = block.indexOf('\n', start);
  const info = block.slice(start + fence.length, infoEnd);
  const [, language, source] = /^(\S+) (.*)$/u.exec(info) ?? [];
  if (language === undefined || source === undefined) return undefined;
  const quoted = block.slice(0, Math.max(0, start - BLANK_LINE.length)).split('\n');
  const item: ContextItem = {
    source,
    ...(language === 'text' ? {} : { language }),
    text: block.slice(infoEnd + 1, -fence.length),
    ...(hasNote ? { note: quoted.map((line) => line.slice(2)).join('\n') } : {}),
    ...(label === source ? {} : { label }),
  };
  return formatItem(item) === block ? item : undefined;
}

/** Returns the UTF-16 units that an item adds to a prompt. */
export function itemLength(item: ContextItem): number {
  return BLANK_LINE.length + formatItem(item).length;
}

/** Returns the characters (code points) that an item adds to a prompt, as its limit counts them. */
export function itemCharacterCount(item: ContextItem): number {
  return BLANK_LINE.length + countCharacters(formatItem(item));
}

/**
 * Returns a fence that neither the text nor the info string can break. In CommonMark, a fence ends at one of the same
 * character that is at least as long, and the info string of a fence of backticks has no backticks.
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

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
