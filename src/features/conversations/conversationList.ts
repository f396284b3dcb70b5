import type { Memento } from 'vscode';
import { DisposableBase, type Disposable, Emitter } from '../../base/disposable.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import type { AccountServices, AccountStore } from '../accounts/account.ts';
import type { ConversationCounts, InternCounts } from '../interns/internState.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';
import {
  changedSince,
  compareListed,
  isInScope,
  listedState,
  type Listed,
  type ListScope,
} from './listOrder.ts';

/** Changes within this many ms are read together. */
const READ_BATCH_MS = 50;
/** Shortest time between two reads, in ms. VS Code draws a tree only after 200 ms without a change of it. */
const READ_INTERVAL_MS = 300;

/** A conversation as a row. Commands that are called on it read `intern` and `conversation` (commands/ids.ts). */
export interface ConversationRow extends Listed {
  readonly kind: 'conversation';
  readonly intern: string;
  readonly conversation: string;
}

/** Keys of the scope in the workspace's state, and of the context that menus read. */
const SCOPE_KEYS = {
  showsAllWorkspaces: 'interns.allWorkspacesShown',
  showsArchived: 'interns.archivedShown',
} as const;

interface ConversationListOptions extends Pick<
  AccountServices,
  'accounts' | 'clock' | 'contextKeys' | 'log' | 'workspaceUri'
> {
  readonly conversations: Conversations;
  readonly workspaceState: Memento;
}

/** The conversations of the active account in their order, from their heads and read positions. Reads no record. */
export class ConversationList extends DisposableBase implements ConversationCounts {
  readonly #options: ConversationListOptions;
  readonly #changed = this.own(new Emitter<ReadonlySet<ConversationRow>>());
  #rows: ReadonlyMap<string, ConversationRow> = new Map();
  #order: readonly ConversationRow[] = [];
  #store: AccountStore | undefined;
  #loading: Promise<void> | undefined;
  #timer: Disposable | undefined;
  /** When a changed list was read last, on the monotonic clock. */
  #readAt = -Infinity;
  /** Heads of runs that have no window and no end on record. The head of the next run is another object. */
  #interrupted: ReadonlySet<ConversationHead> = new Set();

  /** Fires with the added or changed rows; also when rows were removed, or the scope changed. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ConversationListOptions) {
    super();
    const { accounts, conversations, contextKeys } = options;
    this.#options = options;
    const { showsAllWorkspaces, showsArchived } = this.scope;
    contextKeys.set(SCOPE_KEYS.showsAllWorkspaces, showsAllWorkspaces);
    contextKeys.set(SCOPE_KEYS.showsArchived, showsArchived);
    for (const onDidChange of [
      accounts.onDidChange,
      conversations.onDidChange,
      conversations.readPositions.onDidChange,
    ])
      this.own(onDidChange(() => this.#readSoon()));
    // The run of a window that is gone continues in this one, perhaps without a change of its head.
    this.own(
      conversations.onDidOpen(({ conversation: { id } }) => {
        const others = [...this.#interrupted].filter((head) => head.id !== id);
        if (others.length === this.#interrupted.size) return;
        this.#interrupted = new Set(others);
        this.#readSoon();
      }),
    );
    this.own({ dispose: () => this.#timer?.dispose() });
  }

  get scope(): ListScope {
    const { workspaceState, workspaceUri } = this.#options;
    return {
      workspace: workspaceUri,
      showsAllWorkspaces: workspaceState.get(SCOPE_KEYS.showsAllWorkspaces) === true,
      showsArchived: workspaceState.get(SCOPE_KEYS.showsArchived) === true,
    };
  }

  /** Changes the scope, and saves it for the workspace. */
  async setScope(name: keyof typeof SCOPE_KEYS, isOn: boolean): Promise<void> {
    const { contextKeys, workspaceState } = this.#options;
    const saved = workspaceState.update(SCOPE_KEYS[name], isOn);
    contextKeys.set(SCOPE_KEYS[name], isOn);
    this.#changed.fire(new Set());
    await saved;
  }

