import { hiddenCharacters, codePointName } from '../../../base/hiddenCharacters.ts';
import type { PageStrings } from '../../../protocol/strings.ts';
import type { Post } from '../../connection.ts';
import { h, icon } from '../../dom.ts';
import { fill } from '../../words.ts';

/**
 * Lines and characters after which a piece of a code block ends, with its line. A long block is laid out piece by piece,
 * and only where it is seen, and is colored a piece at a time.
 */
const pieceSize = { lines: 80, characters: 3_000 } as const;
/** The longest piece, in characters; a longer line is broken. The browser lays out all of a line again when it grows. */
const longestPiece = 16_384;

/** What a code block shows. */
export interface CodeSource {
  readonly code: string;
  /** The first word after the fence, or empty. */
  readonly language: string;
  /** Whether more of it may come. */
  readonly open: boolean;
  /** Tells whether it is no code, but a block that holds too much source to be drawn. See parse/bounds.ts. */
  readonly isPlain: boolean;
}

/** Colors complete code blocks when there is time. */
export interface CodeHighlighter {
  complete(block: CodeBlock): void;
  /** Drops a block that changed or went away. */
  forget(block: CodeBlock): void;
}

/** The names of the buttons of code blocks and tables, as their `data-command`. */
type Command =
  ('copy' | 'insert' | 'new-file' | 'apply' | 'diff' | 'wrap') | ('copy-csv' | 'copy-markdown');

const blocks = new WeakMap<Node, CodeBlock>();

/** The code block that an element belongs to. */
export function codeBlockOf(element: Element): CodeBlock | undefined {
  const root = element.closest('.code-block');
  return root === null ? undefined : blocks.get(root);
}

/** Makes an element that is a code block show this; returns false if it is none. */
export function updateCode(node: Node, source: CodeSource): boolean {
  const block = blocks.get(node);
  block?.update(source);
  return block !== undefined;
}

