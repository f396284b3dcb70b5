import { join } from 'node:path';
import pLimit from 'p-limit';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { LISTED_AS } from '../../conversation/journal.ts';
import { conversationStatus, CONVERSATION_STATUSES } from '../../conversation/machine/state.ts';
import type { ConversationOwner } from '../../conversation/ports.ts';
import { questionContextOf } from '../../conversation/questions/questionContext.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { Account, AccountStore } from '../accounts/account.ts';
import type { Log } from '../../platform/log/log.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import { addUsd } from '../../conversation/costs.ts';
import type { CostSums } from '../../platform/words/costs.ts';

/** The question that a conversation waits for: what is needed to ask it again, and never a part of an answer. */
const questionSchema = v.object({
  id: v.string(),
  call: v.object({ index: v.number(), id: v.string(), name: v.string(), arguments: v.string() }),
  /** Epoch ms. */
  askedAt: v.number(),
  context: v.object({ said: v.string(), allowed: v.number(), rejected: v.number() }),
});

/**
 * What lists, badge and status bar show of a conversation: one small file beside each record, so that they need not read
 * 500 records. The record is the truth; a head is written whenever a run starts, pauses or ends.
 */
const headSchema = v.object({
  id: v.string(),
  intern: v.string(),
  title: v.string(),
  createdAt: v.number(),
  /** When something was last said, epoch ms. */
  at: v.number(),
  state: v.picklist(CONVERSATION_STATUSES),
  /** Absent in heads that an older version wrote. */
  listed: v.optional(v.picklist(LISTED_AS)),
  /** The pending question, until the service has taken an answer. */
  question: v.optional(questionSchema),
  /**
   * What it has cost, see costDays.ts. `at` is that of the head that it was reckoned for: a version that knows nothing of
   * it writes another head, and leaves this as it was.
   */
  cost: v.optional(
    v.object({ at: v.number(), spent: v.number(), days: v.record(v.string(), v.number()) }),
  ),
});

export type ConversationHead = Readonly<v.InferOutput<typeof headSchema>>;

/** Where the heads of an account's conversations are, and what windows say beside them. */
export function headsDir({ conversationsDir }: Pick<AccountStore, 'conversationsDir'>): string {
  return join(conversationsDir, 'heads');
}

/** The heads of all conversations, by account. A folder is read when it is first listed. */
export class ConversationHeads extends DisposableBase {
  readonly #options: ConversationHeadsOptions;
  readonly #changed = this.own(new Emitter<string | undefined>());
  readonly #folders = new WeakMap<AccountStore, JsonFolder<ConversationHead>>();

  /** The intern whose heads changed; undefined where it may be any. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ConversationHeadsOptions) {
    super();
    this.#options = options;
  }

  of({ store }: Account): JsonFolder<ConversationHead> {
    const known = this.#folders.get(store);
    if (known !== undefined) return known;
    const { watch, reportUnreadable } = this.#options;
    const heads = this.own(
      new JsonFolder({
        folder: headsDir(store),
        schema: headSchema,
        idOf: (head) => head.id,
        watch,
        reportUnreadable,
      }),
    );
    this.own(heads.onDidChange(() => this.#changed.fire(undefined)));
    this.#folders.set(store, heads);
    return heads;
  }

  /** Writes the head of one conversation. */
  writer(account: Account, owner: HeadWriterPorts['owner']): HeadWriter {
    const { clock, log } = this.#options;
    const written: HeadWriterPorts['written'] = ({ id, intern }, failure) => {
      if (failure !== undefined)
        log.warn('The head of a conversation could not be written', failure, id);
      this.#changed.fire(intern);
    };
    return new HeadWriter({ heads: this.of(account), owner, clock, written });
  }

  /** Conversations with an intern, newest first. */
  async list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    const heads = await this.of(account).list();
    return heads
      .filter((head) => intern === undefined || head.intern === intern)
      .sort((a, b) => b.at - a.at);
  }

  /** What the conversations of an account, or those with one intern, have cost. */
  async costs(
    account: Account,
    intern: string | undefined,
    read: (head: ConversationHead) => Promise<Transcript>,
  ): Promise<CostSums> {
    const costs: CostDays[] = [];
    // One after the other: records that are read for it may be long.
    for (const head of await this.list(account, intern))
      costs.push(head.cost?.at === head.at ? head.cost : await this.#addCost(account, head, read));
    return sumCosts(costs, this.#options.clock.now());
  }

  /** Adds what a conversation has cost, by its record, to a head that does not say so. */
  async #addCost(
    account: Account,
    head: ConversationHead,
    read: (head: ConversationHead) => Promise<Transcript>,
  ): Promise<CostDays> {
    const { id, at } = head;
    const cost = costDays(await read(head));
    await this.of(account).update(id, (current) =>
      current?.at === at ? { ...current, cost: { at, ...cost } } : undefined,
    );
    return cost;
  }
}

