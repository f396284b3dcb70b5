/** What we use of a node of what Temml makes. */
export interface MathNode {
  /** The element's name; absent for text and fragments. */
  readonly type?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly style?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly children?: readonly MathNode[];
  readonly text?: string;
}

/** Definitions could make much of a little, and outlive the formula. */
const definition =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re|provide)?(?:newcommand|command)|newenvironment)(?![a-z])/i;
/** What Temml makes two to four times of what is inside: in each other, they are more than ever comes to an end. */
const doubling = /\\(?:cancelto|(?:math)?llap|equilibrium)|bordermatrix/;
/** How deep braces may lie in each other. */
const deepestBraces = 15;

/** What may be said of an element: nothing that leads anywhere, and no size or shift that reaches out of the formula. */
const attributes = new Set(
  `accent accentunder columnspan display displaystyle fence form largeop linethickness lspace mathvariant maxsize minsize
   movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric width`.split(
    /\s+/,
  ),
);
const attribute = /^(?!.*\d{3})[\w. +%]{1,40}$/;
/** What a strut is as high as: one sign, with which nothing is said. */
const strut = /^[^\p{L}\p{N}]?$/u;

/** Whether TeX can be given to Temml, whose work on it nothing ends once it has begun. */
export function isSafeTex(tex: string): boolean {
  if (definition.test(tex) || doubling.test(tex)) return false;
  let depth = 0;
  for (const [mark] of tex.matchAll(/\\[^]|[{}%]/g)) {
    // A comment is not shown, and braces in it are none.
    if (mark === '%') return false;
    if (mark === '{') depth++;
    else if (mark === '}') depth--;
    if (depth > deepestBraces) return false;
  }
  return true;
}

/** Whether a node takes the place of text without showing it. */
export function hidesText(node: MathNode): boolean {
  return node.type === 'mphantom' && !strut.test(textOf(node));
}

/** What is said of a node of Temml's and may be said of an element of the page. */
export function attributesOf(node: MathNode): (readonly [name: string, value: string])[] {
  return Object.entries(node.attributes ?? {})
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => attributes.has(name) && attribute.test(value))
    .filter(([name]) => name !== 'width' || !overlays(node));
}

/** Whether what follows would lie on what a node shows, had it another width. */
function overlays({ type, children = [] }: MathNode): boolean {
  return type === 'mpadded' && children.some((child) => child.type !== 'mphantom');
}

function textOf({ text = '', children = [] }: MathNode): string {
  return text + children.map(textOf).join('');
}
