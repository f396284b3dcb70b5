import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';

/** How long no dialog may be open before the focus goes back, in ms: one may follow upon another. */
const betweenMs = 100;

export interface FocusLoanOptions {
  readonly dialogs: { readonly isOpen: boolean; readonly onDidChange: Event<void> };
  readonly clock: Clock;
  readonly giveBack: () => void;
}

/**
 * Gives the focus back to the side bar's page once the dialogs are closed that took it: to the page of an editor VS Code
 * gives it back by itself, to that of a view it does not.
 */
export class FocusLoan extends DisposableBase {
  readonly #options: FocusLoanOptions;
  #isLent = false;
  #timer: Disposable | undefined;

  constructor(options: FocusLoanOptions) {
    super();
    this.#options = options;
    this.own(options.dialogs.onDidChange(() => this.#dialogsChanged()));
    this.own({ dispose: () => this.#timer?.dispose() });
  }

  /** The page has got the focus, or lost it: to a dialog, where one is open then. */
  set(focused: boolean): void {
    this.#isLent = !focused && (this.#isLent || this.#options.dialogs.isOpen);
  }

  /** The user is at work elsewhere: the focus stays there. */
  end(): void {
    this.#isLent = false;
  }

  #dialogsChanged(): void {
    const { dialogs, clock, giveBack } = this.#options;
    this.#timer?.dispose();
    if (dialogs.isOpen) return;
    this.#timer = clock.setTimeout(() => {
      if (this.#isLent) giveBack();
      this.#isLent = false;
    }, betweenMs);
  }
}
