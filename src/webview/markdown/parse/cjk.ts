import { CJK } from '../../../base/characters.ts';

/**
 * Emphasis beside Chinese, Japanese and Korean (CJK) text, which has no spaces around its punctuation. CommonMark would
 * show the asterisks of `**注意：**这` and `**100%**的`. With these rules, marks beside a CJK character open and close
 * emphasis like marks between two letters.
 */

const PUNCTUATION = `(?!${CJK}|[*_~])[\\p{P}\\p{S}]`;
const MARKS = '(?:\\*+|~~)';

const ANY = new RegExp(CJK, 'u');
const AFTER_MARKS = new RegExp(`^${MARKS}${CJK}`, 'u');
/** CJK characters beside marks, and punctuation with only marks between it and a CJK character. */
const BESIDE_MARKS = new RegExp(
  `${CJK}(?=[*~])|(?<=[*~])${CJK}|${PUNCTUATION}(?=${MARKS}${CJK})|(?<=${CJK}${MARKS})${PUNCTUATION}`,
  'gu',
);
/** CJK characters after two kinds of marks, as in `~~**旧**~~新`. */
const AFTER_TWO_KINDS = new RegExp(`(?<=[*_]~~|_\\*+)${CJK}`, 'gu');

export function hasCjk(text: string): boolean {
  return ANY.test(text);
}

/** Returns whether marks at the start of `src` open emphasis, whatever CommonMark says. */
export function opensBesideCjk(src: string, before: string): boolean {
  return AFTER_MARKS.test(src) || (/^[*~]/.test(src) && ANY.test(before));
}

/**
 * Replaces the characters beside marks, mostly by letters, so that CommonMark decides as these rules do. Marks of another
 * kind cannot be replaced and count as punctuation, so the character after them must be punctuation, too.
 */
export function maskCjk(text: string): string {
  return text
    .replace(AFTER_TWO_KINDS, (character) => '.'.repeat(character.length))
    .replace(BESIDE_MARKS, (character) => 'a'.repeat(character.length));
}
