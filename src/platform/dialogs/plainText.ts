import { codePointName } from '../../base/hiddenCharacters.ts';

const wordJoiner = '\u2060';
const zeroWidthSpace = '\u200b';

/**
 * Characters that reverse the words around them, draw nothing, or draw only a blank (U+2800). With them a text could
 * deceive about itself, or about the words of ours that it stands among. The marks that right-to-left languages need, and
 * the joiners and variants of emoji, are left.
 */
const deceptive =
  /(?![\ufe00-\ufe0f\u061c\u200c-\u200f])\p{Default_Ignorable_Code_Point}|\u2800|(?![\t\n\r])\p{Cc}/gu;

/** The same and all that was left there: what is not seen for what it is. Line breaks and tabs are blanks to anyone. */
const unseen =
  /(?![\t\n\r ])(?:\p{Default_Ignorable_Code_Point}|[\u2800\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}])/gu;

/**
 * Makes text inert for VS Code's own widgets, which turn `[label](command:id)` in prompts, validation messages and
 * notifications into links that run commands, and `$(name)` in rows into icons. It reads as before, and cannot reorder
 * the words beside it.
 *
 * Everything that came from the service goes through here; what goes through twice is the same as once.
 */
export function plainText(text: string): string {
  return text
    .replace(deceptive, '')
    .replaceAll('](', `]${zeroWidthSpace}(`)
    .replaceAll('$(', `$${zeroWidthSpace}(`);
}

/**
 * Spells out every character that a reader would not see for what it is, as `<U+202E>`: for words that a consent is
 * given to. Not for text in human languages, whose emoji and joiners it spells out too.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, codePointName);
}

/** `plainText` on one line of at most `limit` characters (code points), for places that have no room for more. */
export function plainLine(text: string, limit = 200): string {
  const line = plainText(text).replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}

/** The beginning of a link of a Markdown editor that runs a command. A blank after it makes it a setting of YAML. */
const commandLink = /command(?=:\S)/gi;

/** Markdown for an editor in which no link runs a command: an intern's must not. */
export function withoutCommands(markdown: string): string {
  return markdown.replace(commandLink, `$&${wordJoiner}`);
}

/** Text without the characters that deceive about it, all else as it was: for a prompt that somebody else wrote. */
export function withoutDeceptive(text: string): string {
  return text.replace(deceptive, '');
}

/** The beginning of a text that a dialog has room for: at most so many lines, and characters (code points). */
export function beginningOf(
  text: string,
  { lines, characters }: { readonly lines: number; readonly characters: number },
): string {
  let line = 0;
  let end = text.length;
  for (const { index } of text.matchAll(/\r\n|\r|\n/gu)) {
    line += 1;
    if (line < lines) continue;
    end = index;
    break;
  }
  // A character has at most two units.
  const start = Array.from(text.slice(0, Math.min(end, 2 * characters)));
  return start.slice(0, characters).join('');
}

/** Text of the service with a full stop, so that a sentence of ours can follow it. */
export function asSentence(text: string): string {
  return /[.!?…。！？]["”’)]?$/u.test(text) ? text : `${text}.`;
}
