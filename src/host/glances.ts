import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

/**
 * Tells when the user turns to this window, or to a view of this extension: what another window changed unseen is
 * looked for then.
 */
export class Glances implements Disposable {
  readonly #store = new DisposableStore();
  readonly #glanced = this.#store.add(new Emitter<void>());

  readonly onDidGlance = this.#glanced.event;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#glanced.fire();
      }),
    );
  }

  /** Counts the moments in which a view is shown. */
  add(view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>): void {
    this.#store.add(
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.#glanced.fire();
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
