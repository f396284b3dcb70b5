/** A language as an extension's manifest contributes it; only what names it. */
export interface LanguageContribution {
  readonly id: string;
  readonly aliases?: readonly string[];
  /** With their dots. */
  readonly extensions?: readonly string[];
}

/** Words of code fences that no manifest knows, and whose languages VS Code brings with it. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ['console', 'shellscript'],
  ['golang', 'go'],
  ['patch', 'diff'],
  ['shell', 'shellscript'],
  ['shell-session', 'shellscript'],
]);

/** Languages in whose editors VS Code makes links of Markdown, also such that run commands. */
const linked: ReadonlySet<string> = new Set([
  'markdown',
  'prompt',
  'instructions',
  'chatagent',
  'chatmode',
  'skill',
]);

/** Whether a link in an editor with this language can run a command. */
export function mayRunCommands(languageId: string): boolean {
  return linked.has(languageId);
}

/**
 * The editor's language for the first word of a Markdown info string: by its id, by a name, or by the extension of its
 * files (`ts`, `py`).
 *
 * @param known The ids that this editor has.
 * @returns undefined where the editor has no such language.
 */
export function languageIdOf(
  word: string,
  known: readonly string[],
  contributions: readonly LanguageContribution[],
): string | undefined {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return undefined;
  const sameWord = (other: string): boolean => other.toLowerCase() === wanted;
  const found =
    known.find(sameWord) ??
    nicknames.get(wanted) ??
    contributions.find(({ aliases }) => aliases?.some(sameWord))?.id ??
    contributions.find(({ extensions }) => extensions?.some((dotted) => sameWord(dotted.slice(1))))
      ?.id;
  return found !== undefined && known.includes(found) ? found : undefined;
}
