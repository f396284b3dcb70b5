import type { PageStrings } from '../../../protocol/strings.ts';

let loaded: typeof import('./sanitize.ts').sanitize | undefined;
let loading: Promise<void> | undefined;

/** Loads the sanitizer, which is a separate bundle because few replies need it. */
export function loadSanitizer(): Promise<void> {
  return (loading ??= import('./sanitize.ts').then(
    ({ sanitize }) => {
      loaded = sanitize;
    },
    () => {
      loaded = textOf;
    },
  ));
}

/** Shows raw HTML, as text until the sanitizer is loaded, or if that fails. */
export class RawHtml {
  readonly #strings: Pick<PageStrings, 'imageNotShown'>;
  #waiting: (readonly [element: Element, html: string])[] = [];

  constructor(strings: Pick<PageStrings, 'imageNotShown'>) {
    this.#strings = strings;
  }

  fill(element: HTMLElement, html: string): HTMLElement {
    element.replaceChildren((loaded ?? textOf)(html, this.#strings));
    if (loaded === undefined) {
      this.#waiting.push([element, html]);
      void loadSanitizer();
    }
    return element;
  }

  /** Draws the waiting HTML once the sanitizer is loaded. Returns whether some still waits. */
  draw(): boolean {
    if (loaded === undefined) return this.#waiting.length > 0;
    for (const [element, html] of this.#waiting.splice(0))
      element.replaceChildren(loaded(html, this.#strings));
    return false;
  }
}

function textOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(html);
  return fragment;
}
