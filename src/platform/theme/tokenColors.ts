import * as v from 'valibot';
import type { CodeColors } from '../../protocol/view.ts';

export interface TokenRule {
  /** TextMate scopes, without those that depend on the context of a token. */
  readonly scopes: readonly string[];
  readonly foreground: string;
}

/** The scopes for each color of a code block, best first. */
const COLOR_SCOPES: Readonly<Record<keyof CodeColors, readonly string[]>> = {
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
  // Keys of objects and JSON come first: replies have many more of them than HTML attributes.
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

/** Reads the `tokenColors` of a theme. Rules without a scope or a color are left out. */
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

export function codeColors(rules: readonly TokenRule[]): CodeColors {
  const colors: Record<string, string> = {};
  for (const [name, scopes] of Object.entries(COLOR_SCOPES)) {
    const found = scopes.map((scope) => foregroundOf(scope, rules)).find(Boolean);
    if (found !== undefined) colors[name] = found;
  }
  return colors;
}

/** Returns the color of the longest selector that matches the scope or a parent of it; of equal ones, the last. */
function foregroundOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best = { length: 0, foreground: undefined as string | undefined };
  for (const { scopes, foreground } of rules)
    for (const selector of scopes)
      if (selector.length >= best.length && `${scope}.`.startsWith(`${selector}.`))
        best = { length: selector.length, foreground };
  return best.foreground;
}
