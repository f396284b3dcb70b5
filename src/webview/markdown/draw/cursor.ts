import { setAttribute } from '../../dom.ts';

export type Attributes = Readonly<Record<string, string>>;

/** The sources of nodes that are more than an element: code blocks, sanitized HTML, paths, formulas, toolbars. */
const sources = new WeakMap<Node, string>();

/**
 * Draws the children of an element in order, over those that it already has. What is the same stays and text grows in
 * place, so that a selection or the focus in it stays.
 */
export class Cursor {
  readonly #parent: Node;
  /** The next node to draw over; null at the end. */
  #node: ChildNode | null;
  /** Text that is not drawn yet. It becomes one node with the text that follows. */
  #text = '';

  /** Puts a new element into the page. */
  readonly #ended: (() => void) | undefined;

  constructor(parent: Node, from: ChildNode | null = parent.firstChild, ended?: () => void) {
    this.#parent = parent;
    this.#node = from;
    this.#ended = ended;
  }

  text(text: string): void {
    this.#text += text;
  }

  element(tag: string, attributes: Attributes, draw?: (inside: Cursor) => void): void {
    const inside = this.enter(tag, attributes);
    draw?.(inside);
    inside.end();
  }

  /**
   * Draws an element and returns a cursor for its children, which must be ended before this one goes on. A new element
   * comes into the page with its children: one by one, the browser would find out the direction of each text again.
   */
  enter(tag: string, attributes: Attributes): Cursor {
    this.#drawText();
    const old = this.#node;
    if (old instanceof Element && old.localName === tag && !sources.has(old)) {
      changeAttributes(old, attributes);
      this.#node = old.nextSibling;
      return new Cursor(old);
    }
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return new Cursor(element, null, () => this.#put(element));
  }

  /**
   * Draws a node that is more than an element.
   *
   * @param keeps whether the node that was drawn here can stay; by default if it has the same source
   */
  special(
    source: string,
    create: () => HTMLElement,
    keeps = (node: Node): boolean => sources.get(node) === source,
  ): void {
    this.#drawText();
    if (this.#node !== null && keeps(this.#node)) {
      this.#node = this.#node.nextSibling;
      return;
    }
    const created = create();
    sources.set(created, source);
    this.#put(created);
  }

  /** Removes what is left of the children that were there: all are drawn. */
  end(): void {
    this.#drawText();
    while (this.#node !== null) {
      const gone = this.#node;
      this.#node = gone.nextSibling;
      gone.remove();
    }
    this.#ended?.();
  }

  #drawText(): void {
    const text = this.#text;
    if (text === '') return;
    this.#text = '';
    if (this.#node instanceof Text) {
      setText(this.#node, text);
      this.#node = this.#node.nextSibling;
    } else this.#put(document.createTextNode(text));
  }

  #put(node: ChildNode): void {
    const old = this.#node;
    if (old === null) this.#parent.appendChild(node);
    else {
      old.replaceWith(node);
      this.#node = node.nextSibling;
    }
  }
}

function setText(node: Text, text: string): void {
  const before = node.data;
  if (before === text) return;
  if (text.startsWith(before)) node.appendData(text.slice(before.length));
  else if (before.startsWith(text)) node.deleteData(text.length, before.length - text.length);
  else node.data = text;
}

function changeAttributes(element: Element, attributes: Attributes): void {
  // The reader opens and closes what can be folded.
  for (const name of element.getAttributeNames())
    if (!(name in attributes) && name !== 'open') element.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
}
