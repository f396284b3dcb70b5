const strings = String.raw`"(?:[^"\\]|\\.)*"`;
const comments = new RegExp(String.raw`${strings}|//[^\n]*|/\*[\s\S]*?\*/`, 'g');
const commas = new RegExp(String.raw`${strings}|,(?=\s*[}\]])`, 'g');

/**
 * Reads JSON with comments and trailing commas, as VS Code's own files are written.
 *
 * @throws SyntaxError
 */
export function parseJsonc(text: string): unknown {
  const keepStrings = (match: string): string => (match.startsWith('"') ? match : '');
  const plain = text.replace(/^\ufeff/, '').replace(comments, keepStrings);
  return JSON.parse(plain.replace(commas, keepStrings));
}
