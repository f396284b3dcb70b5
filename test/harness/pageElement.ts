/**
 * What the harness's functions that run inside a page use of an element there. The DOM's own types would come into the
 * whole program, and with them into the layers that must not know the DOM.
 */
export interface PageElement {
  readonly textContent: string | null;
  /** Of an input. */
  readonly value?: string;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
