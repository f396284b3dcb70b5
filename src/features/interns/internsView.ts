import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Accounts } from '../accounts/account.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import type { RefreshTriggers } from '../../platform/refreshTriggers.ts';
import type { ContainerBadge } from './containerBadge.ts';
import { InternsTree, type InternsTreePorts } from './internsTree.ts';
import { ROW_SCHEME, type InternsNode, type Mark } from './rows.ts';

/** Keys of the view's layout in the workspace's state, and of the context that menus read. */
const GROUPED_KEY = 'interns.grouped';
const ARCHIVED_KEY = 'interns.archivedShown';

interface InternsViewPorts extends InternsTreePorts {
  readonly contextKeys: ContextKeys;
  readonly refreshTriggers: RefreshTriggers;
  readonly badge: ContainerBadge;
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
    this.own(ports.interns.onDidAdd(() => ports.contextKeys.set('interns.hasInterns', true)));
    this.own(this.#tree.onDidDraw((marks) => this.#handleDraw(marks)));
    ports.contextKeys.set(GROUPED_KEY, isGrouped);
    ports.contextKeys.set(ARCHIVED_KEY, showsArchived);
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

  #handleDraw(marks: ReadonlyMap<string, Mark>): void {
    this.#decorations.update(marks);
    if (!this.#tree.isEmpty) this.#ports.contextKeys.set('interns.hasInterns', true);
    this.#view.description = plainLine(this.#ports.accounts.active?.record.label ?? '', 60);
  }
}

/** Marks interns and conversations that wait for an answer or have failed, by a badge and a color. */
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
          l10n.t('A question waits for you'),
          new ThemeColor('list.warningForeground'),
        )
      : new FileDecoration('!', l10n.t('Failed'), new ThemeColor('list.errorForeground'));
  }
}
