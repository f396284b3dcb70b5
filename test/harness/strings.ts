import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getL10nJson, type l10nJsonFormat } from '@vscode/l10n-dev';
import { projectFolder } from './paths.ts';

/** Returns the strings that the sources pass to `l10n.t`, by their keys, which are the English strings. */
export async function sourceStrings(): Promise<l10nJsonFormat> {
  const files = globSync('src/{extension.ts,{protocol,platform,features}/**/*.ts}', {
    cwd: projectFolder,
  });
  const sources = files.map(async (file) => ({
    extension: '.ts',
    contents: await readFile(path.join(projectFolder, file), 'utf8'),
  }));
  return await getL10nJson(await Promise.all(sources));
}

/** Returns the strings of package.json, in English or in a language such as `pt-br`. */
export async function manifestStrings(
  language?: string,
): Promise<Readonly<Record<string, string>>> {
  const file = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(await readFile(path.join(projectFolder, file), 'utf8')) as Record<
    string,
    string
  >;
}

/** The languages of the extension, as VS Code names them. */
export const languages = ['de', 'fr', 'es', 'ja', 'zh-cn', 'pt-br'] as const;

/** Returns the translations of the sources' strings, by the English ones. */
export async function languageBundle(language: string): Promise<Readonly<Record<string, string>>> {
  const file = path.join(projectFolder, 'l10n', `bundle.l10n.${language}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
}
