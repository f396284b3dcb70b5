import assert from 'node:assert/strict';
import { languageBundle, languages, manifestStrings, sourceStrings } from '../harness/strings.ts';

type Strings = Readonly<Record<string, string>>;

/** The parts that a translation must keep: placeholders, icons, code and link targets. */
const kept = /\{\w+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)/g;

/** Languages that use one form for every number. */
const withoutPlural = ['ja', 'zh-cn'];
/** Words that are the same for one and for many. */
const withoutForms = ['1 Zeichen'];

/** Punctuation that a language writes otherwise. */
const foreignPunctuation = {
  de: /["«»”]/,
  fr: /['“”]|[^\u00a0][:;?!»](?!\/\/)|«[^\u00a0]/,
  es: /["“”„]/,
  ja: /[“”，：；？！（）]/,
  'zh-cn': /["「」]|[\u4e00-\u9fff] ?[,:;?!()]|[()] ?[\u4e00-\u9fff]/,
  'pt-br': /["«»„]/,
};

async function english(): Promise<{ readonly source: Strings; readonly manifest: Strings }> {
  const words = Object.entries(await sourceStrings()).map(
    ([key, value]) => [key, typeof value === 'string' ? value : value.message] as const,
  );
  return { source: Object.fromEntries(words), manifest: await manifestStrings() };
}

/** Pairs of a string for one and a string for many, such as `1 question` and `{0} questions`. */
function numberPairs(
  strings: readonly string[],
): readonly (readonly [one: string, many: string])[] {
  const singular = (text: string) => text.replace(/ies\b/g, 'y').replace(/s\b/g, '');
  return strings
    .filter((text) => /\b1 /.test(text))
    .flatMap((one) =>
      strings
        .filter((many) => singular(many) === singular(one.replace(/\b1 /, '{0} ')))
        .map((many) => [one, many] as const),
    );
}

function assertTranslates(words: Strings, translated: Strings): void {
  const names = (strings: Strings) => Object.keys(strings).sort();
  assert.deepEqual(names(translated), names(words), 'every string, and no other');
  const marks = (text: string | undefined) => [...new Set(text?.match(kept))].sort();
  const lines = (text: string | undefined) => text?.split('\n').length;
  const same = Object.entries(words).filter(([key, text]) => translated[key] === text);
  for (const [key, text] of Object.entries(words)) {
    assert.deepEqual(marks(translated[key]), marks(text), key);
    assert.equal(lines(translated[key]), lines(text), key);
    assert.equal(translated[key]?.trim().length === 0, text.trim().length === 0, key);
    assert.doesNotMatch(translated[key] ?? '', /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/, key);
  }
  // Names and words that two languages share.
  assert.ok(same.length < names(words).length / 20, `left in English: ${JSON.stringify(same)}`);
}

describe('the languages of the extension', () => {
  let words: Awaited<ReturnType<typeof english>>;

  before(async function () {
    // Every source is parsed for its strings.
    this.timeout(60_000);
    words = await english();
  });

  for (const language of languages)
    it(`the translation to ${language} is complete and keeps holes, links, icons and plurals`, async () => {
      const bundle = await languageBundle(language);
      assertTranslates(words.source, bundle);
      assertTranslates(words.manifest, await manifestStrings(language));
      const pairs = numberPairs(Object.keys(words.source));
      assert.ok(pairs.length > 0, `${pairs.length} pairs`);
      if (withoutPlural.includes(language)) return;
      for (const [one, many] of pairs.filter(([one]) => !withoutForms.includes(bundle[one] ?? '')))
        assert.notEqual(bundle[one]?.replace(/\b1\b/, '{0}'), bundle[many], one);
    });

  for (const language of languages)
    it(`the translation to ${language} uses the punctuation of its language`, async () => {
      const all = [await languageBundle(language), await manifestStrings(language)];
      const texts = all.flatMap((strings) => Object.values(strings));
      assert.deepEqual(
        texts.filter((text) => foreignPunctuation[language].test(text.replace(kept, '0'))),
        [],
      );
    });
});
