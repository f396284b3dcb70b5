const zeroWidthSpace = '\u200b';

/**
 * What changes the direction of the words around it, and control characters: with them a text could turn round the words
 * of ours that it stands among. The marks that right-to-left languages themselves need are left.
 */
const deceptive = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

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

/** The same on one line of at most `limit` characters (code points), for places that have no room for more. */
export function plainLine(text: string, limit = 200): string {
  const line = plainText(text).replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}

/** Text of the service with a full stop, so that a sentence of ours can follow it. */
export function asSentence(text: string): string {
  return /[.!?…。！？]["”’)]?$/u.test(text) ? text : `${text}.`;
}
