import * as vscode from 'vscode';
import { DisposableBase } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

/**
 * Tells when the user turns to this window, or to a view of this extension: what another window changed unseen is
 * looked for then.
 */
export class RefreshTriggers extends DisposableBase {
  readonly #triggered = this.own(new Emitter<void>());

  readonly onDidTrigger = this.#triggered.event;

  constructor() {
    super();
    this.own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#triggered.fire();
      }),
    );
  }

  /** Counts the moments in which a view is shown. */
  add(view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>): void {
    this.own(
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.#triggered.fire();
      }),
    );
  }
}