/** One code block: its code, in pieces of whole lines, under a header with its language and what can be done with it. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #strings: PageStrings;
  readonly #highlighter: CodeHighlighter;
  readonly #code: HTMLElement;
  #language = '';
  #text = '';
  /** The last piece, how many line feeds and characters it holds, and whether that is enough. */
  #piece: HTMLElement | undefined;
  #lines = 0;
  #characters = 0;
  #isFull = true;
  /** How many hidden characters the header tells of. */
  #hidden = 0;

  constructor(source: CodeSource, strings: PageStrings, highlighter: CodeHighlighter) {
    this.#strings = strings;
    this.#highlighter = highlighter;
    this.#code = h('code');
    this.element = h('div', { class: 'code-block', role: 'group' });
    this.element.append(header(strings), h('pre', { tabindex: '0' }, this.#code));
    blocks.set(this.element, this);
    this.#setLanguage(source);
    this.append(source.code);
    if (!source.open) this.#highlighter.complete(this);
  }

  /** The code, without the line feed that ends it. */
  get text(): string {
    return this.#text;
  }

  /** The name after the fence, or empty. */
  get language(): string {
    return this.#language;
  }

  /** The elements that hold the code, in order. */
  get pieces(): readonly HTMLElement[] {
    return [...this.#code.children].filter((child) => child instanceof HTMLElement);
  }

  update(source: CodeSource): void {
    const { code, language, open } = source;
    const grown = code.startsWith(this.#text);
    if (grown && code.length === this.#text.length && language === this.#language && open) return;
    this.#setLanguage(source);
    if (!grown) this.#clear();
    this.append(code.slice(this.#text.length));
    if (open) this.#highlighter.forget(this);
    else this.#highlighter.complete(this);
  }

  /** Adds code at the end. */
  append(code: string): void {
    this.#text += code;
    let from = 0;
    while (from < code.length) {
      if (this.#isFull) this.#startPiece();
      const to = this.#endOfPiece(code, from);
      this.#grow(code.slice(from, to));
      from = to;
    }
  }

  toggleWrap(): boolean {
    return this.element.classList.toggle('wrapped');
  }

  #startPiece(): void {
    this.#piece = h('span', { class: 'piece' });
    this.#lines = 0;
    this.#characters = 0;
    this.#isFull = false;
    this.#code.append(this.#piece);
  }

  /** Where the code from `from` fills the piece; counts its lines and characters. */
  #endOfPiece(code: string, from: number): number {
    let to = from;
    while (!this.#isFull && to < code.length) {
      const feed = code.indexOf('\n', to);
      const end = feed < 0 ? code.length : feed + 1;
      const room = longestPiece - this.#characters;
      if (end - to > room) {
        this.#isFull = true;
        return startOfCharacter(code, to + room);
      }
      this.#characters += end - to;
      to = end;
      if (feed < 0) break;
      this.#lines++;
      this.#isFull = this.#lines >= pieceSize.lines || this.#characters >= pieceSize.characters;
    }
    return to;
  }

  #grow(code: string): void {
    const piece = this.#piece;
    if (piece === undefined) return;
    const last = piece.lastChild;
    if (last instanceof Text) last.appendData(code);
    else piece.append(code);
    markHidden(piece);
    this.#showHidden();
  }

  #showHidden(): void {
    const total = this.#code.getElementsByClassName('hidden-character').length;
    // Most blocks have none, and this runs with each piece of text that comes.
    if (total === this.#hidden) return;
    this.#hidden = total;
    const { oneHidden, someHidden } = this.#strings;
    const note = this.element.querySelector('.code-hidden');
    const text = total === 1 ? oneHidden : fill(someHidden, total);
    if (total === 0) note?.remove();
    else if (note instanceof HTMLElement) {
      note.title = text;
      note.lastChild?.replaceWith(text);
    } else
      this.element
        .querySelector('.code-language')
        ?.after(h('span', { class: 'code-hidden', title: text }, icon('warning'), text));
  }

  #clear(): void {
    this.#code.replaceChildren();
    this.#piece = undefined;
    this.#isFull = true;
    this.#text = '';
    this.#showHidden();
  }

  #setLanguage({ language, isPlain }: CodeSource): void {
    const { codeBlock, plainText, tooMuchMarkup } = this.#strings;
    const reason = isPlain ? tooMuchMarkup : undefined;
    this.#language = language;
    const label = reason ?? (language === '' ? plainText : language);
    this.element.setAttribute('aria-label', reason ?? fill(codeBlock, label));
    const name = this.element.querySelector('.code-language');
    if (name !== null) name.textContent = label;
    const isDiff = language === 'diff' || language === 'patch';
    const ofDiff = this.element.querySelectorAll('[data-command=apply], [data-command=diff]');
    if (!isDiff) for (const button of ofDiff) button.remove();
    else if (ofDiff.length === 0)
      this.element
        .querySelector('.code-actions')
        ?.prepend(
          commandButton('apply', 'git-pull-request-go-to-changes', this.#strings.applyDiff),
          commandButton('diff', 'diff', this.#strings.openDiff),
        );
  }
}

/** A place in a text, or the one before it inside of a character of two code units. */
function startOfCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

let template: { readonly strings: PageStrings; readonly header: HTMLElement } | undefined;

/** A copy of the header: cloning costs a fraction of building, and a reply may hold hundreds of blocks. */
function header(strings: PageStrings): Node {
  if (template?.strings !== strings) template = { strings, header: buildHeader(strings) };
  return template.header.cloneNode(true);
}

function buildHeader(strings: PageStrings): HTMLElement {
  return h(
    'div',
    { class: 'code-header' },
    h('span', { class: 'code-language' }),
    h(
      'span',
      { class: 'code-actions', role: 'toolbar' },
      commandButton('wrap', 'word-wrap', strings.wrapLines, 'first'),
      commandButton('insert', 'insert', strings.insertAtCursor),
      commandButton('new-file', 'new-file', strings.newFile),
      commandButton('copy', 'copy', strings.copyCode),
    ),
  );
}

/** @param place in a toolbar; Tab reaches the first button, and the arrow keys the others */
export function commandButton(
  command: Command,
  symbol: string,
  label: string,
  place: 'first' | 'later' = 'later',
): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'icon-button',
      type: 'button',
      tabindex: place === 'first' ? 0 : -1,
      'data-command': command,
      'aria-label': label,
      title: label,
      'aria-pressed': command === 'wrap' ? 'false' : undefined,
    },
    icon(symbol),
  );
}

/** Carries out what a button in a code block's header stands for. */
export function runCodeCommand(button: HTMLElement, post: Post, copied: () => void): void {
  const block = codeBlockOf(button);
  if (block === undefined) return;
  const code = block.text;
  switch (button.dataset['command'] as Command | undefined) {
    case 'copy':
      post('copy', { text: code });
      // The host asks about hidden characters before it copies.
      if (hiddenCharacters(code).length === 0) copied();
      break;
    case 'insert':
      post('insertAtCursor', { code });
      break;
    case 'new-file':
      post('newFile', { code, language: block.language.slice(0, 64) });
      break;
    case 'diff':
      post('openDiff', { diff: code });
      break;
    case 'apply':
      post('applyDiff', { diff: code });
      break;
    case 'wrap':
      button.setAttribute('aria-pressed', String(block.toggleWrap()));
      break;
    default:
  }
}

/**
 * Makes the hidden characters of an element visible, each in a mark that shows its number. The text of the element stays
 * as it is, for find and for copying. Marks from an earlier call are made anew.
 */
export function markHidden(element: Element): void {
  const found = hiddenCharacters(element.textContent);
  const marks = element.getElementsByClassName('hidden-character');
  if (found.length === 0 && marks.length === 0) return;
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
    const mark = h('span', { class: 'hidden-character', 'data-number': codePointName(character) });
    rest.replaceWith(mark);
    mark.append(character);
    walker.currentNode = mark.firstChild ?? mark;
    start = index + character.length;
    node = walker.nextNode();
  }
}
