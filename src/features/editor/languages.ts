import * as v from 'valibot';
import { extensions, languages } from 'vscode';

/** Info strings for built-in languages that no manifest names. */
const LANGUAGE_NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['console', 'shellscript'],
  ['golang', 'go'],
  ['patch', 'diff'],
  ['shell', 'shellscript'],
  ['shell-session', 'shellscript'],
]);

/** Languages in whose editors Markdown links work, `command:` links included. */
export const LANGUAGES_WITH_LINKS: ReadonlySet<string> = new Set([
  'markdown',
  'prompt',
  'instructions',
  'chatagent',
  'chatmode',
  'skill',
]);

const words = v.optional(v.array(v.string()), []);
const NO_LANGUAGE = { id: '', aliases: [], extensions: [] };
const language = v.fallback(
  v.object({ id: v.string(), aliases: words, extensions: words }),
  NO_LANGUAGE,
);
const NO_CONTRIBUTIONS = { contributes: { languages: [] } };
const manifest = v.fallback(
  v.object({ contributes: v.object({ languages: v.array(language) }) }),
  NO_CONTRIBUTIONS,
);

/** Finds the language for the first word of a Markdown info string by ID, by name, or by file extension (`ts`, `py`). */
export async function languageIdOf(word: string): Promise<string | undefined> {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return undefined;
  const sameWord = (other: string): boolean => other.toLowerCase() === wanted;
  const known = await languages.getLanguages();
  const contributed = extensions.all.flatMap(
    ({ packageJSON }) => v.parse(manifest, packageJSON).contributes.languages,
  );
  const found =
    known.find(sameWord) ??
    LANGUAGE_NICKNAMES.get(wanted) ??
    contributed.find(({ aliases }) => aliases.some(sameWord))?.id ??
    contributed.find((each) => each.extensions.some((dotted) => sameWord(dotted.slice(1))))?.id;
  return found !== undefined && known.includes(found) ? found : undefined;
}
