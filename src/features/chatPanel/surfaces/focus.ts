import { TextEditorSelectionChangeKind as Kind, window } from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import type { ContextKeys } from '../../../platform/contextKeys.ts';

/**
 * Sets the context key by which keys of the chat belong to it only while it has the keyboard focus. The page reports
 * the focus; the report of a page that died, or comes late, does not count while another editor is the active one.
 * (Views are left out by the keys themselves, see package.json: VS Code knows at once when one has the focus.)
 */
export class ChatFocus {
  readonly #contextKeys: ContextKeys;
  #focused: { readonly active: boolean } | undefined;

  constructor(contextKeys: ContextKeys) {
    this.#contextKeys = contextKeys;
    // An extension host that died may have left it set.
    this.update();
  }

  /** The page on a surface has got the focus or lost it. */
  set(surface: { readonly active: boolean }, focused: boolean): void {
    if (focused) this.#focused = surface;
    else if (this.#focused === surface) this.#focused = undefined;
    this.update();
  }

  /** Another surface may be the active one. */
  update(): void {
    this.#contextKeys.set('interns.chatFocused', this.#focused?.active === true);
  }
}

/** How long no dialog may be open before the focus goes back, in ms: one may follow another. */
const BETWEEN_DIALOGS_MS = 100;

export interface FocusRestorerOptions {
  readonly dialogs: { readonly isOpen: boolean; readonly onDidChange: Event<void> };
  readonly clock: Clock;
  readonly giveBack: () => void;
}

/**
 * Gives the focus back to the side bar's page once the dialogs that took it are closed. VS Code does so for the page of
 * an editor, and not for that of a view.
 */
export class FocusRestorer extends DisposableBase {
  readonly #options: FocusRestorerOptions;
  /** A dialog has taken the focus from the page. */
  #isTaken = false;
  #timer: Disposable | undefined;

  constructor(options: FocusRestorerOptions) {
    super();
    this.#options = options;
    this.own(options.dialogs.onDidChange(() => this.#dialogsChanged()));
    this.own({ dispose: () => this.#timer?.dispose() });
    // The user is at work elsewhere: the focus stays there.
    this.own(window.onDidChangeActiveTextEditor(() => (this.#isTaken = false)));
    this.own(
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Kind.Keyboard || kind === Kind.Mouse) this.#isTaken = false;
      }),
    );
  }

  /** The page has got the focus, or lost it: to a dialog, if one is open then. */
  set(focused: boolean): void {
    this.#isTaken = !focused && (this.#isTaken || this.#options.dialogs.isOpen);
  }

  #dialogsChanged(): void {
    const { dialogs, clock, giveBack } = this.#options;
    this.#timer?.dispose();
    if (dialogs.isOpen) return;
    this.#timer = clock.setTimeout(() => {
      if (this.#isTaken) giveBack();
      this.#isTaken = false;
    }, BETWEEN_DIALOGS_MS);
  }
}
