import { IN_STREAM_CODES } from '../core/problems.ts';
import type { Report, Script } from '../core/script.ts';

const TOKEN_CHARACTERS = 20;

export function unknownReason(
  reason: string,
  known: readonly string[] = Object.keys(IN_STREAM_CODES),
): string {
  return `I know no reason \`${reason}\` here. Try one of:\n\n- ${known.join('\n- ')}\n`;
}

/** Says a text in small pieces, as a model would. */
export function* say(text: string): Script {
  for (const token of tokens(text)) yield { do: 'say', text: token };
}

export function* think(text: string): Script {
  for (const token of tokens(text)) yield { do: 'think', text: token };
}

/** Usage without cost and cached tokens. */
export const TOKENS_ONLY: Report = { usage: 'tokens', model: true };
export const NOTHING_REPORTED: Report = { usage: 'none', model: false };

/**
 * Cuts a text into pieces of about `size` UTF-16 units, at spaces if possible and never inside a surrogate pair.
 * Headings, fences and tables are cut too.
 */
export function tokens(text: string, size = TOKEN_CHARACTERS): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const space = text.lastIndexOf(' ', end);
    if (end < text.length && space > start) end = space;
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
