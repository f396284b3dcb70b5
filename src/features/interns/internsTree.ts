import type * as vscode from 'vscode';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Accounts } from '../accounts/account.ts';
import type { Clock } from '../../base/clock.ts';
import type { AllowedRecord } from '../accounts/records.ts';
import { locale } from '../../platform/words/format.ts';
import type { ConversationItem, ConversationSource } from './conversationSource.ts';
import type { Creations } from './creations.ts';
import type { InternModel } from './internModel.ts';
import { rankInterns } from './internState.ts';
import {
  conversationTooltip,
  grouped,
  internTooltip,
  resourceOf,
  toTreeItem,
  type ConversationNode,
  type CreationNode,
  type GroupNode,
  type InternNode,
  type InternsNode,
  type Mark,
} from './rows.ts';

/** Changes within this many milliseconds are shown together. */
const GATHER_MS = 50;

export interface InternsTreePorts {
  readonly accounts: Pick<Accounts, 'whenLoaded'>;
  readonly interns: InternModel;
  readonly creations: Creations;
  readonly conversations: ConversationSource;
  /** The operations that were allowed always; read when a tooltip is first shown. */
  readonly allowed: { list(): Promise<readonly AllowedRecord[]> };
  readonly clock: Clock;
}

interface TreeLayout {
  readonly isGrouped: boolean;
  readonly showsArchived: boolean;
}

/**
 * The rows of the Interns view: creates that were cut off, then the interns, those that need attention first, each with
 * its conversations. Nothing is read before VS Code asks for rows; whatever changes, they are made anew together and at
 * most {@link GATHER_MS} apart, so that thousands stay smooth.
 */
export class InternsTree extends DisposableBase implements vscode.TreeDataProvider<InternsNode> {
  readonly #ports: InternsTreePorts;
  readonly #changed = this.own(new Emitter<undefined>());
  readonly #drawn = this.own(new Emitter<ReadonlyMap<string, Mark>>());
  #interns: ReadonlyMap<string, InternNode> = new Map();
  #groups: readonly GroupNode[] = [];
  #layout: TreeLayout;
  #gathering: Disposable | undefined;

  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  /** The rows were made anew. Their marks are by {@link resourceOf} as text. */
  readonly onDidDraw: Event<ReadonlyMap<string, Mark>> = this.#drawn.event;

  constructor(ports: InternsTreePorts, layout: TreeLayout) {
    super();
    this.#ports = ports;
    this.#layout = layout;
    const { interns, creations, conversations } = ports;
    this.own(interns.onDidChange(() => this.refresh()));
    this.own(creations.onDidChange(() => this.refresh()));
    this.own(conversations.onDidChange(() => this.refresh()));
    this.own({ dispose: () => this.#gathering?.dispose() });
  }

  get isEmpty(): boolean {
    return this.#interns.size === 0;
  }

  setLayout(change: Partial<TreeLayout>): void {
    this.#layout = { ...this.#layout, ...change };
    this.refresh();
  }

  /** Makes the rows anew soon. */
  refresh(): void {
    this.#gathering ??= this.#ports.clock.setTimeout(() => {
      this.#gathering = undefined;
      this.#changed.fire(undefined);
    }, GATHER_MS);
  }

  /** The row of an intern that is shown. */
  find(internId: string): InternNode | undefined {
    return this.#interns.get(internId);
  }

  async getChildren(node?: InternsNode): Promise<InternsNode[]> {
    if (node === undefined) return this.#roots();
    if (node.kind === 'group') return [...node.members];
    return node.kind === 'intern' ? this.#conversationsOf(node.intern) : [];
  }

  getTreeItem(node: InternsNode): vscode.TreeItem {
    return toTreeItem(node, {
      now: this.#ports.clock.now(),
      hasConversations: node.kind === 'intern' && this.#itemsOf(node.intern).length > 0,
    });
  }

  async resolveTreeItem(item: vscode.TreeItem, node: InternsNode): Promise<vscode.TreeItem> {
    if (node.kind === 'conversation') {
      const facts = await this.#ports.conversations.facts(node.conversation);
      item.tooltip = conversationTooltip(node.item, facts);
    }
    if (node.kind === 'intern') {
      const allowed = (await this.#ports.allowed.list()).filter(
        ({ intern }) => intern === node.intern,
      );
      const costs = await this.#ports.conversations.costs(node.intern);
      item.tooltip = internTooltip({ ...node, allowed, costs }, this.#ports.clock.now());
    }
    return item;
  }

  getParent(node: InternsNode): InternsNode | undefined {
    if (node.kind === 'conversation') return this.#interns.get(node.intern);
    if (node.kind !== 'intern') return undefined;
    return this.#groups.find(({ group }) => group === node.group);
  }

  async #roots(): Promise<InternsNode[]> {
    // An empty list now would show a user who is signed in how to sign in.
    await this.#ports.accounts.whenLoaded;
    const [records, cutOff] = await Promise.all([
      this.#ports.interns.list(),
      this.#ports.creations.cutOff(),
      // Known before the first row is drawn: thousands would be drawn again for what is learned a moment later.
      this.#ports.conversations.load(),
    ]);
    const questions = this.#ports.conversations.pendingQuestions();
    const nodes = rankInterns(records, questions, locale()).map((ranked): InternNode => ({
      kind: 'intern',
      intern: ranked.record.id,
      ...ranked,
    }));
    this.#interns = new Map(nodes.map((node) => [node.intern, node]));
    this.#groups = this.#layout.isGrouped ? grouped(nodes) : [];
    this.#drawn.fire(new Map(nodes.flatMap((node) => this.#marksOf(node))));
    const creations = cutOff.map((record): CreationNode => ({
      kind: 'creation',
      creation: record.id,
      record,
    }));
    return [...creations, ...(this.#layout.isGrouped ? this.#groups : nodes)];
  }

  #conversationsOf(intern: string): ConversationNode[] {
    const items = this.#itemsOf(intern);
    const pinned = items.filter(({ listed }) => listed === 'pinned');
    const others = items.filter(({ listed }) => listed !== 'pinned');
    return [...pinned, ...others].map((item) => ({
      ...{ kind: 'conversation', intern, conversation: item.id, item },
    }));
  }

  /** The conversations that are shown: an archived one also while it works or waits for its user. */
  #itemsOf(intern: string): readonly ConversationItem[] {
    const items = this.#ports.conversations.list(intern);
    if (this.#layout.showsArchived) return items;
    return items.filter(
      ({ listed, state }) => listed !== 'archived' || state === 'working' || state === 'waiting',
    );
  }

  #marksOf({ intern, group }: InternNode): [string, Mark][] {
    const marks: [string, Mark][] = [];
    if (group === 'waiting' || group === 'failed') {
      marks.push([resourceOf('intern', intern).toString(), group]);
    }
    for (const { id, state } of this.#itemsOf(intern)) {
      if (state === 'waiting' || state === 'failed') {
        marks.push([resourceOf('conversation', id).toString(), state]);
      }
    }
    return marks;
  }
}
