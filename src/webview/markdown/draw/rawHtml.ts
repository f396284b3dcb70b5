import type { PageStrings } from '../../../protocol/strings.ts';

let sanitize: ((html: string, strings: PageStrings) => Node | string) | undefined;
let loading: Promise<void> | undefined;
/** Draw the HTML that is shown as text until the sanitizer is loaded. */
const waiting: (() => void)[] = [];

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
    waiting.push(() => fillWithHtml(element, html, strings));
    void loadSanitizer();
  }
  return element;
}

/** Draws the waiting HTML once the sanitizer is loaded. Returns whether some still waits. */
export function drawWaitingHtml(): boolean {
  if (sanitize !== undefined) for (const draw of waiting.splice(0)) draw();
  return waiting.length > 0;
}
