import { hiddenCharacters, numberedName } from '../../../base/hiddenCharacters.ts';
import { h } from '../../dom.ts';

/**
 * Makes the hidden characters of an element visible, each in a mark that shows its number. The text of the element stays
 * as it is, for find and for copying. Marks from an earlier call are made anew.
 *
 * @returns how many there are
 */
export function markHidden(element: Element): number {
  const found = hiddenCharacters(element.textContent);
  const marks = element.getElementsByClassName('hidden-character');
  if (found.length === 0 && marks.length === 0) return 0;
  for (const mark of [...marks]) mark.replaceWith(mark.textContent);
  element.normalize();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let start = 0;
  let node = walker.nextNode();
  for (const { index, character } of found) {
    while (node instanceof Text && start + node.length <= index) {
      start += node.length;
      node = walker.nextNode();
    }
    if (!(node instanceof Text)) break;
    const rest = node.splitText(index - start);
    rest.splitText(character.length);
    const mark = h('span', { class: 'hidden-character', 'data-number': numberedName(character) });
    rest.replaceWith(mark);
    mark.append(character);
    walker.currentNode = mark.firstChild ?? mark;
    start = index + character.length;
    node = walker.nextNode();
  }
  return found.length;
}
