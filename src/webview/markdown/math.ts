import { h } from '../dom.ts';
import type { MathSource } from './mathSource.ts';

let drawing: Promise<typeof import('./formula.ts')> | undefined;
let draw: typeof import('./formula.ts').drawFormula | undefined;

/**
 * The element of a formula. It holds the source, which is what is found and copied; the formula is drawn beside it, by a
 * bundle of its own, which is loaded with the first one.
 */
export function createMath({ raw, tex, display }: MathSource): HTMLElement {
  const element = h('span', { class: display ? 'math display' : 'math' }, h('span', {}, raw));
  if (draw !== undefined) draw(element, tex);
  else {
    drawing ??= import('./formula.ts');
    void drawing.then(
      ({ drawFormula }) => (draw = drawFormula)(element, tex),
      () => undefined, // It stays as it was written.
    );
  }
  return element;
}
