import * as v from 'valibot';
import type { CodeColours } from '../../protocol/view.ts';

/** A rule of a theme for the tokens of its editors. */
export interface TokenRule {
  /** TextMate scopes that it is for; those that depend on what stands around a token are left out. */
  readonly scopes: readonly string[];
  /** `#rgb`, `#rrggbb` or `#rrggbbaa`. */
  readonly foreground: string;
}

/** The scopes that stand for each colour of a code block, the best first. */
const scopesOf: Readonly<Record<keyof CodeColours, readonly string[]>> = {
  comment: ['comment.line', 'comment'],
  keyword: ['keyword', 'storage.type', 'keyword.control'],
  literal: ['constant.language'],
  string: ['string.quoted', 'string'],
  regexp: ['string.regexp'],
  number: ['constant.numeric'],
  function: ['entity.name.function', 'support.function'],
  class: ['entity.name.type.class', 'entity.name.type', 'entity.name.class', 'support.class'],
  type: ['support.type.primitive', 'support.type', 'storage.type'],
  variable: ['variable.other.readwrite', 'variable'],
  tag: ['entity.name.tag'],
  // Keys of objects and of JSON, which are many times as frequent in replies as attributes of HTML.
  attribute: [
    'support.type.property-name.json',
    'meta.object-literal.key',
    'entity.other.attribute-name',
  ],
};

const ruleSchema = v.object({
  scope: v.union([v.string(), v.array(v.string())]),
  settings: v.object({
    foreground: v.pipe(v.string(), v.regex(/^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i)),
  }),
});

/** Reads the `tokenColors` of a theme; rules without a scope or a colour are left out. */
export function readRules(tokenColors: unknown): readonly TokenRule[] {
  if (!Array.isArray(tokenColors)) return [];
  return tokenColors.flatMap((entry: unknown) => {
    const rule = v.safeParse(ruleSchema, entry);
    if (!rule.success) return [];
    const { scope, settings } = rule.output;
    const scopes = [scope].flat().flatMap((list) => list.split(','));
    const simple = scopes.map((each) => each.trim()).filter((each) => /^[\w.-]+$/.test(each));
    return [{ scopes: simple, foreground: settings.foreground }];
  });
}

/** The colours of code in a theme, as far as its rules say; of rules that fit equally well, the last counts. */
export function codeColors(rules: readonly TokenRule[]): CodeColours {
  const colours: Record<string, string> = {};
  for (const [name, scopes] of Object.entries(scopesOf)) {
    const found = scopes
      .map((scope) => foregroundOf(scope, rules))
      .find((each) => each !== undefined);
    if (found !== undefined) colours[name] = found;
  }
  return colours;
}

/** TextMate: a selector is for its scope and all below it, and the longest one counts. */
function foregroundOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best = { length: 0, foreground: undefined as string | undefined };
  for (const { scopes, foreground } of rules)
    for (const selector of scopes)
      if (selector.length >= best.length && `${scope}.`.startsWith(`${selector}.`))
        best = { length: selector.length, foreground };
  return best.foreground;
}
