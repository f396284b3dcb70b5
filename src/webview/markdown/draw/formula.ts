import temml from 'temml/temml.js';
import { attributesOf, hidesText, isSafeTex, type MathNode } from './mathLimits.ts';

/** The amount of math that may still be drawn of one text. */
export interface MathBudget {
  left: number;
  /** The tooltip of a formula that exceeds it. */
  readonly message: string;
}

/** Visible elements of MathML Core, without links, scripts and HTML. */
const ALLOWED_ELEMENTS = new Set(
  `math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub
   msubsup msup mtable mtd mtext mtr munder munderover none`.split(/\s+/),
);
const ALLOWED_STYLES = /^(?:padding(?:Left|Right|Top|Bottom)?|border(?:Left|Right|Top|Bottom)?)$/;
const ALLOWED_STYLE_VALUE = /^\d{1,2}(?:\.\d+)?(?:em|pt|px)?(?: (?:solid|dashed))?$/;
/** Limits of depth and number of nodes, higher than in real formulas. */
const MAX_DEPTH = 60;
const MAX_NODES = 3_000;
/** Longest uninterrupted turn of drawing, in ms. */
const MAX_TURN_MS = 8;
/** Fixed cost of a formula, in characters of TeX. */
const FORMULA_COST_CHARACTERS = 20;

/** The functions that draw the waiting formulas. */
let waiting: (() => void)[] = [];

/** Draws a formula beside its source once `element` is in the page. An invalid or oversized formula stays as source. */
export function drawFormula(element: HTMLElement, tex: string, budget: MathBudget): void {
  // The elements of this frame are in the page when the microtask runs.
  if (waiting.length === 0) queueMicrotask(nextTurn);
  waiting.push(() => drawNow(element, tex, budget));
}

function nextTurn(): void {
  const until = performance.now() + MAX_TURN_MS;
  let drawn = 0;
  for (const draw of waiting) {
    drawn++;
    draw();
    if (performance.now() >= until) break;
  }
  waiting = waiting.slice(drawn);
  if (waiting.length > 0) requestIdleCallback(nextTurn, { timeout: 500 });
}

function drawNow(element: HTMLElement, tex: string, budget: MathBudget): void {
  const [source, ...drawn] = element.children;
  if (!element.isConnected || source === undefined || drawn.length > 0 || !isSafeTex(tex)) return;
  budget.left -= tex.length + FORMULA_COST_CHARACTERS;
  if (budget.left < 0) {
    element.title = budget.message;
    return;
  }
  try {
    const tree = temml.__renderToMathMLTree(tex, {
      displayMode: element.classList.contains('display'),
      throwOnError: true,
      trust: false,
      maxSize: [10, 10],
      maxExpand: 200,
      macros: {},
    });
    const drawnNodes = { count: 0 };
    element.append(nodeOf(tree, 0, drawnNodes));
    source.className = 'math-source';
    source.setAttribute('aria-hidden', 'true');
  } catch {
    // The source stays visible.
  }
}

/** Turns the tree of Temml into nodes. Only the names listed above come into the page. */
function nodeOf(node: MathNode, depth: number, drawnNodes: { count: number }): Node {
  if (depth > MAX_DEPTH || ++drawnNodes.count > MAX_NODES) throw new RangeError('too much math');
  if (node.text !== undefined) return document.createTextNode(node.text);
  const { type, children = [] } = node;
  const made =
    type === undefined || !ALLOWED_ELEMENTS.has(type)
      ? document.createDocumentFragment()
      : elementOf(type, node);
  for (const child of children) made.append(nodeOf(child, depth + 1, drawnNodes));
  return made;
}

/** Returns whether Chromium would leave out the line of a `menclose`. */
const isLost = ({ type, classes }: MathNode): boolean =>
  type === 'menclose' && classes?.some((name) => /^tml-(?:over|under)line$/.test(name)) !== true;

function elementOf(type: string, node: MathNode): MathMLElement {
  if (isLost(node) || hidesText(node)) throw new RangeError('math that cannot be shown');
  const made = document.createElementNS('http://www.w3.org/1998/Math/MathML', type);
  for (const [name, value] of attributesOf(node)) made.setAttribute(name, value);
  const styles = Object.entries(node.style ?? {}).filter(
    ([name, value]) => ALLOWED_STYLES.test(name) && ALLOWED_STYLE_VALUE.test(String(value)),
  );
  Object.assign(made.style, Object.fromEntries(styles));
  made.classList.add(...(node.classes ?? []).filter((name) => /^tml-[\w-]+$/.test(name)));
  return made;
}
