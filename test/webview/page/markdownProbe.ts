/** Lets tests call the Markdown view inside the browser. See ../markdownProbe.ts. */
import { Marked } from 'marked';
import type { PageStrings } from '../../../src/protocol/strings.ts';
import { FileLinks } from '../../../src/webview/fileLinks.ts';
import { MarkdownView } from '../../../src/webview/markdown/markdownView.ts';
import { loadSanitizer } from '../../../src/webview/markdown/draw/rawHtml.ts';

const noHighlighter = { complete: () => undefined, forget: () => undefined };
const noFiles = new FileLinks(() => undefined);

/** Unlike GitHub, a single tilde strikes out nothing. */
const marked = new Marked({
  tokenizer: { del: (src) => (src.startsWith('~~') ? false : undefined) },
});

export interface MarkdownProbe {
  /** Returns the visible text after each piece, before the end is known. */
  frames(pieces: readonly string[]): string[];
  /**
   * Returns the cuts of `text` into two pieces whose final nodes differ from a full render's, and -1 if the text differs
   * when it comes character by character.
   */
  wrongCuts(text: string): number[];
  /** Returns a full render and marked's own HTML, reduced to what must be equal. */
  besideMarked(text: string): { readonly ours: string; readonly theirs: string };
}

export async function createProbe(strings: PageStrings): Promise<MarkdownProbe> {
  await loadSanitizer();
  const view = (): MarkdownView => new MarkdownView(strings, noHighlighter, noFiles);
  const grow = (drawn: MarkdownView, piece: string): void => {
    drawn.append(piece);
    drawn.draw(Infinity);
  };
  const complete = (drawn: MarkdownView): HTMLElement => {
    drawn.complete();
    drawn.draw(Infinity);
    return drawn.element;
  };
  /** Formulas are drawn when there is time, from the sources that are compared. */
  const isSame = (one: Element, other: Element): boolean => {
    for (const formula of [one, other].flatMap((each) => [...each.querySelectorAll('.math')]))
      formula.replaceChildren(formula.firstElementChild?.textContent ?? formula.textContent);
    return one.isEqualNode(other);
  };
  const streamed = (pieces: readonly string[]): HTMLElement => {
    const drawn = view();
    for (const piece of pieces) grow(drawn, piece);
    return complete(drawn);
  };
  const full = (text: string): HTMLElement => {
    const drawn = view();
    drawn.append(text);
    return complete(drawn);
  };
  return {
    frames: (pieces) => {
      const drawn = view();
      document.body.replaceChildren(drawn.element);
      return pieces.map((piece) => {
        grow(drawn, piece);
        return drawn.element.innerText;
      });
    },
    wrongCuts: (text) => {
      const wanted = full(text);
      const wrong: number[] = [];
      for (let cut = 1; cut < text.length; cut++)
        if (!isSame(streamed([text.slice(0, cut), text.slice(cut)]), wanted)) wrong.push(cut);
      if (!isSame(streamed(Array.from(text)), wanted)) wrong.push(-1);
      return wrong;
    },
    besideMarked: (text) => ({
      ours: plain(full(text).innerHTML),
      theirs: plain(marked.parse(text, { async: false })),
    }),
  };
}

/** The structure and text of HTML, without what our page adds to it: headers, groups, tooltips, names. */
function plain(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const added of body.querySelectorAll('.code-header, .table-actions')) added.remove();
  for (const wrapper of body.querySelectorAll(
    '.block-group, .code-block, .piece, .table-block, .table, .html',
  ))
    wrapper.replaceWith(...wrapper.childNodes);
  for (const link of body.querySelectorAll('code > a, a:not([href], [data-path])'))
    link.replaceWith(...link.childNodes);
  for (const box of body.querySelectorAll('input')) box.replaceWith('[task]');
  for (const box of body.querySelectorAll('.task')) box.replaceWith('[task] ');
  for (const element of body.querySelectorAll('*')) simplify(element);
  body.normalize();
  // The line feed that ends a code block is not shown.
  for (const code of body.querySelectorAll('pre > code'))
    code.textContent = code.textContent.replace(/\n$/, '');
  return body.innerHTML
    .replace(/\s+/g, ' ')
    .replace(
      / ?(<\/?(?:p|li|ul|ol|pre|table|thead|tbody|tr|t[hd]|blockquote|h\d|hr|details|summary|div)\b[^>]*>) ?/g,
      '$1',
    )
    .trim();
}

function simplify(element: Element): void {
  const align = element.getAttribute('align');
  const href = element.getAttribute('href') ?? element.getAttribute('data-path');
  const start = element.getAttribute('start');
  for (const { name } of [...element.attributes]) element.removeAttribute(name);
  if (align !== null) element.setAttribute('align', align);
  if (start !== null) element.setAttribute('start', start);
  if (href !== null)
    element.setAttribute('href', decodeURI(new URL(href, 'https://base.test/').href));
}

declare global {
  interface Window {
    createProbe: typeof createProbe;
  }
}
window.createProbe = createProbe;
