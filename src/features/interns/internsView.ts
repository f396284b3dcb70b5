import * as vscode from 'vscode';
import { DisposableBase, Emitter, type Event } from '../../base/disposable.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { AllowedRecord } from '../accounts/records.ts';
import type { Creations } from './creations.ts';
import type { InternServices } from './internModel.ts';
import { rankInterns, type ConversationCounts, type InternNode } from './internState.ts';
import { RowDecorations } from './rowDecorations.ts';
import {
  creationTreeItem,
  internTreeItem,
  internTooltip,
  type CreationNode,
  type InternsNode,
} from './rows.ts';

interface InternsViewPorts extends Pick<
  InternServices,
  'accounts' | 'clock' | 'contextKeys' | 'interns' | 'refresh'
> {
  readonly creations: Creations;
  readonly conversations: ConversationCounts;
  /** The operations that were allowed always; read when a tooltip is first shown. */
  readonly allowed: { list(): Promise<readonly AllowedRecord[]> };
}

/**
 * The Interns view in the side bar: interrupted creations, then the interns by rank. Nothing is read before VS Code asks
 * for rows. VS Code draws all rows once for changes that follow each other within 200 ms.
 */
export class InternsView extends DisposableBase implements vscode.TreeDataProvider<InternsNode> {
  readonly #ports: InternsViewPorts;
  readonly #changed = this.own(new Emitter<undefined>());
  readonly #decorations = this.own(new RowDecorations('intern'));
  readonly #view: vscode.TreeView<InternsNode>;
  #interns: ReadonlyMap<string, InternNode> = new Map();
  /** The intern whose row is selected when the rows are next drawn. */
  #toReveal: string | undefined;

  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(ports: InternsViewPorts) {
    super();
    this.#ports = ports;
    const { interns, creations, conversations } = ports;
    const redraw = () => this.#changed.fire(undefined);
    this.own(interns.onDidChange(redraw));
    this.own(creations.onDidChange(redraw));
    this.own(conversations.onDidChange(redraw));
    const options = { treeDataProvider: this, canSelectMany: true };
    this.#view = this.own(vscode.window.createTreeView('interns.interns', options));
    this.own(this.#view.onDidChangeVisibility(({ visible }) => visible && ports.refresh.fire()));
  }

  /** Selects an intern's row if the view is open, as soon as it shows the row. */
  readonly reveal = (internId: string): void => {
    if (this.#view.visible && !this.#select(internId)) this.#toReveal = internId;
  };

  /** Selects an intern's row. Returns whether there is one. */
  #select(internId: string): boolean {
    const node = this.#interns.get(internId);
    if (node !== undefined) void this.#view.reveal(node, { select: true, focus: false });
    return node !== undefined;
  }

  getTreeItem(node: InternsNode): vscode.TreeItem {
    return node.kind === 'intern' ? internTreeItem(node) : creationTreeItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: InternsNode): Promise<vscode.TreeItem> {
    const { allowed, clock, conversations } = this.#ports;
    if (node.kind === 'intern') {
      const ofAll = await allowed.list();
      const facts = {
        allowed: ofAll.filter(({ intern }) => intern === node.intern),
        costs: await conversations.costs(node.intern),
      };
      item.tooltip = internTooltip({ ...node, ...facts }, clock.now());
    }
    return item;
  }

  /** VS Code needs it to reveal a row. */
  getParent(): undefined {
    return undefined;
  }

  async getChildren(): Promise<InternsNode[]> {
    const { accounts, contextKeys, conversations, creations, interns } = this.#ports;
    // An empty list would show the sign-in welcome to a user who is signed in.
    await accounts.whenLoaded;
    const [records, interrupted] = await Promise.all([
      interns.list(),
      creations.listInterrupted(),
      // The counts are loaded first, since thousands of rows would be drawn again a moment later.
      conversations.load(),
    ]);
    const nodes = rankInterns(records, conversations.counts());
    this.#interns = new Map(nodes.map((node) => [node.intern, node]));
    this.#decorations.update(nodes.map((node) => [node.intern, decorationOf(node)]));
    contextKeys.set('interns.hasInterns', nodes.length > 0);
    contextKeys.set('interns.noInterns', accounts.active !== undefined && nodes.length === 0);
    this.#view.description = plainLine(accounts.active?.record.label ?? '', 60);
    if (this.#toReveal !== undefined) this.#select(this.#toReveal);
    this.#toReveal = undefined;
    const rows = interrupted.map((record): CreationNode => {
      return { kind: 'creation', creation: record.id, record };
    });
    return [...rows, ...nodes];
  }
}

function decorationOf({ group }: InternNode): vscode.FileDecoration | undefined {
  const { l10n, FileDecoration, ThemeColor } = vscode;
  if (group === 'waiting')
    return new FileDecoration(
      '?',
      l10n.t('A question is waiting for you'),
      new ThemeColor('list.warningForeground'),
    );
  return group === 'failed'
    ? new FileDecoration('!', l10n.t('Failed'), new ThemeColor('list.errorForeground'))
    : undefined;
}
