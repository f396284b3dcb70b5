import type * as vscode from 'vscode';
import { DisposableBase, type Disposable, Emitter, type Event } from '../../base/disposable.ts';
import { locale } from '../../platform/text/format.ts';
import type { Accounts } from '../accounts/account.ts';
import type { AllowedRecord } from '../accounts/records.ts';
import type { Creations } from './creations.ts';
import type { InternServices } from './internModel.ts';
import { rankInterns, type ConversationCounts, type InternNode } from './internState.ts';
import { resourceOf } from './rowDecorations.ts';
import {
  creationTreeItem,
  internTreeItem,
  internTooltip,
  type CreationNode,
  type InternsNode,
} from './rows.ts';

export type InternMark = 'waiting' | 'failed';

/** Changes within this many ms are shown together. */
const REFRESH_BATCH_MS = 50;

export interface InternsTreePorts extends Pick<InternServices, 'clock' | 'interns'> {
  readonly accounts: Pick<Accounts, 'whenLoaded'>;
  readonly creations: Creations;
  readonly conversations: ConversationCounts;
  /** The operations that were allowed always; read when a tooltip is first shown. */
  readonly allowed: { list(): Promise<readonly AllowedRecord[]> };
}

/**
 * The rows of the Interns view: interrupted creations, then the interns by rank. Nothing is read before VS Code asks for
 * rows. Changes redraw all rows at most once per {@link REFRESH_BATCH_MS}, so that thousands stay smooth.
 */
export class InternsTree extends DisposableBase implements vscode.TreeDataProvider<InternsNode> {
  readonly #ports: InternsTreePorts;
  readonly #changed = this.own(new Emitter<undefined>());
  readonly #drawn = this.own(new Emitter<ReadonlyMap<string, InternMark>>());
  #interns: ReadonlyMap<string, InternNode> = new Map();
  #refreshTimer: Disposable | undefined;

  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  /** Fires when the rows were made, with the marks of all rows by {@link resourceOf} as text. */
  readonly onDidDraw: Event<ReadonlyMap<string, InternMark>> = this.#drawn.event;

  constructor(ports: InternsTreePorts) {
    super();
    this.#ports = ports;
    const { interns, creations, conversations } = ports;
    for (const { onDidChange } of [interns, creations])
      this.own(onDidChange(() => this.#refresh()));
    this.own(conversations.onDidChange(() => this.#refresh()));
    this.own({ dispose: () => this.#refreshTimer?.dispose() });
  }

  get isEmpty(): boolean {
    return this.#interns.size === 0;
  }

  #refresh(): void {
    this.#refreshTimer ??= this.#ports.clock.setTimeout(() => {
      this.#refreshTimer = undefined;
      this.#changed.fire(undefined);
    }, REFRESH_BATCH_MS);
  }

  /** Returns the row of an intern, if it is shown. */
  find(internId: string): InternNode | undefined {
    return this.#interns.get(internId);
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
    // An empty list would show the sign-in welcome to a user who is signed in.
    await this.#ports.accounts.whenLoaded;
    const [records, interrupted] = await Promise.all([
      this.#ports.interns.list(),
      this.#ports.creations.listInterrupted(),
      // Loaded before the first drawing, since thousands of rows would be drawn again a moment later.
      this.#ports.conversations.load(),
    ]);
    const nodes = rankInterns(records, this.#ports.conversations.counts(), locale());
    this.#interns = new Map(nodes.map((node) => [node.intern, node]));
    this.#drawn.fire(new Map(nodes.flatMap(marksOf)));
    const creations = interrupted.map((record): CreationNode => {
      return { kind: 'creation', creation: record.id, record };
    });
    return [...creations, ...nodes];
  }
}

function marksOf({ intern, group }: InternNode): readonly [string, InternMark][] {
  return group === 'waiting' || group === 'failed'
    ? [[resourceOf('intern', intern).toString(), group]]
    : [];
}