  /** Reads the conversations, unless that was done already. Does not reject if the disk fails. */
  async load(): Promise<void> {
    const store = this.#options.accounts.active?.store;
    if (store !== this.#store || this.#loading === undefined) this.#loading = this.#read();
    await this.#loading;
  }

  get(conversation: string): ConversationRow | undefined {
    return this.#rows.get(conversation);
  }

  /** All rows, in order. */
  get all(): readonly ConversationRow[] {
    return this.#order;
  }

  /** The rows in scope, in order. */
  get listed(): readonly ConversationRow[] {
    const { all, scope } = this;
    return all.filter((row) => isInScope(row, scope));
  }

  /** The rows that are in scope if all workspaces are shown, in order. */
  get ofAllWorkspaces(): readonly ConversationRow[] {
    const scope = { ...this.scope, showsAllWorkspaces: true };
    return this.all.filter((row) => isInScope(row, scope));
  }

  /** The rows of all workspaces that changed at or after a time, epoch ms, in order. */
  changedSince(since: number): readonly ConversationRow[] {
    return this.ofAllWorkspaces.filter((row) => changedSince(row, since));
  }

  counts(): ReadonlyMap<string, InternCounts> {
    const counts = new Map<string, InternCounts>();
    for (const { intern, state } of this.all) {
      if (state !== 'waiting' && state !== 'running') continue;
      const before = counts.get(intern) ?? { waiting: 0, running: 0 };
      counts.set(intern, { ...before, [state]: before[state] + 1 });
    }
    return counts;
  }

  /** Marks the unread conversations in scope as read, and those that the view shows. Returns how many there were. */
  async markAllRead(shown: readonly ConversationRow[]): Promise<number> {
    const { accounts, conversations } = this.#options;
    const { active } = accounts;
    if (active === undefined) return 0;
    const unread = new Set([...this.listed, ...shown].filter(({ isUnread }) => isUnread));
    const { readPositions } = conversations;
    await Promise.all(Array.from(unread, ({ head }) => readPositions.mark(active, head, true)));
    return unread.size;
  }

  /** Reads the session and the cost of a conversation from its record. */
  async details(conversation: string): Promise<Pick<Transcript, 'session' | 'cost'> | undefined> {
    const { accounts, conversations } = this.#options;
    return accounts.active && conversations.read(accounts.active, conversation);
  }

  async costs(intern: string): Promise<CostSums | undefined> {
    const { accounts, conversations } = this.#options;
    return accounts.active && conversations.costs.sum(accounts.active, intern);
  }

  /** Checks which runs have lost their window. Time changes states too, so rows may change. */
  async checkRuns(): Promise<void> {
    const { accounts, conversations } = this.#options;
    const { active } = accounts;
    const running = this.all.map(({ head }) => head).filter(({ state }) => state === 'working');
    const ids = running.map(({ id }) => id);
    const inUse = active && (await conversations.inUse(active, ids));
    this.#interrupted = new Set(running.filter(({ id }) => inUse?.has(id) !== true));
    this.#readSoon();
  }

  #readSoon(): void {
    const { clock } = this.#options;
    const waitMs = Math.max(READ_BATCH_MS, this.#readAt + READ_INTERVAL_MS - clock.monotonic());
    this.#timer ??= clock.setTimeout(() => {
      this.#timer = undefined;
      this.#readAt = clock.monotonic();
      this.#loading = (this.#loading ?? Promise.resolve()).then(() => this.#read());
    }, waitMs);
  }

  async #read(): Promise<void> {
    const { accounts, conversations, log } = this.#options;
    const account = accounts.active;
    const isFirst = account?.store !== this.#store;
    if (isFirst) {
      this.#store = account?.store;
      this.#rows = new Map();
      this.#order = [];
      this.#interrupted = new Set();
    }
    try {
      const heads = account === undefined ? [] : await conversations.list(account);
      const reads =
        account === undefined ? new Map() : await conversations.readPositions.list(account);
      if (account?.store === this.#store) this.#update(heads, reads);
    } catch (failure) {
      log.warn('Could not read the list of conversations', failure);
    }
    if (isFirst) void this.checkRuns();
  }

  #update(heads: readonly ConversationHead[], reads: Parameters<typeof listedState>[1]): void {
    const now = this.#options.clock.now();
    const changed = new Set<ConversationRow>();
    const added: ConversationRow[] = [];
    const rows = new Map<string, ConversationRow>();
    for (const head of heads) {
      const { id, intern } = head;
      const next = { head, ...listedState(head, reads, now, this.#interrupted.has(head)) };
      const known = this.#rows.get(id);
      const row = known ?? { kind: 'conversation', intern, conversation: id, ...next };
      rows.set(id, row);
      if (known === undefined) added.push(row);
      else if (isSame(known, next)) continue;
      changed.add(Object.assign(row, next));
    }
    this.#rows = rows;
    // The order before is almost sorted, which sorts fast.
    const kept = this.#order.filter(({ conversation }) => rows.has(conversation));
    this.#order = [...kept, ...added].sort(compareListed);
    this.#changed.fire(changed);
  }
}

function isSame(a: Listed, b: Listed): boolean {
  return (
    a.head === b.head &&
    a.state === b.state &&
    a.isUnread === b.isUnread &&
    a.deadline === b.deadline
  );
}
