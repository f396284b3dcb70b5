import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../base/disposable.ts';

/** Fires when the window gets the focus or a view of this extension becomes visible: time to look for changes. */
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

  add(view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>): void {
    this.own(
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.#triggered.fire();
      }),
    );
  }
}
