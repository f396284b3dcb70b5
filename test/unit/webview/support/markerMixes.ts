import { BlockStream } from '../../../../src/webview/markdown/parse/blockStream.ts';
import { assertInProportion } from '../../support/proportion.ts';

/** Markers of inline markup, opening, closing and alone. */
export const markers: readonly string[] = [
  ...['*a ', 'b_ ', '**a', 'a** ', '_a', '*', '~~a', '~', '`', '``a', 'a` '],
  ...['[a', '](', '![', '[a](b) ', ')', '<a', '<', '<!--', '&#32;', '"'],
  ...['\\', '$a', '$', '\\(', 'https://a.b/', 'www.a.', 'a@b.c', '@', '|', 'a ', '  \n'],
];

/** The slowest markers: the parser looks for their other end. */
export const costlyMarkers: readonly string[] = [
  ...['*a ', 'b_ ', '**a', '~~a', '**中', '“**', '``a', '[a', '](', '<a', '$a', 'www.a.'],
];

/** Returns a paragraph of two markers, one after the other or in turn. */
export function mixOf(one: string, other: string, how: 'halves' | 'turns', length: number): string {
  const half = length / 2;
  return how === 'turns'
    ? (one + other).repeat(Math.ceil(length / (one.length + other.length)))
    : one.repeat(Math.ceil(half / one.length)) + other.repeat(Math.ceil(half / other.length));
}

/**
 * Fails if parsing a growing reply takes more than thirty times as long for ten times the length. Quadratic growth takes
 * a hundred times as long. Caches and garbage collection alone may take fourteen times.
 */
export function assertReplyInProportion(textOf: (length: number) => string): void {
  assertInProportion([20_000, 200_000], textOf, parseGrowing, 30);
}

/** Checks the mixes of a marker with all others, each pair in turn only once. */
export function assertMixesInProportion(one: string, others: readonly string[]): void {
  for (const other of others)
    for (const how of one < other ? (['halves'] as const) : (['halves', 'turns'] as const))
      assertReplyInProportion((length) => mixOf(one, other, how, length));
}

/** Parses a text in pieces, as the page does. */
function parseGrowing(text: string): void {
  const stream = new BlockStream();
  for (let at = 0; at < text.length; at += 4_096) stream.advance(text.slice(at, at + 4_096));
  stream.finish('');
}
