/**
 * Letters of scripts that join their letters, and signs on letters. Between two of them a joiner or non-joiner (U+200C,
 * U+200D) is a part of the spelling, as it is between two emoji.
 */
const joined =
  '(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';

/** Characters that draw nothing, turn the text around them, or control a terminal. Line breaks and tabs do neither. */
const hidden = new RegExp(
  [
    `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
    // A variation selector of the symbol before it. A digit has one only in a keycap.
    '(?<=(?![0-9#*])[\\p{Emoji}\\p{S}\\p{Script=Han}])[\\ufe00-\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    '((?![\\t\\n\\r])\\p{Cc}|\\p{Bidi_Control}|\\p{Default_Ignorable_Code_Point}|[\\u2028\\u2029\\u2800\\ufff9-\\ufffb])',
  ].join('|'),
  'gu',
);

/** A hidden character and its place in a text, in UTF-16 units. */
interface HiddenCharacter {
  readonly index: number;
  readonly character: string;
}

/**
 * Finds the characters of a code that its reader does not see for what they are. Such code can do something else than it
 * shows ("Trojan Source"). Joiners and variation selectors are left out where human languages and emoji need them.
 */
export function hiddenCharacters(code: string): readonly HiddenCharacter[] {
  return [...code.matchAll(hidden)].flatMap(({ index, 1: character }) =>
    character === undefined ? [] : [{ index, character }],
  );
}

/** Removes the {@link hiddenCharacters} of a code. */
export function withoutHiddenCharacters(code: string): string {
  return code.replace(hidden, (match, character?: string) =>
    character === undefined ? match : '',
  );
}

/** The name of a character by its number, such as `<U+202E>`. */
export function codePointName(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `<U+${number.padStart(4, '0')}>`;
}
