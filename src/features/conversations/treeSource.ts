import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { Account, AccountStore, AccountServices } from '../accounts/account.ts';
import type {
  ConversationDetails,
  ConversationItem,
  ConversationSource,
} from '../interns/conversationSource.ts';
import { costLabel, type CostSums } from '../../platform/text/costs.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';

interface TreeSourceOptions extends Pick<AccountServices, 'accounts' | 'log'> {
  readonly conversations: Conversations;
  readonly pendingQuestions: Pick<PendingQuestions, 'listOpen' | 'onDidChange'>;
}

/** The conversations and questions that the Interns view shows. */
export class ConversationTreeSource extends DisposableBase implements ConversationSource {
  readonly #options: TreeSourceOptions;
  readonly #changed = this.own(new Emitter<void>());
  /** The last read heads by intern, newest first. */
  #known: { readonly store: AccountStore; readonly byIntern: HeadsByIntern } | undefined;
  #isReading = false;
  #isStale = false;

  readonly onDidChange = this.#changed.event;

  constructor(options: TreeSourceOptions) {
    super();
    const { accounts, conversations, pendingQuestions } = options;
    this.#options = options;
    this.own(accounts.onDidChange(() => this.#changed.fire()));
    this.own(conversations.onDidChange(() => this.#readAgain()));
    this.own(pendingQuestions.onDidChange(() => this.#changed.fire()));
  }

  async load(): Promise<void> {
    const account = this.#options.accounts.active;
    if (account !== undefined && this.#known?.store !== account.store) await this.#read(account);
  }

  list(internId: string): readonly ConversationItem[] {
    const account = this.#options.accounts.active;
    if (account === undefined) return [];
    if (this.#known?.store === account.store) return this.#known.byIntern.get(internId) ?? [];
    void this.#refresh(account);
    return [];
  }

  async details(conversation: string): Promise<ConversationDetails> {
    const { accounts, conversations } = this.#options;
    if (accounts.active === undefined) return { session: null, cost: '' };
    const { session, cost } = await conversations.read(accounts.active, conversation);
    return { session, cost: costLabel(cost) };
  }

  async costs(internId: string): Promise<CostSums | undefined> {
    const { active } = this.#options.accounts;
    return active && this.costsOf(active, internId);
  }

  /** Sums up the cost of an account's conversations, or of those with one intern; undefined if the disk fails. */
  async costsOf(account: Account, intern?: string): Promise<CostSums | undefined> {
    try {
      return await this.#options.conversations.costs(account, intern);
    } catch (failure) {
      this.#warn(failure);
      return undefined;
    }
  }

  pendingQuestions(): ReadonlyMap<string, number> {
    const active = this.#options.accounts.active?.id;
    const counts = new Map<string, number>();
    for (const { question, isCountedAsWaiting } of this.#options.pendingQuestions.listOpen()) {
      const { account, intern } = question;
      if (isCountedAsWaiting && account === active)
        counts.set(intern, (counts.get(intern) ?? 0) + 1);
    }
    return counts;
  }

  /** Reads the list again if it was asked for before. */
  #readAgain(): void {
    const account = this.#options.accounts.active;
    if (account !== undefined && this.#known?.store === account.store) void this.#refresh(account);
  }

  /** Reads the list in the background, once at a time. */
  async #refresh(account: Account): Promise<void> {
    this.#isStale = this.#isReading;
    if (this.#isReading) return;
    this.#isReading = true;
    const isRead = await this.#read(account);
    this.#isReading = false;
    if (!isRead) return;
    this.#changed.fire();
    if (this.#isStale) this.#readAgain();
  }

  async #read(account: Account): Promise<boolean> {
    try {
      const heads = await this.#options.conversations.list(account);
      this.#known = { store: account.store, byIntern: byIntern(heads) };
      return true;
    } catch (failure) {
      this.#warn(failure);
      return false;
    }
  }

  #warn(failure: unknown): void {
    this.#options.log.warn('Could not read the list of conversations', failure);
  }
}

type HeadsByIntern = ReadonlyMap<string, readonly ConversationHead[]>;

function byIntern(heads: readonly ConversationHead[]): HeadsByIntern {
  const groups = new Map<string, ConversationHead[]>();
  for (const head of heads) {
    const group = groups.get(head.intern) ?? [];
    groups.set(head.intern, group);
    group.push(head);
  }
  return groups;
}
