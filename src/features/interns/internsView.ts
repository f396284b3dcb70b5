import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Accounts, AccountServices } from '../accounts/account.ts';
import type { ContainerBadge } from './containerBadge.ts';
import { InternsTree, type InternsTreePorts, type TreeLayout } from './internsTree.ts';
import { ROW_SCHEME, type InternsNode, type Mark } from './rows.ts';

/** Keys of the layout in the workspace's state, and of the context that menus read. */
const LAYOUT_KEYS = {
  isGrouped: 'interns.grouped',
  showsArchived: 'interns.archivedShown',
} as const;

interface InternsViewPorts
  extends InternsTreePorts, Pick<AccountServices, 'contextKeys' | 'refreshTriggers'> {
  readonly accounts: Accounts;
  readonly badge: ContainerBadge;
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
    const { contextKeys, layout } = ports;
    const isGrouped = layout.get(LAYOUT_KEYS.isGrouped) === true;
    const showsArchived = layout.get(LAYOUT_KEYS.showsArchived) === true;
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
    this.own(ports.interns.onDidAdd(() => contextKeys.set('interns.hasInterns', true)));
    this.own(this.#tree.onDidDraw((marks) => this.#handleDraw(marks)));
    contextKeys.set(LAYOUT_KEYS.isGrouped, isGrouped);
    contextKeys.set(LAYOUT_KEYS.showsArchived, showsArchived);
  }

  /** Changes the layout, and saves it for the workspace. */
  async setLayout(name: keyof TreeLayout, isOn: boolean): Promise<void> {
    this.#tree.setLayout({ [name]: isOn });
    this.#ports.contextKeys.set(LAYOUT_KEYS[name], isOn);
    await this.#ports.layout.update(LAYOUT_KEYS[name], isOn);
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

  #handleDraw(marks: ReadonlyMap<string, Mark>): void {
    this.#decorations.update(marks);
    if (!this.#tree.isEmpty) this.#ports.contextKeys.set('interns.hasInterns', true);
    this.#view.description = plainLine(this.#ports.accounts.active?.record.label ?? '', 60);
  }
}

/** Marks the rows of interns and conversations that wait for an answer or have failed. */
class InternDecorations extends DisposableBase implements vscode.FileDecorationProvider {
  readonly #changed = this.own(new Emitter<vscode.Uri[]>());
  #marks: ReadonlyMap<string, Mark> = new Map();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor() {
    super();
    this.own(vscode.window.registerFileDecorationProvider(this));
  }

  /** Replaces all marks, which are by the text of a row's resource. */
  update(marks: ReadonlyMap<string, Mark>): void {
    const before = this.#marks;
    this.#marks = marks;
    const changed = [...new Set([...before.keys(), ...marks.keys()])].filter(
      (resource) => before.get(resource) !== marks.get(resource),
    );
    if (changed.length > 0)
      this.#changed.fire(changed.map((resource) => vscode.Uri.parse(resource)));
  }

  provideFileDecoration(resource: vscode.Uri): vscode.FileDecoration | undefined {
    const mark = resource.scheme === ROW_SCHEME ? this.#marks.get(resource.toString()) : undefined;
    if (mark === undefined) return undefined;
    const { l10n, FileDecoration, ThemeColor } = vscode;
    return mark === 'waiting'
      ? new FileDecoration(
          '?',
          l10n.t('A question is waiting for you'),
          new ThemeColor('list.warningForeground'),
        )
      : new FileDecoration('!', l10n.t('Failed'), new ThemeColor('list.errorForeground'));
  }
}
