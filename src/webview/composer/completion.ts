import type { CompletionItem } from '../../protocol/messages.ts';
import { h, icon, setAttribute } from '../dom.ts';
import type { Page } from '../page.ts';

/** How long after the last key the host is asked, in milliseconds. */
const delay = 80;
const trigger = /(?:^|\s)@([^\s@]{0,200})$/;

/** Completes `@` in the composer to open editors and files of the workspace; what is chosen is attached. */
export class Completion {
  readonly element: HTMLUListElement;
  readonly #page: Page;
  readonly #input: HTMLTextAreaElement;
  readonly #changed: () => void;
  #items: readonly CompletionItem[] = [];
  #active = 0;
  #request = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page, input: HTMLTextAreaElement, changed: () => void) {
    this.#page = page;
    this.#input = input;
    this.#changed = changed;
    this.element = h('ul', {
      class: 'completions',
      id: 'completions',
      role: 'listbox',
      'aria-label': page.words.strings.completions,
    });
    this.element.hidden = true;
    setAttribute(input, 'aria-autocomplete', 'list');
    input.addEventListener('input', () => this.#ask());
    input.addEventListener('blur', () => this.close());
  }

  /** Shows the answer to a request, unless there was another since. */
  show(request: number, items: readonly CompletionItem[]): void {
    if (request !== this.#request || this.#query() === undefined) return;
    this.#items = items;
    this.#active = 0;
    this.element.replaceChildren(...items.map((item, index) => this.#option(item, index)));
    this.element.hidden = items.length === 0;
    this.#mark();
  }

  /** Returns whether it was open. */
  close(): boolean {
    clearTimeout(this.#timer);
    this.#request++;
    const open = !this.element.hidden;
    this.element.hidden = true;
    this.#items = [];
    this.#mark();
    return open;
  }

  /** Returns whether the key was used. */
  keyPressed(event: KeyboardEvent): boolean {
    if (this.element.hidden) return false;
    const last = this.#items.length - 1;
    if (event.key === 'ArrowDown') this.#active = this.#active === last ? 0 : this.#active + 1;
    else if (event.key === 'ArrowUp') this.#active = this.#active === 0 ? last : this.#active - 1;
    else if (event.key === 'Enter' || event.key === 'Tab') this.#choose(this.#active);
    else return false;
    event.preventDefault();
    this.#mark();
    return true;
  }

  /** What follows the `@` before the caret; undefined where there is none. */
  #query(): string | undefined {
    const { value, selectionStart } = this.#input;
    return trigger.exec(value.slice(Math.max(0, selectionStart - 202), selectionStart))?.[1];
  }

  #ask(): void {
    clearTimeout(this.#timer);
    const query = this.#query();
    if (query === undefined) {
      this.close();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#page.post('complete', { request: ++this.#request, query });
    }, delay);
  }

  #option(item: CompletionItem, index: number): HTMLLIElement {
    const option = h(
      'li',
      { role: 'option', id: `completion-${index}`, class: 'completion' },
      icon('file'),
      h('span', { class: 'completion-label' }, item.label),
      h('span', { class: 'completion-detail' }, item.detail),
    );
    // A press must not take the focus from the composer; a click would come after it has.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault();
      this.#choose(index);
    });
    return option;
  }

  #choose(index: number): void {
    const item = this.#items[index];
    const query = this.#query();
    if (item === undefined || query === undefined) return;
    const { selectionStart } = this.#input;
    this.#input.setRangeText('', selectionStart - query.length - 1, selectionStart, 'end');
    this.#page.post('attachCompletion', { id: item.id });
    this.close();
    this.#changed();
  }

  #mark(): void {
    const open = !this.element.hidden;
    [...this.element.children].forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === this.#active));
      if (open && index === this.#active) option.scrollIntoView({ block: 'nearest' });
    });
    setAttribute(this.#input, 'aria-controls', open ? this.element.id : null);
    setAttribute(this.#input, 'aria-activedescendant', open ? `completion-${this.#active}` : null);
  }
}
