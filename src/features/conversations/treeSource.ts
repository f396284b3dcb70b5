import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { Account, Accounts, AccountStore } from '../accounts/account.ts';
import type {
  ConversationFacts,
  ConversationItem,
  ConversationSource,
} from '../interns/conversationSource.ts';
import type { Log } from '../../platform/log/log.ts';
import { costWords, type CostSums } from '../../platform/words/costs.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';

interface TreeSourceOptions {
  readonly accounts: Accounts;
  readonly conversations: Conversations;
  readonly pendingQuestions: Pick<PendingQuestions, 'open'>;
  /** A question arrived, ended or changed. */
  readonly onDidChangeQuestions: Event<unknown>;
  readonly log: Log;
}

/** What the Interns view shows of conversations and questions. */
export class TreeSource extends DisposableBase implements ConversationSource {
  readonly #options: TreeSourceOptions;
  readonly #changed = this.own(new Emitter<void>());
  /** Heads by intern, newest first, as they were read last. */
  #known:
    | {
        readonly store: AccountStore;
        readonly byIntern: ReadonlyMap<string, readonly ConversationHead[]>;
      }
    | undefined;
  #reading = false;
  #isStale = false;

  readonly onDidChange = this.#changed.event;

  constructor(options: TreeSourceOptions) {
    super();
    const { accounts, conversations, onDidChangeQuestions } = options;
    this.#options = options;
    this.own(accounts.onDidChange(() => this.#changed.fire()));
    this.own(conversations.onDidChange(() => this.#readAgain()));
    this.own(onDidChangeQuestions(() => this.#changed.fire()));
  }

  async load(): Promise<void> {
    const account = this.#options.accounts.active;
    if (account === undefined || this.#known?.store === account.store) return;
    try {
      this.#setKnown(account, await this.#options.conversations.list(account));
    } catch (failure) {
      this.#warn(failure);
    }
  }

  list(internId: string): readonly ConversationItem[] {
    const account = this.#options.accounts.active;
    if (account === undefined) return [];
    if (this.#known?.store !== account.store) {
      this.#read(account);
      return [];
    }
    return this.#known.byIntern.get(internId) ?? [];
  }

  async facts(conversation: string): Promise<ConversationFacts> {
    const { accounts, conversations } = this.#options;
    if (accounts.active === undefined) return { session: null, cost: '' };
    const { session, cost } = await conversations.read(accounts.active, conversation);
    return { session, cost: costWords(cost) };
  }

  async costs(internId: string): Promise<CostSums | undefined> {
    const { active } = this.#options.accounts;
    return active && this.costsOf(active, internId);
  }

  /** What the conversations of an account, or those with one intern, have cost; undefined where the disk fails. */
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
    for (const { question, isCountedAsWaiting } of this.#options.pendingQuestions.open()) {
      const { account, intern } = question;
      if (isCountedAsWaiting && account === active)
        counts.set(intern, (counts.get(intern) ?? 0) + 1);
    }
    return counts;
  }

  /** Nothing is read before a list was asked for. */
  #readAgain(): void {
    const account = this.#options.accounts.active;
    if (account === undefined || this.#known?.store !== account.store) return;
    this.#read(account);
  }

  #read(account: Account): void {
    if (this.#reading) {
      this.#isStale = true;
      return;
    }
    this.#reading = true;
    this.#isStale = false;
    this.#options.conversations.list(account).then(
      (heads) => this.#handleList(account, heads),
      (failure: unknown) => {
        this.#reading = false;
        this.#warn(failure);
      },
    );
  }

  #handleList(account: Account, heads: readonly ConversationHead[]): void {
    this.#reading = false;
    this.#setKnown(account, heads);
    this.#changed.fire();
    if (this.#isStale) this.#readAgain();
  }

  #setKnown(account: Account, heads: readonly ConversationHead[]): void {
    this.#known = { store: account.store, byIntern: byIntern(heads) };
  }

  #warn(failure: unknown): void {
    this.#options.log.warn('Could not read the list of conversations', failure);
  }
}

function byIntern(
  heads: readonly ConversationHead[],
): ReadonlyMap<string, readonly ConversationHead[]> {
  const groups = new Map<string, ConversationHead[]>();
  for (const head of heads) {
    const group = groups.get(head.intern);
    if (group === undefined) groups.set(head.intern, [head]);
    else group.push(head);
  }
  return groups;
}
