import type { CompletionItem, CompletionKind, HostMessages } from '../../protocol/messages.ts';
import { post } from '../connection.ts';
import { h, hasModifier, icon, setAttribute } from '../dom.ts';
import type { Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';

/** Time from the last key to the request, in ms. */
const QUERY_DELAY_MS = 80;
/** Characters before the caret in which a mark is looked for. */
const MAX_MARK_CHARACTERS = 202;
const FILE_MARK = /(?:^|\s)@([^\s@]{0,200})$/;
const PROMPT_MARK = /^\/([^\s/]{0,200})$/;

/**
 * Completes `@` to open editors and files of the workspace, which are attached, and `/` at the start to prompt files, whose
 * text the host inserts. The input stays a text box that names its active option: ARIA allows no combobox role on a textarea.
 */
export class CompletionList {
  /** The list, which opens above the composer. */
  readonly element: HTMLUListElement;
  readonly #page: Page;
  readonly #input: HTMLTextAreaElement;
  readonly #onChange: () => void;
  #items: readonly CompletionItem[] = [];
  #active = 0;
  /** The index of the caret at the last input. */
  #caret = 0;
  /** The last announced number of items. */
  #announcedCount: number | undefined;
  #request = 0;
  /** Set until the list for the typed text arrives. After Enter or Tab, its first item is chosen then. */
  #awaited: 'to show' | 'to choose' | undefined;

  constructor(page: Page, input: HTMLTextAreaElement, onChange: () => void) {
    this.#page = page;
    this.#input = input;
    this.#onChange = onChange;
    this.element = h('ul', { class: 'completions', id: 'completions', role: 'listbox' });
    this.element.hidden = true;
    setAttribute(input, 'aria-autocomplete', 'list');
    input.addEventListener('input', () => this.#ask());
    input.addEventListener('blur', () => this.close());
    document.addEventListener('selectionchange', () => {
      if (input.selectionStart !== this.#caret) this.close();
    });
  }

  /** Shows and announces the response to the latest request. Ignores others. */
  show({ request, items }: HostMessages['completions']): void {
    const kind = this.#completed?.kind;
    if (request !== this.#request || kind === undefined) return;
    const { announcer, localizer } = this.#page;
    const { strings } = localizer;
    const [label, found, symbol] =
      kind === 'file'
        ? ([strings.completions, strings.completionsFound, 'file'] as const)
        : ([strings.promptCompletions, strings.promptsFound, 'comment'] as const);
    const notice = items.find(({ isNotice }) => isNotice)?.detail;
    if (items.length !== this.#announcedCount)
      announcer.say(notice ?? formatMessage(found, localizer.count(items.length)));
    this.#announcedCount = items.length;
    this.#items = items;
    this.#active = 0;
    setAttribute(this.element, 'aria-label', label);
    this.element.replaceChildren(...items.map((item, index) => this.#option(item, index, symbol)));
    this.element.hidden = items.length === 0;
    this.#mark();
    const isChosen = this.#awaited === 'to choose';
    this.#awaited = undefined;
    if (isChosen) this.#choose(0);
  }

  /** @returns whether the list was open */
  close(): boolean {
    this.#request++;
    const open = !this.element.hidden;
    this.element.hidden = true;
    this.#items = [];
    this.#mark();
    return open;
  }

  /** @returns whether the key was used */
  handleKey(event: KeyboardEvent): boolean {
    if (this.element.hidden || hasModifier(event)) return false;
    const last = this.#items.length - 1;
    if (event.key === 'ArrowDown') this.#active = this.#active === last ? 0 : this.#active + 1;
    else if (event.key === 'ArrowUp') this.#active = this.#active === 0 ? last : this.#active - 1;
    else if (event.key !== 'Enter' && event.key !== 'Tab') return false;
    else if (this.#awaited === undefined) this.#choose(this.#active);
    else this.#awaited = 'to choose';
    event.preventDefault();
    this.#mark();
    return true;
  }

  /** Replaces the completed text, or inserts text at the caret. */
  insert(text: string): void {
    const { selectionStart } = this.#input;
    const length = (this.#completed?.query.length ?? -1) + 1;
    this.#input.focus({ preventScroll: true });
    this.#input.setSelectionRange(selectionStart - length, selectionStart);
    // oxlint-disable-next-line typescript/no-deprecated -- After `setRangeText`, undoing would garble the text.
    document.execCommand('insertText', false, text);
  }

  /** The kind of completion at the caret, and the text after its mark. */
  get #completed(): { readonly kind: CompletionKind; readonly query: string } | undefined {
    const { value, selectionStart } = this.#input;
    const from = Math.max(0, selectionStart - MAX_MARK_CHARACTERS);
    const before = value.slice(from, selectionStart);
    const file = FILE_MARK.exec(before)?.[1];
    if (file !== undefined) return { kind: 'file', query: file };
    const prompt = from === 0 ? PROMPT_MARK.exec(before)?.[1] : undefined;
    return prompt === undefined ? undefined : { kind: 'prompt', query: prompt };
  }

  #ask(): void {
    this.#caret = this.#input.selectionStart;
    const completed = this.#completed;
    if (completed === undefined) {
      this.#announcedCount = undefined;
      this.close();
      return;
    }
    this.#awaited = 'to show';
    const request = ++this.#request;
    setTimeout(() => {
      if (request === this.#request) post('complete', { request, ...completed });
    }, QUERY_DELAY_MS);
  }

  #option(item: CompletionItem, index: number, symbol: string): HTMLLIElement {
    const option = h(
      'li',
      // A list that replaces another one has other IDs, or its first option would not be announced.
      { role: 'option', id: `completion-${this.#request}-${index}`, class: 'completion' },
      icon(item.isNotice === true ? 'shield' : symbol),
      h('span', { dir: 'auto' }, item.label),
      h('span', { class: 'completion-detail', dir: 'auto' }, item.detail),
    );
    // A click would come too late: the press would move the focus out of the composer.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (event.button === 0) this.#choose(index);
    });
    return option;
  }

  #choose(index: number): void {
    const item = this.#items[index];
    const kind = this.#completed?.kind;
    if (item === undefined || kind === undefined) return;
    // The text of a prompt file comes later: the host may first ask for its inputs.
    if (kind === 'file') this.insert('');
    post('chooseCompletion', { kind, id: item.id });
    this.close();
    this.#onChange();
  }

  #mark(): void {
    const open = !this.element.hidden;
    [...this.element.children].forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === this.#active));
      if (open && index === this.#active) option.scrollIntoView({ block: 'nearest' });
    });
    setAttribute(this.#input, 'aria-controls', open ? this.element.id : null);
    const active = this.element.children.item(this.#active);
    setAttribute(this.#input, 'aria-activedescendant', open ? (active?.id ?? null) : null);
  }
}
