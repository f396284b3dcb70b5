import { startOfCharacter, truncate } from '../../base/characters.ts';
import { codePointName } from '../../base/hiddenCharacters.ts';

const WORD_JOINER = '\u2060';
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Characters that reverse the words around them or draw nothing but a blank (U+2800). They could change the meaning of a
 * text or of our words beside it. Marks of right-to-left languages, joiners and emoji variants are allowed.
 */
const DECEPTIVE_CHARACTERS =
  /(?![\ufe00-\ufe0f\u061c\u200c-\u200f])\p{Default_Ignorable_Code_Point}|\u2800|(?![\t\n\r])\p{Cc}/gu;

/** All characters that a reader cannot recognize, the deceptive ones included. Line breaks and tabs are allowed. */
const INVISIBLE_CHARACTERS =
  /(?![\t\n\r ])(?:\p{Default_Ignorable_Code_Point}|[\u2800\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}])/gu;

/**
 * Makes text of the service inert for VS Code's widgets, which turn `[label](command:id)` in prompts, validation
 * messages and notifications into links that run commands, and `$(name)` in rows into icons. The text reads as before
 * and cannot reorder the words beside it. A second pass changes nothing.
 */
export function plainText(text: string): string {
  return text
    .replace(DECEPTIVE_CHARACTERS, '')
    .replaceAll('](', `]${ZERO_WIDTH_SPACE}(`)
    .replaceAll('$(', `$${ZERO_WIDTH_SPACE}(`);
}

/**
 * Spells out every character that a reader cannot recognize, as `<U+202E>`, in text that the user consents to. Not for
 * prose: it also spells out joiners of emoji.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, codePointName);
}

/** Longest text that is read for a line, in UTF-16 units. */
const MAX_READ_CHARACTERS = 20_000;

/** Returns the beginning of a text that is far too long for a line. Dialogs draw their lines each second. */
export function beginningForLine(text: string): string {
  if (text.length <= MAX_READ_CHARACTERS) return text;
  return `${text.slice(0, startOfCharacter(text, MAX_READ_CHARACTERS))}…`;
}

/** Returns {@link plainText} on one line of at most `limit` code points. */
export function plainLine(text: string, limit = 200): string {
  const line = plainText(beginningForLine(text)).replace(/\s+/gu, ' ').trim();
  return truncate(line, limit);
}

/** The scheme of links that run commands. With a blank after the colon it is a key of YAML. */
const COMMAND_LINK = /command(?=:\S)/gi;

/** Returns Markdown for an editor in which no link runs a command. */
export function withoutCommands(markdown: string): string {
  return markdown.replace(COMMAND_LINK, `$&${WORD_JOINER}`);
}

/** Removes deceptive characters from a prompt that someone else wrote. */
export function withoutDeceptive(text: string): string {
  return text.replace(DECEPTIVE_CHARACTERS, '');
}

/** Returns the beginning of a text: at most so many lines and characters (code points). */
export function beginningOf(
  text: string,
  { lines, characters }: { readonly lines: number; readonly characters: number },
): string {
  // A character has at most two units.
  const start = Array.from(text.slice(0, 2 * characters)).slice(0, characters);
  return start
    .join('')
    .split(/(\r\n|\r|\n)/u, 2 * lines - 1)
    .join('');
}
