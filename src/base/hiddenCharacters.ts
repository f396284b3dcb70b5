/**
 * Letters of scripts that join them, marks on letters, and emoji. Between two of them, a joiner or non-joiner (U+200C,
 * U+200D) is part of the spelling.
 */
const JOINED_SCRIPTS =
  '(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';

/** Text without any hidden character, as nearly all code is. */
const PLAIN_ASCII = /^[\t\n\r -~]*$/;

/** A hidden character and its index in UTF-16 code units. */
interface HiddenCharacter {
  readonly index: number;
  readonly character: string;
}

/**
 * Finds characters that make code do something other than what it shows ("Trojan Source"). Skips joiners and variation
 * selectors that human languages and emoji need.
 */
export function hiddenCharacters(code: string): readonly HiddenCharacter[] {
  if (PLAIN_ASCII.test(code)) return [];
  return [...code.matchAll(hiddenPattern())].flatMap(({ index, 1: character }) =>
    character === undefined ? [] : [{ index, character }],
  );
}

export function withoutHiddenCharacters(code: string): string {
  return code.replace(hiddenPattern(), (match, character?: string) =>
    character === undefined ? match : '',
  );
}

/**
 * Creates the pattern of characters that are invisible, change the direction of text, or control a terminal. This takes
 * 2 ms the first time, which the first drawing of a page must not wait for.
 */
function hiddenPattern(): RegExp {
  return new RegExp(
    [
      `(?<=${JOINED_SCRIPTS})[\\u200c\\u200d](?=${JOINED_SCRIPTS})`,
      // A variation selector after a symbol. After a digit it is legitimate only in a keycap.
      '(?<=(?![0-9#*])[\\p{Emoji}\\p{S}\\p{Script=Han}])[\\ufe00-\\ufe0f]',
      '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
      '((?![\\t\\n\\r])\\p{Cc}|\\p{Bidi_Control}|\\p{Default_Ignorable_Code_Point}|[\\u2028\\u2029\\u2800\\ufff9-\\ufffb])',
    ].join('|'),
    'gu',
  );
}

/** Returns the name of a character, such as `<U+202E>`. */
export function codePointName(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `<U+${number.padStart(4, '0')}>`;
}
