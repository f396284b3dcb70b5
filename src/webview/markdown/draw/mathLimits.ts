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
const definition =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re|provide)?(?:newcommand|command)|newenvironment)(?![a-z])/i;
/** Commands whose contents Temml copies two to four times, so that nesting them takes forever. */
const doubling = /\\(?:cancelto|(?:math)?llap|equilibrium)|bordermatrix/;
/** Deepest nesting of braces. */
const deepestBraces = 15;

/** Allowed attributes: no links, and no sizes or shifts that reach out of the formula. */
const attributes = new Set(
  `accent accentunder columnspan display displaystyle fence form largeop linethickness lspace mathvariant maxsize minsize
   movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric width`.split(
    /\s+/,
  ),
);
const attribute = /^(?!.*\d{3})[\w. +%]{1,40}$/;
/** The content of a strut: at most one character that is neither letter nor number. */
const strut = /^[^\p{L}\p{N}]?$/u;

/** Returns whether Temml can render TeX in bounded time. It cannot be stopped. */
export function isSafeTex(tex: string): boolean {
  if (definition.test(tex) || doubling.test(tex)) return false;
  let depth = 0;
  for (const [mark] of tex.matchAll(/\\[^]|[{}%]/g)) {
    // Braces in a comment do not count.
    if (mark === '%') return false;
    if (mark === '{') depth++;
    else if (mark === '}') depth--;
    if (depth > deepestBraces) return false;
  }
  return true;
}

/** Returns whether a node hides text. */
export function hidesText(node: MathNode): boolean {
  return node.type === 'mphantom' && !strut.test(textOf(node));
}

/** Returns the allowed attributes of a node. */
export function attributesOf(node: MathNode): (readonly [name: string, value: string])[] {
  return Object.entries(node.attributes ?? {})
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => attributes.has(name) && attribute.test(value))
    .filter(([name]) => name !== 'width' || !overlays(node));
}

/** Returns whether the next node could cover this one if its width changed. */
function overlays({ type, children = [] }: MathNode): boolean {
  return type === 'mpadded' && children.some((child) => child.type !== 'mphantom');
}

function textOf({ text = '', children = [] }: MathNode): string {
  return text + children.map(textOf).join('');
}
