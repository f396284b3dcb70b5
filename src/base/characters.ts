/** All characters of Chinese, Japanese and Korean (CJK) but the ideographic space, for a regular expression. */
export const CJK =
  '[\\u1100-\\u11ff\\u2e80-\\u2fff\\u3001-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uffef\\u{20000}-\\u{3fffd}]';

/** Returns `at`, or the index before it if it is inside a surrogate pair. */
export function startOfCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** Returns at most `max` code points of a text. If it is cut, the last one is an ellipsis. */
export function truncate(text: string, max: number): string {
  // A code point has at most two UTF-16 units. Long texts are not split as a whole.
  const characters = Array.from(text.slice(0, 2 * (max + 1)));
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
}
