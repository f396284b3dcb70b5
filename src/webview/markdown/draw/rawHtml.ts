import type { PageStrings } from '../../../protocol/strings.ts';

let sanitize: ((html: string, strings: PageStrings) => Node | string) | undefined;
let loading: Promise<void> | undefined;
/** Elements that show HTML as text until the sanitizer is loaded, and the functions that draw it. */
const waiting = new Map<HTMLElement, () => void>();

/** Loads the sanitizer, which is a separate bundle because few replies need it. */
export function loadSanitizer(): Promise<void> {
  return (loading ??= import('./sanitize.ts').then(
    (bundle) => {
      sanitize = bundle.sanitize;
    },
    () => {
      sanitize = (html) => html;
    },
  ));
}

/** Shows raw HTML in an element, as text until the sanitizer is loaded, or if that fails. */
export function fillWithHtml(
  element: HTMLElement,
  html: string,
  strings: PageStrings,
): HTMLElement {
  element.replaceChildren(sanitize?.(html, strings) ?? html);
  if (sanitize === undefined) {
    waiting.set(element, () => fillWithHtml(element, html, strings));
    void loadSanitizer();
  }
  return element;
}

/** Draws the waiting HTML once the sanitizer is loaded. Returns whether some in `view` still waits. */
export function drawWaitingHtml(view: Element): boolean {
  if (sanitize === undefined) return [...waiting.keys()].some((each) => view.contains(each));
  for (const draw of waiting.values()) draw();
  waiting.clear();
  return false;
}
