import { setAttribute } from '../../dom.ts';

export type Attributes = Readonly<Record<string, string>>;

/** The sources of special nodes: code blocks, sanitized HTML, paths, formulas, toolbars. */
const sources = new WeakMap<Node, string>();

/**
 * Draws the children of an element in order over the existing ones. Equal nodes stay and text grows in place, so that the
 * selection and the focus stay.
 */
export class DomCursor {
  readonly #parent: Node;
  /** The next existing node, or null at the end. */
  #node: ChildNode | null;
  /** Text that is not drawn yet. Adjacent texts become one node. */
  #text = '';
  /** Called by {@link end}. Inserts the parent if it is new. */
  readonly #onEnd: (() => void) | undefined;

  constructor(parent: Node, from: ChildNode | null = parent.firstChild, onEnd?: () => void) {
    this.#parent = parent;
    this.#node = from;
    this.#onEnd = onEnd;
  }

  text(text: string): void {
    this.#text += text;
  }

  element(tag: string, attributes: Attributes, draw?: (inside: DomCursor) => void): void {
    const inside = this.enter(tag, attributes);
    draw?.(inside);
    inside.end();
  }

  /**
   * Draws an element and returns a cursor for its children, which must end before this one continues. A new element is
   * inserted with its children, because each later child would make the browser compute the text direction again.
   */
  enter(tag: string, attributes: Attributes): DomCursor {
    this.#drawText();
    const old = this.#node;
    if (old instanceof Element && old.localName === tag && !sources.has(old)) {
      changeAttributes(old, attributes);
      this.#node = old.nextSibling;
      return new DomCursor(old);
    }
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return new DomCursor(element, null, () => this.#put(element));
  }

  /** Keeps the existing node if it has the same source, else inserts a new one. Returns the node. */
  special(source: string, create: () => HTMLElement): Node {
    this.#drawText();
    const old = this.#node;
    if (old !== null && sources.get(old) === source) {
      this.#node = old.nextSibling;
      return old;
    }
    const created = create();
    sources.set(created, source);
    this.#put(created);
    return created;
  }

  /** Removes the remaining old children. */
  end(): void {
    this.#drawText();
    while (this.#node !== null) {
      const gone = this.#node;
      this.#node = gone.nextSibling;
      gone.remove();
    }
    this.#onEnd?.();
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
  // The reader controls `open`.
  for (const name of element.getAttributeNames())
    if (!(name in attributes) && name !== 'open') element.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
}
