import { h } from '../dom.ts';

/** What decides where the lines of a text break. */
const breaking = [
  'boxSizing',
  'width',
  'padding',
  'border',
  'font',
  'letterSpacing',
  'tabSize',
  'wordBreak',
] as const;

/** Whether the caret stands on the first row of a text box, as its lines are broken in it. */
export function isCaretOnFirstRow(input: HTMLTextAreaElement): boolean {
  const before = input.value.slice(0, input.selectionStart);
  if (before.includes('\n')) return false;
  const caret = h('span', {}, '\u200b');
  const copy = h('div', { 'aria-hidden': 'true' }, before, caret);
  const style = getComputedStyle(input);
  for (const name of breaking) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  document.body.append(copy);
  const isFirst = caret.offsetTop < parseFloat(style.paddingTop) + caret.offsetHeight;
  copy.remove();
  return isFirst;
}
