import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

/**
 * Tells when the user turns to this window, or to a view of this extension: what another window changed unseen is
 * looked for then.
 */
export class RefreshTriggers implements Disposable {
  readonly #store = new DisposableStore();
  readonly #triggered = this.#store.add(new Emitter<void>());

  readonly onDidTrigger = this.#triggered.event;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#triggered.fire();
      }),
    );
  }

  /** Counts the moments in which a view is shown. */
  add(view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>): void {
    this.#store.add(
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.#triggered.fire();
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
