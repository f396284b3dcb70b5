/**
 * The members of an element that functions running inside a page use. The DOM's own types would apply to the whole
 * program, and so to layers that must not know the DOM.
 */
export interface PageElement {
  readonly textContent: string | null;
  readonly value?: string;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  focus(): void;
}
