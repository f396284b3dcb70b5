import { TextEditorSelectionChangeKind as Kind, window } from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, type Disposable, type Event } from '../../../base/disposable.ts';
import type { ContextKeys } from '../../../platform/contextKeys.ts';

/**
 * Sets the context key of the chat's keys while a chat tab has the keyboard focus. The page reports the focus, which
 * counts only while its tab is active: a page may have died, or report late. The keys exclude views by themselves.
 */
export class ChatFocus {
  readonly #contextKeys: ContextKeys;
  #focused: { readonly active: boolean } | undefined;

  constructor(contextKeys: ContextKeys) {
    this.#contextKeys = contextKeys;
    // An extension host that died may have left it set.
    this.update();
  }

  set(surface: { readonly active: boolean }, focused: boolean): void {
    if (focused) this.#focused = surface;
    else if (this.#focused === surface) this.#focused = undefined;
    this.update();
  }

  update(): void {
    this.#contextKeys.set('interns.chatFocused', this.#focused?.active === true);
  }
}

/** Time after a dialog in which the next one may open, in ms. */
const NEXT_DIALOG_MS = 100;

export interface FocusRestorerOptions {
  readonly dialogs: { readonly isOpen: boolean; readonly onDidChange: Event<void> };
  readonly clock: Clock;
  readonly restoreFocus: () => void;
}

/** Returns the focus to the side bar's page after a dialog. VS Code does so for editors, but not for views. */
export class FocusRestorer extends DisposableBase {
  readonly #dialogs: FocusRestorerOptions['dialogs'];
  /** True if a dialog has taken the focus from the page. */
  #isTaken = false;

  constructor({ dialogs, clock, restoreFocus }: FocusRestorerOptions) {
    super();
    this.#dialogs = dialogs;
    let timer: Disposable | undefined;
    const handleDialogs = (): void => {
      timer?.dispose();
      if (dialogs.isOpen) return;
      timer = clock.setTimeout(() => {
        if (this.#isTaken) restoreFocus();
        this.#isTaken = false;
      }, NEXT_DIALOG_MS);
    };
    this.own(dialogs.onDidChange(handleDialogs));
    this.own({ dispose: () => timer?.dispose() });
    // The user went to an editor.
    this.own(window.onDidChangeActiveTextEditor(() => (this.#isTaken = false)));
    this.own(
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Kind.Keyboard || kind === Kind.Mouse) this.#isTaken = false;
      }),
    );
  }

  /** Called when the page gets or loses the focus. */
  set(focused: boolean): void {
    this.#isTaken = !focused && (this.#isTaken || this.#dialogs.isOpen);
  }
}