interface ConversationHeadsOptions {
  readonly clock: Clock;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/** How long a head waits that could not be written, in ms. */
const RETRY_MS = 10_000;

/** What a {@link HeadWriter} is made of. */
interface HeadWriterPorts {
  readonly heads: Pick<JsonFolder<ConversationHead>, 'put' | 'remove'>;
  readonly owner: Pick<ConversationOwner, 'isElsewhere'>;
  readonly clock: Pick<Clock, 'setTimeout'>;
  /** Called after each write, with its failure or undefined. */
  readonly written: (head: ConversationHead, failure: unknown) => void;
}

/**
 * Keeps one conversation's head in step with it. While another window owns the conversation, that window writes the head;
 * otherwise each window that has it open writes what it knows, so that the last one to read on in the record is right.
 */
export class HeadWriter implements Disposable {
  readonly #ports: HeadWriterPorts;
  /** What was written last, its time aside. */
  #text = '';
  readonly #inOrder = pLimit(1);
  #retry: Disposable | undefined;
  #stopped = false;

  constructor(ports: HeadWriterPorts) {
    this.#ports = ports;
  }

  /** Writes the head if something in it but the time differs. */
  update(conversation: Conversation): void {
    if (textOf(headOf(conversation), conversation) === this.#text) return;
    void this.#inOrder(() => this.#write(conversation));
  }

  /** Resolves when the last write is done. */
  async flush(): Promise<void> {
    await this.#inOrder(() => undefined);
  }

  /** Writes nothing any more, and removes what was written. */
  async remove(id: string): Promise<void> {
    this.#stopped = true;
    await this.#inOrder(() => this.#ports.heads.remove(id));
  }

  dispose(): void {
    this.#retry?.dispose();
    this.#stopped = true;
  }

  async #write(conversation: Conversation): Promise<void> {
    const { heads, owner, written } = this.#ports;
    this.#retry?.dispose();
    if (await owner.isElsewhere()) return;
    // Read now and not before: the conversation may have gone on meanwhile.
    const head = headOf(conversation);
    const text = textOf(head, conversation);
    if (head === undefined || this.#stopped || text === this.#text) return;
    try {
      await heads.put(head);
      this.#text = text;
      written(head, undefined);
    } catch (failure) {
      this.#retryLater(conversation);
      written(head, failure);
    }
  }

  #retryLater(conversation: Conversation): void {
    if (this.#stopped) return;
    this.#retry = this.#ports.clock.setTimeout(() => this.update(conversation), RETRY_MS);
  }
}

/** The conversation that a chat with its intern goes on with: the latest that is not archived. */
export function latestOf(heads: readonly ConversationHead[]): ConversationHead | undefined {
  return unarchived(heads)[0];
}

export function unarchived(heads: readonly ConversationHead[]): readonly ConversationHead[] {
  return heads.filter(({ listed }) => listed !== 'archived');
}

/** What a list shows of a conversation; undefined before its first prompt. */
function headOf(conversation: Conversation): ConversationHead | undefined {
  const { id, transcript } = conversation;
  if (transcript.lastPrompt === undefined) return undefined;
  const { intern, title, listedAs: listed, updatedAt, messages } = transcript;
  const createdAt = messages[0]?.at ?? updatedAt;
  const state = conversationStatus(conversation);
  const cost = { at: updatedAt, ...costDays(transcript) };
  const question = pendingIn(transcript);
  const head = { id, intern, title, createdAt, at: updatedAt, state, listed, cost };
  return question === undefined ? head : { ...head, question };
}

/** The question that a run on record waits for; undefined without one. */
function pendingIn(transcript: Transcript): ConversationHead['question'] {
  const [open] = transcript.lastReply?.state === 'waiting' ? transcript.openQuestions : [];
  if (open === undefined || open.question.kind === 'unreadable') return undefined;
  const { id, call, askedAt } = open;
  return { id, call, askedAt, context: questionContextOf(transcript, open) };
}

/** Returns a text that differs when a head has to be written again. */
function textOf(head: ConversationHead | undefined, { transcript }: Conversation): string {
  if (head === undefined) return '';
  const prompt = transcript.lastPrompt?.id;
  return JSON.stringify({ ...head, at: 0, cost: { ...head.cost, at: 0 }, prompt });
}

/** What a conversation has cost, in USD: in all, and on each of its last seven days by the user's clock (`2026-11-22`). */
interface CostDays {
  readonly spent: number;
  readonly days: Readonly<Record<string, number>>;
}

export function costDays({ spent, costs }: Pick<Transcript, 'spent' | 'costs'>): CostDays {
  const days: Record<string, number> = {};
  const kept = lastDays(Math.max(0, ...costs.slice(-1).map(({ at }) => at)));
  for (const { at, usd } of costs) {
    const day = dayOf(new Date(at));
    if (kept.includes(day)) days[day] = addUsd(days[day] ?? 0, usd);
  }
  return { spent, days };
}

/** @param now epoch ms */
export function sumCosts(conversations: readonly CostDays[], now: number): CostSums {
  const [today = '', ...before] = lastDays(now);
  const sum = (of: (each: CostDays) => number): number =>
    conversations.reduce((total, each) => addUsd(total, of(each)), 0);
  const on = (day: string): number => sum(({ days }) => days[day] ?? 0);
  return {
    today: on(today),
    week: [today, ...before].reduce((total, day) => addUsd(total, on(day)), 0),
    all: sum(({ spent }) => spent),
  };
}

/** The day of a moment and the six before it. */
function lastDays(time: number): readonly string[] {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return Array.from({ length: 7 }, (_, back) => dayOf(new Date(year, month, day - back)));
}

function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
