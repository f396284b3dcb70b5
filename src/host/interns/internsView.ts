import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Accounts } from '../auth/account.ts';
import type { ContextKeys } from '../contextKeys.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { Glances } from '../glances.ts';
import { formatNumber } from '../words/format.ts';
import { InternDecorations } from './decorations.ts';
import { InternsTree, type InternsTreePorts, type TreeSummary } from './internsTree.ts';
import type { InternsNode } from './nodes.ts';

/** Key of the view's layout in the workspace's state. */
const GROUPED_KEY = 'interns.grouped';

/** What the view is built from. */
export interface InternsViewPorts extends InternsTreePorts {
  readonly accounts: Accounts;
  readonly contextKeys: ContextKeys;
  readonly glances: Glances;
  readonly layout: vscode.Memento;
}

/** The Interns view in the side bar. */
export class InternsView implements Disposable {
  readonly #ports: InternsViewPorts;
  readonly #store = new DisposableStore();
  readonly #tree: InternsTree;
  readonly #view: vscode.TreeView<InternsNode>;
  readonly #decorations: InternDecorations;

  constructor(ports: InternsViewPorts) {
    this.#ports = ports;
    const isGrouped = ports.layout.get(GROUPED_KEY) === true;
    this.#tree = this.#store.add(new InternsTree(ports, isGrouped));
    this.#decorations = this.#store.add(new InternDecorations());
    this.#view = this.#store.add(
      vscode.window.createTreeView<InternsNode>('interns.interns', {
        treeDataProvider: this.#tree,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    ports.glances.add(this.#view);
    this.#store.add(ports.interns.onDidKeep(() => this.#hasInterns()));
    this.#store.add(this.#tree.onDidDraw((summary) => this.#drawn(summary)));
    ports.contextKeys.set('interns.grouped', isGrouped);
  }

  get filter(): string {
    return this.#tree.filter;
  }

  /** Shows matching interns only; all where the text is empty. */
  set filter(filter: string) {
    this.#tree.filter = filter;
    this.#ports.contextKeys.set('interns.filtered', this.#tree.filter !== '');
  }

  /** Groups the interns by status, or lists them in one row after the other; remembered for the workspace. */
  async group(isGrouped: boolean): Promise<void> {
    this.#tree.isGrouped = isGrouped;
    this.#ports.contextKeys.set('interns.grouped', isGrouped);
    await this.#ports.layout.update(GROUPED_KEY, isGrouped);
  }

  /** Selects an intern's row if the view is open, as soon as it shows the row. */
  reveal(internId: string): void {
    if (!this.#view.visible) return;
    const node = this.#tree.find(internId);
    if (node !== undefined) {
      void this.#view.reveal(node, { select: true, focus: false });
      return;
    }
    const drawn = this.#tree.onDidDraw(() => {
      drawn.dispose();
      const added = this.#tree.find(internId);
      if (added !== undefined) void this.#view.reveal(added, { select: true, focus: false });
    });
    this.#store.add(drawn);
  }

  /** Sets or clears the number on the icon of the view's container. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.#view.badge = badge;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #hasInterns(): void {
    this.#ports.contextKeys.set('interns.hasInterns', true);
  }

  #drawn({ shown, total, marks }: TreeSummary): void {
    const { filter } = this.#tree;
    this.#decorations.update(marks);
    if (total > 0) this.#hasInterns();
    this.#ports.contextKeys.set('interns.noMatch', total > 0 && shown === 0);
    this.#view.message =
      filter === '' || shown === 0
        ? ''
        : vscode.l10n.t(
            '{0} of {1} interns match “{2}”',
            formatNumber(shown),
            formatNumber(total),
            plainLine(filter, 40),
          );
    this.#view.description = plainLine(this.#ports.accounts.active?.record.label ?? '', 60);
  }
}
