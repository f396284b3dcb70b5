import { BlockStream } from '../../../src/webview/markdown/parse/blockStream.ts';
import { assertInProportion } from './proportion.ts';

/** Markers of inline markup, opening, closing and alone. */
export const markers: readonly string[] = [
  ...['*a ', 'b_ ', '**a', 'a** ', '_a', '*', '~~a', '~', '`', '``a', 'a` '],
  ...['[a', '](', '![', '[a](b) ', ')', '<a', '<', '<!--', '&#32;', '"'],
  ...['\\', '$a', '$', '\\(', 'https://a.b/', 'www.a.', 'a@b.c', '@', '|', 'a ', '  \n'],
];

/** The slowest markers: the parser looks for their other end. */
export const costlyMarkers: readonly string[] = [
  ...['*a ', 'b_ ', '**a', '~~a', '``a', '[a', '](', '<a', '$a', 'www.a.'],
];

/** Returns a paragraph of two markers, one after the other or in turn. */
export function mixOf(one: string, other: string, how: 'halves' | 'turns', length: number): string {
  const half = length / 2;
  return how === 'turns'
    ? (one + other).repeat(Math.ceil(length / (one.length + other.length)))
    : one.repeat(Math.ceil(half / one.length)) + other.repeat(Math.ceil(half / other.length));
}

/**
 * Fails if parsing a growing reply of 1 MB takes more than thirty times as long as one of 100 KB. Quadratic growth takes a
 * hundred times as long. Caches and garbage collection alone may take fourteen times.
 */
export function assertMixInProportion(one: string, other: string): void {
  for (const how of ['halves', 'turns'] as const)
    assertInProportion(
      [100_000, 1_000_000],
      (length) => mixOf(one, other, how, length),
      parseGrowing,
      30,
    );
}

/** Parses a text in pieces, as the page does. */
export function parseGrowing(text: string): void {
  const stream = new BlockStream();
  for (let at = 0; at < text.length; at += 4_096) {
    stream.append(text.slice(at, at + 4_096));
    stream.advance();
  }
  stream.finish();
}
