import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson, getL10nPseudoLocalized } from '@vscode/l10n-dev';
import { projectFolder } from '../../harness/paths.ts';
import type { Translation } from '../../harness/window.ts';

/** A language whose every letter is a Latin one with a mark, so that what nobody translated stands out. */
export interface PseudoLocale {
  readonly translation: Translation;
  /** How an English string of ours reads in it, with `{0}`… as given. */
  of(english: string, ...args: readonly string[]): string;
}

/** Translates all strings of the extension, as they stand in src/host and in package.nls.json. */
export async function pseudoLocale(): Promise<PseudoLocale> {
  const locale = 'qps-ploc';
  const bundle = getL10nPseudoLocalized(await collected());
  const manifestWords = await manifest();
  const manifestBundle = getL10nPseudoLocalized(manifestWords);
  const known = new Map<string, string>();
  for (const [key, english] of Object.entries(manifestWords))
    known.set(english, textOf(manifestBundle[key]));
  for (const [english, pseudo] of Object.entries(bundle)) known.set(english, textOf(pseudo));
  return {
    translation: {
      locale,
      files: {
        [`l10n/bundle.l10n.${locale}.json`]: JSON.stringify(bundle),
        [`package.nls.${locale}.json`]: JSON.stringify(manifestBundle),
      },
    },
    of: (english, ...args) => {
      const pseudo = known.get(english);
      if (pseudo === undefined) throw new Error(`No string of ours reads “${english}”.`);
      return pseudo.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
    },
  };
}

type Words = Parameters<typeof getL10nPseudoLocalized>[0];

/** What the sources give to `l10n.t`. */
async function collected(): Promise<Words> {
  const files = globSync('src/host/**/*.ts', { cwd: projectFolder });
  const sources = files.map(async (file) => ({
    extension: '.ts',
    contents: await readFile(path.join(projectFolder, file), 'utf8'),
  }));
  return await getL10nJson(await Promise.all(sources));
}

async function manifest(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path.join(projectFolder, 'package.nls.json'), 'utf8');
  return JSON.parse(text) as Record<string, string>;
}

function textOf(words: Words[string] | undefined): string {
  if (words === undefined) return '';
  return typeof words === 'string' ? words : words.message;
}
