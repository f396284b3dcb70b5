import type { PageStrings } from '../../../protocol/strings.ts';

type Sanitize = typeof import('./sanitize.ts').sanitize;

let loaded: Sanitize | undefined;
let loading: Promise<void> | undefined;

/** Loads what makes nodes of raw HTML: a bundle of its own, since few replies have any. */
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

/** Raw HTML of a reply: shown as the text that it is until the sanitizer is there, and for good where that fails to load. */
export class RawHtml {
  readonly #words: Pick<PageStrings, 'imageNotShown'>;
  #waiting: (readonly [element: Element, html: string])[] = [];

  constructor(words: Pick<PageStrings, 'imageNotShown'>) {
    this.#words = words;
  }

  fill(element: HTMLElement, html: string): HTMLElement {
    element.replaceChildren((loaded ?? textOf)(html, this.#words));
    if (loaded === undefined) {
      this.#waiting.push([element, html]);
      void loadSanitizer();
    }
    return element;
  }

  /** Sanitizes what waits for that, once it can be done; returns whether something waits still. */
  draw(): boolean {
    if (loaded === undefined) return this.#waiting.length > 0;
    for (const [element, html] of this.#waiting.splice(0))
      element.replaceChildren(loaded(html, this.#words));
    return false;
  }
}

function textOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(html);
  return fragment;
}
