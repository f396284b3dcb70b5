import { getL10nPseudoLocalized, type l10nJsonFormat } from '@vscode/l10n-dev';
import { manifestStrings, sourceStrings } from '../../harness/strings.ts';

/** A language whose letters all have marks, so that untranslated strings stand out. */
export interface PseudoLocale {
  readonly locale: string;
  /** Texts of the translators' files, by path in the extension. */
  readonly files: Readonly<Record<string, string>>;
  /** Returns the translation of an English string, with `{0}`… filled in. */
  of(english: string, ...args: readonly string[]): string;
}

/** Translates all strings in src and package.nls.json. */
export async function pseudoLocale(): Promise<PseudoLocale> {
  const locale = 'qps-ploc';
  const bundle = getL10nPseudoLocalized(await sourceStrings());
  const manifestWords = await manifestStrings();
  const manifestBundle = getL10nPseudoLocalized(manifestWords);
  const known = new Map<string, string>();
  for (const [key, english] of Object.entries(manifestWords))
    known.set(english, textOf(manifestBundle[key]));
  for (const [english, pseudo] of Object.entries(bundle)) known.set(english, textOf(pseudo));
  return {
    locale,
    files: {
      [`l10n/bundle.l10n.${locale}.json`]: JSON.stringify(bundle),
      [`package.nls.${locale}.json`]: JSON.stringify(manifestBundle),
    },
    of: (english, ...args) => {
      const pseudo = known.get(english);
      if (pseudo === undefined) throw new Error(`No string of ours reads “${english}”.`);
      return pseudo.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
    },
  };
}

function textOf(words: l10nJsonFormat[string] | undefined): string {
  if (words === undefined) return '';
  return typeof words === 'string' ? words : words.message;
}
