/** The properties of a Temml node that the page uses. */
export interface MathNode {
  /** The name of the element; absent for text and fragments. */
  readonly type?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly style?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly children?: readonly MathNode[];
  readonly text?: string;
}

/** Definitions could expand without limit, and outlive the formula. */
const TEX_DEFINITION =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re|provide)?(?:newcommand|command)|newenvironment)(?![a-z])/i;
/** Commands whose contents Temml copies two to four times, so that nesting them takes forever. */
const COPYING_COMMAND = /\\(?:cancelto|(?:math)?llap|equilibrium)|bordermatrix/;
/** Deepest nesting of braces. */
const MAX_BRACE_DEPTH = 15;

/** Allowed attributes: no links, and no sizes or shifts that reach out of the formula. */
const SAFE_ATTRIBUTES = new Set(
  `accent accentunder columnspan display displaystyle fence form largeop linethickness lspace mathvariant maxsize minsize
   movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric width`.split(
    /\s+/,
  ),
);
const SAFE_ATTRIBUTE_VALUE = /^(?!.*\d{3})[\w. +%]{1,40}$/;
/** The content of a strut: at most one character that is neither letter nor number. */
const STRUT = /^[^\p{L}\p{N}]?$/u;

/** Returns whether Temml can render TeX in bounded time. It cannot be stopped. */
export function isSafeTex(tex: string): boolean {
  if (TEX_DEFINITION.test(tex) || COPYING_COMMAND.test(tex)) return false;
  let depth = 0;
  for (const [mark] of tex.matchAll(/\\[^]|[{}%]/g)) {
    // A comment could hide a brace from Temml.
    if (mark === '%') return false;
    if (mark === '{') depth++;
    else if (mark === '}') depth--;
    if (depth > MAX_BRACE_DEPTH) return false;
  }
  return true;
}

export function hidesText(node: MathNode): boolean {
  return node.type === 'mphantom' && !STRUT.test(textOf(node));
}

/** Returns the allowed attributes of a node. */
export function attributesOf(node: MathNode): (readonly [name: string, value: string])[] {
  return Object.entries(node.attributes ?? {})
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => SAFE_ATTRIBUTES.has(name) && SAFE_ATTRIBUTE_VALUE.test(value))
    .filter(([name]) => name !== 'width' || !overlays(node));
}

/** Returns whether the next node could cover this one if its width changed. */
function overlays({ type, children = [] }: MathNode): boolean {
  return type === 'mpadded' && children.some((child) => child.type !== 'mphantom');
}

function textOf({ text = '', children = [] }: MathNode): string {
  return text + children.map(textOf).join('');
}
