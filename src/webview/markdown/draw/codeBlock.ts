import type { Tokens } from 'marked';
import { startOfCharacter } from '../../../base/characters.ts';
import { hiddenCharacters, codePointName } from '../../../base/hiddenCharacters.ts';
import type { PageStrings } from '../../../protocol/strings.ts';
import type { Post } from '../../connection.ts';
import { h, icon, setAttribute, setText } from '../../dom.ts';
import { formatMessage } from '../../localizer.ts';

/** Lines and characters after which a piece ends with its line. Pieces are laid out only when visible, and colored one by one. */
const PIECE_SIZE = { lines: 80, characters: 3_000 } as const;
/** Longest piece, in characters. A longer line is split, because the browser lays out a growing line as a whole. */
const MAX_PIECE_CHARACTERS = 16_384;

/** A token of code, or of plain text, which has no `text`. It is `open` if it may grow. */
export type CodeToken = Pick<Tokens.Code, 'raw'> &
  Partial<Pick<Tokens.Code, 'text' | 'lang'>> & { readonly type: string; readonly open?: boolean };

/** Colors complete code blocks when there is time. */
export interface CodeHighlighter {
  complete(block: CodeBlock): void;
  /** Drops a block that changed or went away. */
  forget(block: CodeBlock): void;
}

type Command =
  ('copy' | 'insert' | 'new-file' | 'apply' | 'diff' | 'wrap') | ('copy-csv' | 'copy-markdown');

const blocks = new WeakMap<Node, CodeBlock>();

/** Returns the code block whose element is the node. */
export function codeBlockOf(node: Node | null): CodeBlock | undefined {
  return node === null ? undefined : blocks.get(node);
}

