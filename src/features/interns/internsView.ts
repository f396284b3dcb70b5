import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Accounts, AccountServices } from '../accounts/account.ts';
import { InternsTree, type InternMark, type InternsTreePorts } from './internsTree.ts';
import { RowDecorations } from './rowDecorations.ts';
import type { InternsNode } from './rows.ts';

interface InternsViewPorts
  extends InternsTreePorts, Pick<AccountServices, 'contextKeys' | 'refreshTriggers'> {
  readonly accounts: Accounts;
}

/** The Interns view in the side bar. */
export class InternsView extends DisposableBase {
  readonly #ports: InternsViewPorts;
  readonly #tree: InternsTree;
  readonly #view: vscode.TreeView<InternsNode>;
  readonly #decorations: RowDecorations<InternMark>;

  constructor(ports: InternsViewPorts) {
    super();
    this.#ports = ports;
    const { contextKeys } = ports;
    this.#tree = this.own(new InternsTree(ports));
    this.#decorations = this.own(new RowDecorations(decorationOf));
    this.#view = this.own(
      vscode.window.createTreeView<InternsNode>('interns.interns', {
        treeDataProvider: this.#tree,
        canSelectMany: true,
      }),
    );
    ports.refreshTriggers.add(this.#view);
    this.own(ports.interns.onDidAdd(() => contextKeys.set('interns.hasInterns', true)));
    this.own(this.#tree.onDidDraw((marks) => this.#handleDraw(marks)));
  }

  /** Selects an intern's row if the view is open, as soon as it shows the row. */
  reveal(internId: string): void {
    if (!this.#view.visible || this.#select(internId)) return;
    const drawn = this.#tree.onDidDraw(() => {
      drawn.dispose();
      this.#select(internId);
    });
    this.own(drawn);
  }

  /** Returns whether there is such a row. */
  #select(internId: string): boolean {
    const node = this.#tree.find(internId);
    if (node !== undefined) void this.#view.reveal(node, { select: true, focus: false });
    return node !== undefined;
  }

  #handleDraw(marks: ReadonlyMap<string, InternMark>): void {
    this.#decorations.update(marks);
    if (!this.#tree.isEmpty) this.#ports.contextKeys.set('interns.hasInterns', true);
    this.#view.description = plainLine(this.#ports.accounts.active?.record.label ?? '', 60);
  }
}

function decorationOf(mark: InternMark): vscode.FileDecoration {
  const { l10n, FileDecoration, ThemeColor } = vscode;
  return mark === 'waiting'
    ? new FileDecoration(
        '?',
        l10n.t('A question is waiting for you'),
        new ThemeColor('list.warningForeground'),
      )
    : new FileDecoration('!', l10n.t('Failed'), new ThemeColor('list.errorForeground'));
}
