import { h, icon, setHidden, setText } from '../dom.ts';
import { fill, type Words } from '../words.ts';

/** The button that goes to the end of the conversation. It says how many blocks of text came since the reader left it. */
export class JumpButton {
  readonly element: HTMLButtonElement;
  readonly #words: Words;
  readonly #count = h('span');

  constructor(words: Words, jump: () => void) {
    this.#words = words;
    const { jumpToLatest } = words.strings;
    this.element = h('button', { class: 'jump', type: 'button', 'aria-label': jumpToLatest });
    this.element.append(icon('arrow-down'), this.#count);
    this.element.hidden = true;
    this.element.addEventListener('click', jump);
  }

  /** @param next what gets the focus where the button had it */
  hide(next: HTMLElement): void {
    setHidden(this.element, true, next);
  }

  show(newBlocks: number): void {
    this.element.hidden = false;
    const { strings } = this.#words;
    const count = newBlocks === 0 ? '' : this.#words.count(newBlocks);
    const title = count === '' ? strings.jumpToLatest : fill(strings.jumpToLatestNew, count);
    if (this.element.title === title) return;
    this.element.title = title;
    setText(this.#count, count);
  }
}