/** A code block with a header of its language and buttons, empty at first. Its code is split into pieces of whole lines. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #strings: PageStrings;
  readonly #highlighter: CodeHighlighter;
  readonly #code = h('code');
  /** The beginning of the first word after the fence, or empty. The browser takes quadratic time for a long line. */
  language = '';
  /** The code without its final line feed. */
  text = '';
  /** The number of hidden characters in the header. */
  #hidden = 0;

  constructor(strings: PageStrings, highlighter: CodeHighlighter) {
    this.#strings = strings;
    this.#highlighter = highlighter;
    const code = h('pre', { tabindex: '0' }, this.#code);
    this.element = h('div', { class: 'code-block', role: 'group' }, header(strings), code);
    blocks.set(this.element, this);
  }

  get pieces(): readonly HTMLElement[] {
    return [...this.#code.querySelectorAll<HTMLElement>('.piece')];
  }

  update({ type, raw, text = raw.trimEnd(), lang = '', open = false }: CodeToken): void {
    this.language = /^\S{0,64}/.exec(lang)?.[0] ?? '';
    this.#showLanguage(type === 'plain');
    const code = open ? text : text.replace(/\n$/, '');
    if (!code.startsWith(this.text)) {
      this.#code.replaceChildren();
      this.text = '';
      this.#showHidden();
    }
    const added = code.slice(this.text.length);
    this.append(added);
    // In a list, code that grows is not `open`.
    if (open || added !== '') this.#highlighter.forget(this);
    if (!open) this.#highlighter.complete(this);
  }

  append(code: string): void {
    this.text += code;
    appendInPieces(this.#code, code, (piece) => {
      piece.removeAttribute('data-colored');
      markHidden(piece);
      this.#showHidden();
    });
  }

  #showHidden(): void {
    const total = this.#code.getElementsByClassName('hidden-character').length;
    // This runs for each new piece of text, and most blocks have no hidden characters.
    if (total === this.#hidden) return;
    this.#hidden = total;
    const { oneHidden, someHidden } = this.#strings;
    this.element.querySelector('.code-hidden')?.remove();
    if (total === 0) return;
    const text = total === 1 ? oneHidden : formatMessage(someHidden, total);
    this.element
      .querySelector('.code-language')
      ?.after(h('span', { class: 'code-hidden', title: text }, icon('warning'), text));
  }

  /** @param isPlain whether the block has too much markup to be drawn. See parse/bounds.ts */
  #showLanguage(isPlain: boolean): void {
    const { language } = this;
    const { codeBlock, plainText, tooMuchMarkup } = this.#strings;
    const reason = isPlain ? tooMuchMarkup : undefined;
    const label = reason ?? (language === '' ? plainText : language);
    setAttribute(this.element, 'aria-label', reason ?? formatMessage(codeBlock, label));
    const name = this.element.querySelector('.code-language');
    if (name !== null) setText(name, label);
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

/** Appends text to an element of pieces. Calls back for each piece that gets some of it. */
export function appendInPieces(
  element: Element,
  text: string,
  handleGrown: (piece: Element) => void = () => undefined,
): void {
  for (let rest = text; rest !== '';) {
    const piece = element.lastElementChild;
    const room = piece === null ? 0 : roomAfter(piece.textContent, rest);
    if (piece === null || room === 0) element.append(h('span', { class: 'piece' }));
    else {
      const last = piece.lastChild;
      if (last instanceof Text) last.appendData(rest.slice(0, room));
      else piece.append(rest.slice(0, room));
      handleGrown(piece);
    }
    rest = rest.slice(room);
  }
}

/** Returns how many characters of `code` belong to the same piece as the `text` before them. */
function roomAfter(text: string, code: string): number {
  let lines = text.split('\n').length - 1;
  let room = 0;
  for (const [line] of code.matchAll(/[^\n]*(?:\n|$)/g)) {
    const length = text.length + room;
    const isLineStart = room > 0 || text.endsWith('\n');
    if (isLineStart && (lines >= PIECE_SIZE.lines || length >= PIECE_SIZE.characters)) break;
    const most = MAX_PIECE_CHARACTERS - length;
    if (line.length > most) return startOfCharacter(code, room + most);
    room += line.length;
    lines++;
  }
  return room;
}

/** The header without a language, to be cloned. Building each header takes longer, and a reply may have hundreds. */
let template: HTMLElement | undefined;

function header(strings: PageStrings): Node {
  template ??= h(
    'div',
    { class: 'code-header' },
    h('span', { class: 'code-language' }),
    h(
      'span',
      { class: 'code-actions', role: 'toolbar', 'aria-label': strings.codeActions },
      commandButton('wrap', 'word-wrap', strings.wrapLines),
      commandButton('insert', 'insert', strings.insertAtCursor),
      commandButton('new-file', 'new-file', strings.newFile),
      commandButton('copy', 'copy', strings.copyCode, 'tabStop'),
    ),
  );
  return template.cloneNode(true);
}

/** @param reach Tab reaches one button of a toolbar, and the arrow keys the others */
export function commandButton(
  command: Command,
  symbol: string,
  label: string,
  reach: 'tabStop' | 'arrows' = 'arrows',
): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'icon-button',
      type: 'button',
      tabindex: reach === 'tabStop' ? 0 : -1,
      'data-command': command,
      'aria-label': label,
      title: label,
      'aria-pressed': command === 'wrap' ? 'false' : undefined,
    },
    icon(symbol),
  );
}

/** Runs the command of a button in a code block's header. */
export function runCodeCommand(button: HTMLElement, post: Post, copied: () => void): void {
  const block = codeBlockOf(button.closest('.code-block'));
  if (block === undefined) return;
  const { text: code, element } = block;
  const commands: Partial<Record<Command, () => void>> = {
    copy: () => {
      post('copy', { text: code });
      // The host asks about hidden characters before it copies.
      if (hiddenCharacters(code).length === 0) copied();
    },
    insert: () => post('insertAtCursor', { code }),
    'new-file': () => post('newFile', { code, language: block.language }),
    diff: () => post('openDiff', { diff: code }),
    apply: () => post('applyDiff', { diff: code }),
    wrap: () => button.setAttribute('aria-pressed', String(element.classList.toggle('wrapped'))),
  };
  commands[button.dataset['command'] as Command]?.();
}

/** Makes the hidden characters of an element visible by marks that show their numbers. The text stays the same. */
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
