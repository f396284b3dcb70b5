type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Makes an element. `true` sets an attribute without a value; `false` and `undefined` leave it out. Text children
 * become text nodes, never markup.
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

/** A codicon, hidden from assistive technology: what it stands for is said by the element around it. */
export function icon(name: string): HTMLSpanElement {
  return h('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

/** A button that shows only an icon; `label` is its accessible name and its tooltip. */
export function iconButton(name: string, label: string, onClick: () => void): HTMLButtonElement {
  const button = h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label, title: label },
    icon(name),
  );
  button.addEventListener('click', onClick);
  return button;
}

/** A button with a label; `primary` for the one thing that a user most likely wants. */
export function textButton(
  label: string,
  onClick: () => void,
  look: 'primary' | 'secondary' | 'link' = 'secondary',
): HTMLButtonElement {
  const button = h('button', { class: `button ${look}`, type: 'button' }, label);
  button.addEventListener('click', onClick);
  return button;
}

/**
 * Changes what stands in `container`. A button that had the focus and is gone hands it to the one in its place, anything
 * else to `otherwise`: the keyboard is never left without a place.
 */
export function keepFocus(
  container: HTMLElement,
  change: () => void,
  otherwise: { focus(): void },
): void {
  const focused = document.activeElement;
  const hadFocus = container.contains(focused);
  const place = [...container.querySelectorAll('button')].findIndex((each) => each === focused);
  change();
  if (!hadFocus || document.activeElement !== document.body) return;
  const buttons = [...container.querySelectorAll('button')];
  const next = place === -1 ? undefined : (buttons[place] ?? buttons.at(-1));
  (next ?? otherwise).focus();
}

/** Shows or hides an element; where it has the focus, `next` gets that first. */
export function setHidden(element: HTMLElement, hidden: boolean, next: { focus(): void }): void {
  if (hidden && element.contains(document.activeElement)) next.focus();
  element.hidden = hidden;
}

/**
 * Puts an element in its place, or takes it out. What is only hidden stays for a screen reader wherever the browser
 * has not drawn it yet, as in groups of messages that are out of sight.
 */
export function setPresent(element: Element, present: boolean, put: () => void): void {
  if (!present) element.remove();
  else if (element.parentNode === null) put();
}

/** Sets text only where it differs, so that a selection in it survives and no mutation is seen. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute only where it differs. */
export function setAttribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Whether Shift, Alt, Ctrl or Meta is held with a key. */
export function hasModifier({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return shiftKey || altKey || ctrlKey || metaKey;
}
