type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates an element. `true` sets an attribute without a value; `false` and `undefined` leave it out. Strings become text
 * nodes, never markup.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** Creates a codicon, which is hidden from assistive technology. */
export function icon(name: string): HTMLSpanElement {
  return h('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

export function button(
  attributes: Attributes,
  onClick: (click: MouseEvent) => void,
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const made = h('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}

export function iconButton(name: string, label: string, onClick: () => void): HTMLButtonElement {
  const attributes = { class: 'icon-button', 'aria-label': label, title: label };
  return button(attributes, onClick, icon(name));
}

export function textButton(
  label: string,
  onClick: (click: MouseEvent) => void,
  look: 'primary' | 'secondary' | 'link' = 'secondary',
): HTMLButtonElement {
  return button({ class: `button ${look}` }, onClick, label);
}

/** Creates a text area for text of either direction. */
export function textBox(attributes: Attributes): HTMLTextAreaElement {
  const box = h('textarea', { rows: 1, dir: 'auto', ...attributes });
  // With `auto`, the browser reads the whole text again for each pasted line: a megabyte would freeze the page.
  box.addEventListener('beforeinput', ({ inputType }) => {
    if (/^(?:insertFrom|history)/.test(inputType)) box.dir = '';
  });
  box.addEventListener('input', () => setAttribute(box, 'dir', 'auto'));
  return box;
}

/** An element, and the function that draws a view in it. */
export interface Drawn<View> {
  readonly element: HTMLElement;
  readonly draw: (view: View) => void;
}

/** Returns a function that draws a view only if it differs from the last one, so that the focus in it stays. */
export function drawChanges<T>(draw: (view: T) => void): (view: T) => void {
  let drawn: string | undefined;
  return (view) => {
    const state = JSON.stringify(view);
    if (state !== drawn) draw(view);
    drawn = state;
  };
}

/**
 * Changes the contents of `container`. If the focused element is removed, the focus moves to the button in its place, else
 * to `otherwise`.
 */
export function keepFocus(
  container: HTMLElement,
  change: () => void,
  otherwise: { focus(): void },
): void {
  const focused = document.activeElement;
  const hadFocus = container.contains(focused);
  const index = [...container.querySelectorAll('button')].findIndex((each) => each === focused);
  change();
  if (!hadFocus || document.activeElement !== document.body) return;
  // An element that was moved has lost the focus.
  if (focused instanceof HTMLElement) focused.focus();
  if (document.activeElement !== document.body) return;
  const buttons = [...container.querySelectorAll('button')];
  const next = index === -1 ? undefined : (buttons[index] ?? buttons.at(-1));
  (next ?? otherwise).focus();
}

/** Shows or hides an element. If the element has the focus, the focus moves to `next` first. */
export function setHidden(element: HTMLElement, hidden: boolean, next: { focus(): void }): void {
  if (hidden && element.contains(document.activeElement)) next.focus();
  element.hidden = hidden;
}

/**
 * Inserts an element with `put`, or removes it. Hiding it is not enough: screen readers still find it in groups of
 * messages that the browser has not rendered.
 */
export function setPresent(element: Element, present: boolean, put: () => void): void {
  if (!present) element.remove();
  else if (element.parentNode === null) put();
}

/** Sets text only if it differs, so that a selection in it stays and no observer runs. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute only if it differs. */
export function setAttribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

export function hasModifier({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return shiftKey || altKey || ctrlKey || metaKey;
}
