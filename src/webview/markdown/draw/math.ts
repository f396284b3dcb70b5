import { h } from '../../dom.ts';
import type { MathSource } from '../parse/mathSource.ts';
import type { MathBudget } from './formula.ts';

let drawing: Promise<typeof import('./formula.ts')> | undefined;
let draw: typeof import('./formula.ts').drawFormula | undefined;

/** What is drawn of the formulas of one text at most, in characters of TeX: more than people write. */
const mostMath = 20_000;

export function mathBudget(word: string): MathBudget {
  return { left: mostMath, word };
}

/**
 * The element of a formula. It holds the source, which is what is found and copied; the formula is drawn beside it, by a
 * bundle of its own, which is loaded with the first one.
 */
export function createMath({ raw, tex, display }: MathSource, budget: MathBudget): HTMLElement {
  const element = h('span', { class: display ? 'math display' : 'math' }, h('span', {}, raw));
  if (draw !== undefined) draw(element, tex, budget);
  else {
    drawing ??= import('./formula.ts');
    void drawing.then(
      ({ drawFormula }) => (draw = drawFormula)(element, tex, budget),
      () => (drawing = undefined), // It stays as it was written; the next one asks again.
    );
  }
  return element;
}
