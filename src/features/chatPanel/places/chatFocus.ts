import type { ContextKeys } from '../../../platform/contextKeys.ts';

/** A tab, as far as its focus is told. */
interface Tab {
  readonly active: boolean;
}

/**
 * Tells VS Code whether the keyboard focus is in a chat, so that keys of the chat belong to it only then. The page says
 * it; a page that died, or whose word is late, is not believed where another editor is the active one. (Views are
 * left out by the keys themselves, see package.json: VS Code knows at once when one has the focus.)
 */
export class ChatFocus {
  readonly #contextKeys: ContextKeys;
  #focused: Tab | undefined;

  constructor(contextKeys: ContextKeys) {
    this.#contextKeys = contextKeys;
    // An extension host that died may have left it set.
    this.update();
  }

  /** The page in a tab has got the focus or lost it. */
  set(tab: Tab, focused: boolean): void {
    if (focused) this.#focused = tab;
    else if (this.#focused === tab) this.#focused = undefined;
    this.update();
  }

  /** Another tab may be the active one. */
  update(): void {
    this.#contextKeys.set('interns.chatFocused', this.#focused?.active === true);
  }
}
