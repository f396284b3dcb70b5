import type * as vscode from 'vscode';
import { DisposableBase, type Disposable, Emitter, type Event } from '../../base/disposable.ts';
import { locale } from '../../platform/text/format.ts';
import type { Accounts } from '../accounts/account.ts';
import type { AllowedRecord } from '../accounts/records.ts';
import type { ConversationItem, ConversationSource } from './conversationSource.ts';
import type { Creations } from './creations.ts';
import type { InternServices } from './internModel.ts';
import { INTERN_GROUPS, rankInterns, type InternNode } from './internState.ts';
import {
  conversationTreeItem,
  conversationTooltip,
  creationTreeItem,
  groupTreeItem,
  internTreeItem,
  internTooltip,
  resourceOf,
  type ConversationNode,
  type CreationNode,
  type GroupNode,
  type InternsNode,
  type Mark,
} from './rows.ts';

/** Changes within this many ms are shown together. */
const REFRESH_BATCH_MS = 50;

export interface InternsTreePorts extends Pick<InternServices, 'clock' | 'interns'> {
  readonly accounts: Pick<Accounts, 'whenLoaded'>;
  readonly creations: Creations;
  readonly conversations: ConversationSource;
  /** The operations that were allowed always; read when a tooltip is first shown. */
  readonly allowed: { list(): Promise<readonly AllowedRecord[]> };
}

export interface TreeLayout {
  readonly isGrouped: boolean;
  readonly showsArchived: boolean;
}

/**
 * The rows of the Interns view: interrupted creations, then the interns by rank, each with its conversations. Nothing is
 * read before VS Code asks for rows. Changes redraw all rows at most once per {@link REFRESH_BATCH_MS}, so that thousands stay
 * smooth.
 */
export class InternsTree extends DisposableBase implements vscode.TreeDataProvider<InternsNode> {
  readonly #ports: InternsTreePorts;
  readonly #changed = this.own(new Emitter<undefined>());
  readonly #drawn = this.own(new Emitter<ReadonlyMap<string, Mark>>());
  #interns: ReadonlyMap<string, InternNode> = new Map();
  #groups: readonly GroupNode[] = [];
  #layout: TreeLayout;
  #refreshTimer: Disposable | undefined;

  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  /** The root rows were made. Gives the marks of all rows by {@link resourceOf} as text. */
  readonly onDidDraw: Event<ReadonlyMap<string, Mark>> = this.#drawn.event;

  constructor(ports: InternsTreePorts, layout: TreeLayout) {
    super();
    this.#ports = ports;
    this.#layout = layout;
    for (const { onDidChange } of [ports.interns, ports.creations, ports.conversations])
      this.own(onDidChange(() => this.#refresh()));
    this.own({ dispose: () => this.#refreshTimer?.dispose() });
  }

  get isEmpty(): boolean {
    return this.#interns.size === 0;
  }

  setLayout(change: Partial<TreeLayout>): void {
    this.#layout = { ...this.#layout, ...change };
    this.#refresh();
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

  async getChildren(node?: InternsNode): Promise<InternsNode[]> {
    if (node === undefined) return this.#roots();
    if (node.kind === 'group') return [...node.members];
    return node.kind === 'intern' ? this.#conversationsOf(node.intern) : [];
  }

  getTreeItem(node: InternsNode): vscode.TreeItem {
    if (node.kind === 'group') return groupTreeItem(node);
    if (node.kind === 'intern') return internTreeItem(node, this.#itemsOf(node.intern).length > 0);
    return node.kind === 'conversation'
      ? conversationTreeItem(node, this.#ports.clock.now())
      : creationTreeItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: InternsNode): Promise<vscode.TreeItem> {
    const { allowed, clock, conversations } = this.#ports;
    if (node.kind === 'conversation')
      item.tooltip = conversationTooltip(node.item, await conversations.details(node.conversation));
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

  getParent(node: InternsNode): InternsNode | undefined {
    if (node.kind === 'conversation') return this.#interns.get(node.intern);
    if (node.kind !== 'intern') return undefined;
    return this.#groups.find(({ group }) => group === node.group);
  }

  async #roots(): Promise<InternsNode[]> {
    // An empty list would show the sign-in welcome to a user who is signed in.
    await this.#ports.accounts.whenLoaded;
    const [records, interrupted] = await Promise.all([
      this.#ports.interns.list(),
      this.#ports.creations.listInterrupted(),
      // Loaded before the first drawing, since thousands of rows would be drawn again a moment later.
      this.#ports.conversations.load(),
    ]);
    const nodes = rankInterns(records, this.#ports.conversations.pendingQuestions(), locale());
    this.#interns = new Map(nodes.map((node) => [node.intern, node]));
    this.#groups = this.#layout.isGrouped ? grouped(nodes) : [];
    this.#drawn.fire(new Map(nodes.flatMap((node) => this.#marksOf(node))));
    const creations = interrupted.map((record): CreationNode => {
      return { kind: 'creation', creation: record.id, record };
    });
    return [...creations, ...(this.#layout.isGrouped ? this.#groups : nodes)];
  }

  #conversationsOf(intern: string): ConversationNode[] {
    const items = this.#itemsOf(intern);
    const pinned = items.filter(({ listed }) => listed === 'pinned');
    const others = items.filter(({ listed }) => listed !== 'pinned');
    return [...pinned, ...others].map((item) => {
      return { kind: 'conversation', intern, conversation: item.id, item };
    });
  }

  /** Lists the conversations to show. An archived one is shown while it works or waits. */
  #itemsOf(intern: string): readonly ConversationItem[] {
    const items = this.#ports.conversations.list(intern);
    if (this.#layout.showsArchived) return items;
    return items.filter(
      ({ listed, state }) => listed !== 'archived' || state === 'working' || state === 'waiting',
    );
  }

  #marksOf({ intern, group }: InternNode): [string, Mark][] {
    const marks: [string, Mark][] = [];
    if (group === 'waiting' || group === 'failed')
      marks.push([resourceOf('intern', intern).toString(), group]);
    for (const { id, state } of this.#itemsOf(intern)) {
      if (state === 'waiting' || state === 'failed')
        marks.push([resourceOf('conversation', id).toString(), state]);
    }
    return marks;
  }
}

/** Returns a row for each group that has any interns. */
function grouped(interns: readonly InternNode[]): GroupNode[] {
  return INTERN_GROUPS.map((group): GroupNode => {
    return { kind: 'group', group, members: interns.filter((each) => each.group === group) };
  }).filter(({ members }) => members.length > 0);
}
