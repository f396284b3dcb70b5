import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { Accounts } from '../accounts/account.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { HostParts } from '../parts.ts';
import { InternDecorations } from './decorations.ts';
import { InternsTree, type InternsTreePorts, type TreeSummary } from './internsTree.ts';
import type { InternsNode } from './rows.ts';

/** Keys of the view's layout in the workspace's state, and of the context that menus read. */
const GROUPED_KEY = 'interns.grouped';
const ARCHIVED_KEY = 'interns.archivedShown';

interface InternsViewPorts
  extends InternsTreePorts, Pick<HostParts, 'contextKeys' | 'refreshTriggers' | 'badge'> {
  readonly accounts: Accounts;
  readonly layout: vscode.Memento;
}

/** The Interns view in the side bar. */
export class InternsView extends DisposableBase {
  readonly #ports: InternsViewPorts;
  readonly #tree: InternsTree;
  readonly #view: vscode.TreeView<InternsNode>;
  readonly #decorations: InternDecorations;

  constructor(ports: InternsViewPorts) {
    super();
    this.#ports = ports;
    const isGrouped = ports.layout.get(GROUPED_KEY) === true;
    const showsArchived = ports.layout.get(ARCHIVED_KEY) === true;
    this.#tree = this.own(new InternsTree(ports, { isGrouped, showsArchived }));
    this.#decorations = this.own(new InternDecorations());
    this.#view = this.own(
      vscode.window.createTreeView<InternsNode>('interns.interns', {
        treeDataProvider: this.#tree,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    ports.refreshTriggers.add(this.#view);
    this.own(ports.badge.onDidChange((badge) => (this.#view.badge = badge)));
    this.own(ports.interns.onDidAdd(() => this.#setHasInterns()));
    this.own(this.#tree.onDidDraw((summary) => this.#handleDraw(summary)));
    ports.contextKeys.set(GROUPED_KEY, isGrouped);
    ports.contextKeys.set(ARCHIVED_KEY, showsArchived);
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
    this.#tree.setLayout({ isGrouped });
    this.#ports.contextKeys.set(GROUPED_KEY, isGrouped);
    await this.#ports.layout.update(GROUPED_KEY, isGrouped);
  }

  /** Lists archived conversations too, or leaves them out; remembered for the workspace. */
  async showArchived(showsArchived: boolean): Promise<void> {
    this.#tree.setLayout({ showsArchived });
    this.#ports.contextKeys.set(ARCHIVED_KEY, showsArchived);
    await this.#ports.layout.update(ARCHIVED_KEY, showsArchived);
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
    this.own(drawn);
  }

  #setHasInterns(): void {
    this.#ports.contextKeys.set('interns.hasInterns', true);
  }

  #handleDraw({ shown, total, marks }: TreeSummary): void {
    const { filter } = this.#tree;
    this.#decorations.update(marks);
    if (total > 0) this.#setHasInterns();
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
