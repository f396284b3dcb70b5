import type { CostSum } from '../../conversation/costs.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import type { FileServices } from '../../platform/services.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Account } from '../accounts/account.ts';
import {
  costDays,
  type CostDays,
  type ConversationHead,
  type ConversationHeads,
  sumCosts,
} from './heads.ts';

interface CostSource {
  /** The conversations that are open in this window. */
  readonly live: readonly { readonly account: Account; readonly conversation: Conversation }[];
  read(account: Account, id: string): Promise<Transcript>;
}

interface CostPorts extends Pick<FileServices, 'clock' | 'log'> {
  readonly conversations: CostSource;
  readonly heads: Pick<ConversationHeads, 'list' | 'of'>;
  readonly settings: Pick<Settings, 'dailyCostLimit'>;
}

/** The costs of an account's conversations. Costs that the service did not report are not counted. */
export class AccountCosts {
  readonly #ports: CostPorts;
  /** The costs of conversations that this window deleted, by ID. They still count toward the limit of the day. */
  readonly #deleted = new Map<string, { readonly account: string; readonly cost: CostDays }>();

  constructor(ports: CostPorts) {
    this.#ports = ports;
  }

  /** Sums up the cost of an account's conversations, or of those with one intern; undefined if the disk fails. */
  async sum(account: Account, intern?: string): Promise<CostSums | undefined> {
    const { clock, heads, log } = this.#ports;
    const open = this.#open(account, intern);
    const costs = [...open.values()];
    try {
      // One after the other: the records may be long.
      for (const head of await heads.list(account, intern))
        if (!open.has(head.id)) costs.push(await this.#costOf(account, head));
      return sumCosts(costs, clock.now());
    } catch (failure) {
      log.warn('The costs of conversations could not be read', failure);
      return undefined;
    }
  }

  /** Returns the cost in a head. If the head lacks it, computes it from the record and adds it. */
  async #costOf(account: Account, { id, at, cost }: ConversationHead): Promise<CostDays> {
    if (cost?.at === at) return cost;
    const read = costDays(await this.#ports.conversations.read(account, id));
    await this.#ports.heads
      .of(account)
      .update(id, (head) => (head?.at === at ? { ...head, cost: { at, ...read } } : undefined));
    return read;
  }

  /** Keeps the cost of a conversation that is deleted. Returns a function to call when it is restored. */
  keepDeleted({
    account,
    conversation: { id, transcript },
  }: CostSource['live'][number]): () => void {
    this.#deleted.set(id, { account: account.id, cost: costDays(transcript) });
    return () => void this.#deleted.delete(id);
  }

  /** Returns today's known cost of an account's conversations, with its limit. The cost is 0 without a limit. */
  today(account: Account): Pick<CostSum, 'spent' | 'limit'> {
    const { settings, clock } = this.#ports;
    if (!(settings.dailyCostLimit > 0)) return { spent: 0, limit: null };
    const open = this.#open(account);
    const others = this.#ports.heads.of(account).known.filter(({ id }) => !open.has(id));
    const deleted = [...this.#deleted.values()].filter((each) => each.account === account.id);
    const costs = [...others, ...deleted].flatMap(({ cost }) => cost ?? []);
    const { today } = sumCosts([...costs, ...open.values()], clock.now());
    return { spent: today, limit: settings.dailyCostLimit };
  }

  /** Returns what {@link today} returns, after it has read the costs that heads of earlier versions lack. */
  async readToday(account: Account): Promise<Pick<CostSum, 'spent' | 'limit'>> {
    if (this.#ports.settings.dailyCostLimit > 0) await this.sum(account);
    return this.today(account);
  }

  /** Returns the costs of open conversations by ID. Their heads are written a moment later than their records. */
  #open(account: Account, intern?: string): ReadonlyMap<string, CostDays> {
    const open = this.#ports.conversations.live.filter(
      ({ account: { id }, conversation: { transcript } }) =>
        id === account.id && (intern === undefined || transcript.intern === intern),
    );
    return new Map(
      open.map(({ conversation: { id, transcript } }) => [id, costDays(transcript)] as const),
    );
  }
}
