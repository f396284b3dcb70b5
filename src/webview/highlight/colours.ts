import type { CodeColours } from '../../protocol/view.ts';

const names: readonly (keyof CodeColours)[] = [
  ...(['comment', 'keyword', 'literal', 'string', 'regexp', 'number'] as const),
  ...(['function', 'class', 'type', 'variable', 'tag', 'attribute'] as const),
];

/** Shows code in the colours of the editor's theme; where it gives none, in those of code.css. */
export function showCodeColours(colours: CodeColours): void {
  const { classList, style } = document.documentElement;
  for (const name of names) {
    const colour = colours[name];
    if (colour === undefined) style.removeProperty(`--code-${name}`);
    else style.setProperty(`--code-${name}`, colour);
  }
  classList.toggle(
    'theme-colours',
    names.some((name) => name in colours),
  );
}
